import BoxJSON
public import BoxReport

extension ModelError {
  /// The error as a finding that printers take.
  ///
  /// - Parameters:
  ///   - path: The file as the user named it.
  ///   - bytes: The text that could not be read as a model.
  /// - Returns: A finding at the place of the error, with its source line.
  /// - Complexity: O(*n*) in the size of the text.
  public func finding(path: String, bytes: [UInt8]) -> Finding {
    Finding(
      rule: rule, message: message, advice: advice(for: path, bytes), path: path,
      region: SourceRegion(
        line: position.line, column: position.column, endLine: position.line,
        endColumn: position.column + 1),
      sourceLine: SourceLine(at: position, in: bytes))
  }

  /// The advice on what to do next, an imperative without a trailing period; nil if nothing can be done
  /// about the text alone.
  ///
  /// - Parameters:
  ///   - path: The argument that names the text: a path, `REF:PATH`, or `-`; nil if none does.
  ///   - bytes: The text.
  /// - Returns: The advice.
  package func advice(for path: String?, _ bytes: [UInt8]) -> String? {
    switch self {
    case .notAModel:
      return "name a model file: an object with \"entities\" and \"lastEntityId\""
    case .json(let error):
      switch error.code {
      case .conflictMarkers:
        guard let path else { return nil }
        guard Self.isFile(path) else { return "name a version without conflict markers" }
        return LFSPointer.isPointer(bytes)
          ? LFSPointer.advice(forConflictIn: path)
          : "finish the merge with `boxjoint resolve \(shellOperand(path))`"
      case .empty: return "restore the file from version control"
      case .unexpectedEnd: return "restore the rest of the file from version control"
      case .trailingText:
        return "keep one model in the file; several lines of JSON are a dump, and no model"
      case .byteOrderMark: return "save the file as UTF-8 without a byte order mark"
      case .unexpectedCharacter where LFSPointer.isPointer(bytes):
        return "fetch the file, of which this is a pointer of Git LFS, with `git lfs pull`"
      case .unexpectedCharacter where error.position == JSONPosition(line: 1, column: 1):
        return "name a model file, which is JSON"
      default: return "correct the file here, or restore it from version control"
      }
    }
  }

  /// Whether an argument names a file that can be written, and neither `REF:PATH` nor a stream.
  private static func isFile(_ argument: String) -> Bool {
    if argument == "-" || argument.hasPrefix("/dev/") { return false }
    let isPath = ["/", "./", "../"].contains { argument.hasPrefix($0) }
    return isPath || !argument.utf8.contains(UInt8(ascii: ":"))
  }

  /// Whether the text that is not read as a model is most likely meant to be one: it is not a whole
  /// JSON, and names the list of entities and one of the counters that every generator writes.
  ///
  /// Distinguishes a model file that has conflict markers or is cut off from any other file of that name.
  /// Generators write the counter of entities after the entities, so a cut file may have only the counter of
  /// an entity's properties.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  public func isAboutModel(_ bytes: [UInt8]) -> Bool {
    guard case .json = self else { return false }
    return Self.contains(bytes, "\"entities\"")
      && (Self.contains(bytes, "\"lastPropertyId\"") || Self.contains(bytes, "\"lastEntityId\""))
  }

  private static func contains(_ bytes: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    guard let first = word.first else { return true }
    var index = 0
    while let found = bytes[index...].firstIndex(of: first) {
      if bytes[found...].starts(with: word) { return true }
      index = found + 1
    }
    return false
  }
}
