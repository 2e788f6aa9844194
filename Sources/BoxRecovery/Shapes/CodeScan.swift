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
  }

  /// The evidence of files, each of which ``isGenerated(_:)``.
  ///
  /// The files of a Go package are one source; every other file is one.
  ///
  /// - Complexity: O(*n*) in the size of the files.
  package static func evidence(in files: [File]) -> [Evidence] {
    var result: [Evidence] = []
    var packages: [String: [File]] = [:]
    for file in files {
      switch CodeLanguage(path: file.path) {
      case .dart:
        result += [DartShape.evidence(in: file.bytes, source: file.path)].compactMap(\.self)
      case .swift:
        result += [SwiftShape.evidence(in: file.bytes, source: file.path)].compactMap(\.self)
      case .java:
        result += [JavaShape.evidence(in: file.bytes, source: file.path)].compactMap(\.self)
      case .c: result += [CShape.evidence(in: file.bytes, source: file.path)].compactMap(\.self)
      case .go: packages[directory(of: file.path), default: []].append(file)
      case nil: continue
      }
    }
    for (directory, files) in packages.sorted(by: { $0.key < $1.key }) {
      let parts = files.sorted { $0.path < $1.path }.map { (path: $0.path, bytes: $0.bytes) }
      let source = files.count == 1 ? files[0].path : directory
      if let found = GoShape.evidence(in: parts, source: source) { result.append(found) }
    }
    return result
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func marks(of language: CodeLanguage) -> [String] {
    switch language {
    case .dart: ["ModelEntity(", "ModelInfo"]
    case .swift: ["entityBuilder(for:", "StoreModel("]
    case .java: ["ModelBuilder", "long", "L)"]
    case .go: ["objectbox.Model", "LastEntityId("]
    case .c: ["obx_model_"]
    }
  }
}
