import BoxModel

/// Finds generated code among files and reads its evidence.
package enum CodeScan {
  /// A file of code.
  package struct File: Hashable, Sendable {
    /// The path, as the user knows it.
    package var path: String
    /// The content.
    package var bytes: [UInt8]

    /// Creates a file.
    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  /// The largest file of code that is read, in bytes.
  ///
  /// Its tokens take up to sixteen times as much memory.
  package static let maximumSize = 1 << 24

  /// Whether a file may hold a model, by the words that all shapes of its language have.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package static func isGenerated(_ file: File) -> Bool {
    guard let language = CodeLanguage(path: file.path), file.bytes.count <= maximumSize else {
      return false
    }
    return marks(of: language).contains { ByteSearch.contains(Array($0.utf8), in: file.bytes) }
      || language == .java && hasLongNumber(file.bytes)
  }

  /// Whether bytes have a number of ten digits or more: in minified code, only UIDs are left of a model.
  private static func hasLongNumber(_ bytes: [UInt8]) -> Bool {
    var count = 0
    for byte in bytes {
      count = CodeByte.isDigit(byte) ? count + 1 : 0
      if count == 10 { return true }
    }
    return false
  }

  /// The evidence of files, each of which ``isGenerated(_:)``.
  ///
  /// The files of a Go package are one source; every other file is one.
  ///
  /// - Complexity: O(*n*) in the size of the files.
  package static func evidence(in files: [File]) -> [Evidence] {
    var result = singleFiles(files)
    let packages = Dictionary(
      grouping: files.filter { CodeLanguage(path: $0.path) == .go }, by: { directory(of: $0.path) })
    for (directory, files) in packages.sorted(by: { $0.key < $1.key }) {
      let parts = files.sorted { $0.path < $1.path }
      let source = files.count == 1 ? files[0].path : directory
      let found = GoShape.evidence(
        in: parts.map { (path: $0.path, bytes: $0.bytes) }, source: source)
      if let found { result.append(refusingConflicts(in: parts, found)) }
    }
    return result
  }

  /// The evidence of files of which each is a source.
  private static func singleFiles(_ files: [File]) -> [Evidence] {
    files.flatMap { file in
      let found: [Evidence?] =
        switch CodeLanguage(path: file.path) {
        case .dart: [DartShape.evidence(in: file.bytes, source: file.path)]
        case .swift:
          [SwiftShape.evidence(in: file.bytes, source: file.path)]
            + EmbeddedModel.files(in: file.bytes).map { $0.evidence(source: file.path) }
        case .java: [JavaShape.evidence(in: file.bytes, source: file.path)]
        case .c: [CShape.evidence(in: file.bytes, source: file.path)]
        case .go, nil: []
        }
      return found.compactMap { $0.map { refusingConflicts(in: [file], $0) } }
    }
  }

  /// The evidence of files, with a problem if a merge left both of its sides in one of them.
  private static func refusingConflicts(in files: [File], _ evidence: Evidence) -> Evidence {
    for file in files {
      guard let line = conflictLine(file.bytes) else { continue }
      var refused = evidence
      refused.isComplete = false
      refused.problems.insert(
        EvidenceProblem(
          place: "\(file.path):\(line)",
          message: "a merge left both sides between conflict markers; name the code of one side"),
        at: 0)
      return refused
    }
    return evidence
  }

  /// The line of the first conflict marker of git; nil without one.
  private static func conflictLine(_ bytes: [UInt8]) -> Int? {
    let marks = ["<<<<<<< ", ">>>>>>> "].map { Array($0.utf8) }
    guard marks.contains(where: { ByteSearch.contains($0, in: bytes) }) else { return nil }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.firstIndex { line in marks.contains { line.starts(with: $0) } }.map { $0 + 1 }
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func marks(of language: CodeLanguage) -> [String] {
    switch language {
    case .dart: ["ModelEntity(", "ModelInfo"]
    case .swift: ["entityBuilder(for:", "StoreModel("]
    case .java: ["ModelBuilder", "0x"]
    case .go: ["objectbox.Model", "LastEntityId("]
    case .c: ["obx_model_"]
    }
  }
}
