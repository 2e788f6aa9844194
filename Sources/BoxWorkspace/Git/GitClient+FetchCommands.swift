internal import BoxReport

extension GitClient {
  /// The commands that may bring a revision.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func fetchCommands(for revision: String) async throws(CommandFailure) -> [String] {
    var commands: [String] = []
    let remotes = try await self.remotes()
    let name = Self.nameOfRef(in: revision)
    // The ref itself exists: its earlier commits are missing.
    var isPresent = false
    if name != revision, !name.isEmpty { isPresent = try await resolve(name) != nil }
    if !isPresent, let command = Self.fetchCommand(for: name, from: remotes) {
      commands.append(command)
    }
    if !remotes.isEmpty, try await isShallow() { commands.append("git fetch --unshallow") }
    return commands
  }

  /// The command that may bring a ref; nil if none does.
  private static func fetchCommand(for name: String, from remotes: [String]) -> String? {
    guard let first = remotes.first, !name.isEmpty, name != "HEAD" else { return nil }
    let short = name.hasPrefix("refs/remotes/") ? String(name.dropFirst(13)) : name
    if name.hasPrefix("refs/tags/") {
      return "git fetch \(shellQuoted(first)) tag \(shellQuoted(String(name.dropFirst(10))))"
    }
    if name.hasPrefix("refs/heads/") {
      return "git fetch \(shellQuoted(first)) \(shellQuoted("\(name.dropFirst(11)):\(name)"))"
    }
    guard let remote = remotes.first(where: { short.hasPrefix($0 + "/") }) else {
      return "git fetch \(shellQuoted(first)) --tags"
    }
    let branch = String(short.dropFirst(remote.count + 1))
    if branch == "HEAD" { return "git remote set-head \(shellQuoted(remote)) --auto" }
    // In a clone of a single branch, a plain fetch of another does not make the remote's ref.
    return "git fetch \(shellQuoted(remote)) "
      + shellQuoted("\(branch):refs/remotes/\(remote)/\(branch)")
  }
}
