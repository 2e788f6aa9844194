/// A file with an unfinished merge.
package struct UnmergedFile: Hashable, Sendable {
  /// One side of it.
  package struct Stage: Hashable, Sendable {
    /// The mode in octal, such as `100644`, or `120000` for a symbolic link.
    package var mode: String
    /// The hash of the content.
    package var blob: String
  }

  /// The path from the top of the repository.
  package var path: String
  /// Stage 1; nil where both sides added the file.
  package var base: Stage?
  /// Stage 2; nil where this side removed the file.
  package var ours: Stage?
  /// Stage 3; nil where this side removed the file.
  package var theirs: Stage?

  /// The files of records such as `100644 0123… 2` and the path after a tab, in their order.
  package static func files(in records: some Sequence<String>) -> [UnmergedFile] {
    var files: [UnmergedFile] = []
    for record in records {
      // Byte by byte: a mark at the start of a name makes one character of the tab and itself.
      guard let tab = record.utf8.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      let words = record[..<tab].split(separator: " ")
      guard words.count == 3 else { continue }
      let path = String(decoding: record.utf8[tab...].dropFirst(), as: UTF8.self)
      if files.last?.path != path { files.append(UnmergedFile(path: path)) }
      let stage = Stage(mode: String(words[0]), blob: String(words[1]))
      switch words[2] {
      case "1": files[files.count - 1].base = stage
      case "2": files[files.count - 1].ours = stage
      default: files[files.count - 1].theirs = stage
      }
    }
    return files
  }
}

/// The value of a git attribute for a file.
package enum GitAttributeValue: Hashable, Sendable {
  case unspecified
  case set
  case unset
  case text(String)

  package init(_ value: String) {
    switch value {
    case "unspecified": self = .unspecified
    case "set": self = .set
    case "unset": self = .unset
    default: self = .text(value)
    }
  }
}

extension GitClient {
  /// The files of the repository with an unfinished merge, in the order of the index.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func unmergedFiles() async throws(CommandFailure) -> [UnmergedFile] {
    let output = try await require(["ls-files", "--unmerged", "-z", "--full-name", "--", ":/"])
    return UnmergedFile.files(in: output.fields)
  }

  /// The files in the index that match any of the patterns, or all without a pattern, as paths
  /// from the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func trackedFiles(matching patterns: [FilePattern]? = nil) async throws(CommandFailure)
    -> [String]
  {
    if let patterns, patterns.isEmpty { return [] }
    let output = try await require(["ls-files", "-z", "--full-name", "--", ":/"])
    // A file with an unfinished merge is listed once for each of its stages.
    var seen: Set<String> = []
    return (patterns?.matching(output.fields) ?? output.fields).filter { seen.insert($0).inserted }
  }

  /// The files in the index that a sparse checkout leaves out of the work tree and that match any of the
  /// patterns, as paths from the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func filesLeftOut(matching patterns: [FilePattern]) async throws(CommandFailure)
    -> [String]
  {
    if patterns.isEmpty { return [] }
    let output = try await require(["ls-files", "-t", "-z", "--full-name", "--", ":/"])
    return patterns.matching(
      output.fields.filter { $0.hasPrefix("S ") }.map { String($0.dropFirst(2)) })
  }

  /// The attributes of files, whose paths start at the top of the repository.
  ///
  /// - Returns: A dictionary from attribute to value for each path, in the order of the paths.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func attributes(
    _ names: [String], of paths: [String]
  ) async throws(CommandFailure) -> [[String: GitAttributeValue]] {
    if paths.isEmpty || names.isEmpty { return paths.map { _ in [:] } }
    let input = paths.map { $0 + "\0" }.joined()
    let fields = try await require(
      ["check-attr", "--stdin", "-z"] + names, input: Array(input.utf8)
    ).fields
    guard fields.count == paths.count * names.count * 3 else {
      throw CommandFailure(.inputOutput, "git check-attr: unexpected output")
    }
    return paths.indices.map { file in
      var values: [String: GitAttributeValue] = [:]
      for attribute in names.indices {
        let start = (file * names.count + attribute) * 3
        values[fields[start + 1]] = GitAttributeValue(fields[start + 2])
      }
      return values
    }
  }
}

extension GitOutput {
  /// The parts of standard output that end with a NUL.
  fileprivate var fields: [String] {
    standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
