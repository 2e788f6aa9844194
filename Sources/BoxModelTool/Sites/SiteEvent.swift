/// An event of a site that a workflow was started by.
enum SiteEvent: Hashable, Sendable {
  /// A request was opened or changed.
  case request(Int)
  /// A branch has new commits.
  case push(branch: String)
  /// Queued changes are about to be merged.
  case group(base: String, head: String)
  /// Nothing that a merge depends on, such as a branch that was removed.
  case nothing

  /// Reads the file of an event, as GitHub gives it to a workflow, or as GitLab sends it to a webhook.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the file cannot be read, `badInput` if it
  ///   is not an event that has to do with merges.
  static func read(_ path: String) throws(CommandFailure) -> SiteEvent {
    let bytes = try SourceFile.read(path).bytes
    guard let root = JSONView(parsing: bytes), let event = gitHub(root) ?? gitLab(root) else {
      throw CommandFailure(
        .badInput,
        "this is not an event of a pull request, a merge request, a merge group or a push",
        path: path)
    }
    return event
  }

  private static func gitHub(_ root: JSONView) -> SiteEvent? {
    if let number = root["pull_request"]?["number"]?.int { return .request(number) }
    if let group = root["merge_group"] {
      guard let base = group["base_sha"]?.hash, let head = group["head_sha"]?.hash else {
        return nil
      }
      return .group(base: base, head: head)
    }
    // GitLab's events have this, and members of the same names.
    if root["object_kind"] != nil { return nil }
    return push(root)
  }

  private static func gitLab(_ root: JSONView) -> SiteEvent? {
    switch root["object_kind"]?.string {
    case "merge_request": root["object_attributes"]?["iid"]?.int.map { .request($0) }
    case "push": push(root)
    default: nil
    }
  }

  private static func push(_ root: JSONView) -> SiteEvent? {
    guard let reference = root["ref"]?.string, let after = root["after"]?.string else { return nil }
    let prefix = "refs/heads/"
    // A branch that was removed is at a hash of zeros.
    if !reference.hasPrefix(prefix) || after.allSatisfy({ $0 == "0" }) { return .nothing }
    return .push(branch: String(reference.dropFirst(prefix.count)))
  }
}
