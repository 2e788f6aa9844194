internal import BoxHash
internal import BoxSystem

/// Checks whether the bindings of a target are up to date with its sources.
package enum BindingCheck {
  /// The verdict on a target.
  package enum Verdict: Hashable, Sendable {
    case upToDate
    /// Nothing was generated for the target yet.
    case missing
    /// The file with bindings, and the reason why it has to be generated again.
    case outOfDate(path: String, reason: String)
  }

  /// Checks the files of a target.
  ///
  /// - Parameter paths: The Swift files that are compiled.
  /// - Returns: The verdict on the first file with bindings that is out of date, or else on all.
  /// - Throws: ``SourceTree/Failure`` if a file cannot be read.
  /// - Complexity: O(*n*) in the size of the files.
  package static func verdict(
    on paths: [String]
  ) async throws(SourceTree.Failure) -> Verdict {
    let files = try SourceTree(paths).files
    let generated = files.filter(\.hasBindings)
    guard let first = generated.first else { return .missing }
    if let left = files.first(where: \.isOfObjectBox) {
      return .outOfDate(
        path: left.path,
        reason:
          "it has the bindings of ObjectBox's generator, and \(first.path) declares the same: "
          + "delete it")
    }
    for file in generated {
      if let reason = try await reason(file) { return .outOfDate(path: file.path, reason: reason) }
    }
    return .upToDate
  }

  private static func reason(_ file: SwiftFile) async throws(SourceTree.Failure) -> String? {
    guard let head = BindingHead(parsing: file.bytes) else {
      return "it has no fingerprint of this version"
    }
    let directory = parentDirectory(of: file.path)
    // First, as it says more: a change of the sources usually changes the model file too.
    let tree = try SourceTree(
      head.roots.map { PathArithmetic.join(directory, $0) },
      excluding: head.excluded.map { PathArithmetic.join(directory, $0) })
    let fingerprint = await SourceFingerprint.of(tree.files, prefix: head.prefix)
    if fingerprint.hexadecimal != head.sources {
      return "the entities have changed since it was generated"
    }
    let model: [UInt8]
    let path = PathArithmetic.join(directory, head.modelPath)
    do throws(SourceTree.Failure) {
      model = try SourceTree([path]).files.first?.bytes ?? []
    } catch {
      if error.isMissing { return "the model file \(path) is missing" }
      throw error
    }
    if BindingHead.fingerprint(model) != head.model {
      return "the model file \(path) is not the one in it"
    }
    return nil
  }
}
