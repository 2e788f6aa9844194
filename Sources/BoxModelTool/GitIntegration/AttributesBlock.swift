/// The lines of the tool in a file of attributes, between two marks.
///
/// The block is inserted, replaced and removed as a whole, and every other byte of the file stays:
/// removing an inserted block restores the file. The block is at the end, since the last line that
/// matches decides.
struct AttributesBlock: Hashable, Sendable {
  var patterns: [FilePattern]

  private static let opening = "# >>> boxjoint"
  private static let closing = "# <<< boxjoint"
  /// Marks a block whose file had no line ending at its end before.
  private static let endedWithoutNewline = " (added the line ending above)"
  /// Marks a block whose file did not exist before.
  private static let createdFile = " (created this file)"

  /// The lines of the block without its marks: the model files, and the files that are merged by key.
  var lines: [String] {
    patterns.map { $0.attributePattern + Self.attributes }
      + KeyedFile.filePatterns.map { pattern in
        pattern.attributePattern + Self.mergeAttribute
          + (pattern.isForRules ? Self.withoutDiff : "")
      }
  }

  private static let mergeAttribute = " merge=\(DriverLines.name)"
  /// Takes back what the patterns of model files give to files of rules, whose names they match.
  private static let withoutDiff = " !diff"
  private static let attributes = mergeAttribute + " diff=\(DriverLines.name)"

  /// The file with the block in it, where `content` is the file, or nil if it does not exist.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  func installed(in content: [UInt8]?) -> [UInt8] {
    let bytes = content ?? []
    let newline: [UInt8] = Self.usesCRLF(bytes) ? [0x0D, 0x0A] : [0x0A]
    var note = content == nil ? Self.createdFile : ""
    var before = bytes
    var after: [UInt8] = []
    if let found = Self.find(in: bytes) {
      before = Array(bytes[..<found.range.lowerBound])
      after = Array(bytes[found.range.upperBound...])
      note = found.note
    } else if let last = bytes.last, last != 0x0A {
      before += newline
      note = Self.endedWithoutNewline
    }
    var result = before
    for line in [Self.opening + note] + lines + [Self.closing] {
      result += Array(line.utf8) + newline
    }
    return result + after
  }

  /// The file without the block, or nil if the file is to be removed because the block made it.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  static func removed(from bytes: [UInt8]) -> [UInt8]? {
    guard let found = find(in: bytes) else { return bytes }
    var before = Array(bytes[..<found.range.lowerBound])
    let after = bytes[found.range.upperBound...]
    // Text that was added below the block needs the line ending above it.
    if found.note == endedWithoutNewline, after.isEmpty, before.last == 0x0A {
      before.removeLast()
      if before.last == 0x0D { before.removeLast() }
    }
    let rest = before + after
    return rest.isEmpty && found.note == createdFile ? nil : rest
  }

  /// Whether a file has a block.
  static func isInstalled(in bytes: [UInt8]) -> Bool { find(in: bytes) != nil }

  /// Whether the block of a file is this one.
  func isCurrent(in bytes: [UInt8]) -> Bool {
    Self.isInstalled(in: bytes) && installed(in: bytes) == bytes
  }

  /// Finds the block.
  ///
  /// Without its closing mark, it is its opening mark and the lines right below that name the
  /// driver.
  private static func find(in bytes: [UInt8]) -> (range: Range<Int>, note: String)? {
    var start: Int?
    var end = 0
    var note = ""
    for (range, text) in lines(of: bytes) {
      if start == nil {
        guard text.hasPrefix(opening) else { continue }
        note = String(text.dropFirst(opening.count))
        guard ["", endedWithoutNewline, createdFile].contains(note) else { continue }
        start = range.lowerBound
        end = range.upperBound
      } else if let start, text.hasPrefix(closing) {
        return (start..<range.upperBound, note)
      } else if [attributes, mergeAttribute, mergeAttribute + withoutDiff]
        .contains(where: text.hasSuffix)
      {
        end = range.upperBound
      } else {
        break
      }
    }
    return start.map { ($0..<end, note) }
  }

  /// The ranges of the lines, endings included, and their texts without endings.
  private static func lines(of bytes: [UInt8]) -> [(range: Range<Int>, text: String)] {
    var result: [(range: Range<Int>, text: String)] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      var text = bytes[start..<end]
      while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
      result.append((start..<end, String(decoding: text, as: UTF8.self)))
      start = end
    }
    return result
  }

  /// Whether more lines end with CRLF than with LF alone.
  private static func usesCRLF(_ bytes: [UInt8]) -> Bool {
    var crlf = 0
    var lf = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      if index > 0 && bytes[index - 1] == 0x0D { crlf += 1 } else { lf += 1 }
    }
    return crlf > lf
  }
}
