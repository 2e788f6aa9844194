extension GitClient {
  /// The bytes that git writes to the work tree for a content of its index: with the line endings,
  /// the encoding and the filters that the attributes of the path and git's configuration say.
  ///
  /// The path starts at the top of the repository. The content becomes a loose object, which git
  /// clears away in time if nothing names it.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git or a filter fails.
  /// - Complexity: O(*n*) in the number of bytes, and two runs of git.
  package func converted(
    _ bytes: [UInt8], toWorkTreeFileAt path: String
  ) async throws(CommandFailure) -> [UInt8] {
    let object = try await require(["hash-object", "-w", "--stdin"], input: bytes, writes: true)
    return try await require(["cat-file", "--filters", "--path=\(path)", object.text])
      .standardOutput
  }

  /// Whether git would stage a file of the work tree with these bytes as a content.
  ///
  /// The path starts at the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git or a filter fails.
  /// - Complexity: O(*n*) in the number of bytes, and two runs of git where they differ.
  package func stages(
    _ workTreeBytes: [UInt8], at path: String, as content: [UInt8]
  ) async throws(CommandFailure) -> Bool {
    if workTreeBytes == content { return true }
    let staged = try await require(
      ["hash-object", "--stdin", "--path=\(path)"], input: workTreeBytes)
    return try await require(["hash-object", "--stdin"], input: content).text == staged.text
  }

  /// The length of conflict markers in a file, whose path starts at the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func markerSize(ofFileAt path: String) async throws(CommandFailure) -> Int {
    let name = "conflict-marker-size"
    guard case .text(let text)? = try await attributes([name], of: [path])[0][name] else {
      return standardMarkerSize
    }
    return conflictMarkerSize(text)
  }
}

/// The length of conflict markers where nothing says another one.
package let standardMarkerSize = 7

/// The length of conflict markers for a value of git's attribute `conflict-marker-size`; the
/// default for a value that is not a valid length.
package func conflictMarkerSize(_ value: String) -> Int {
  Int(value).flatMap { (1...1000).contains($0) ? $0 : nil } ?? standardMarkerSize
}
