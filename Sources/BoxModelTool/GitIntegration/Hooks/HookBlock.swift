internal import BoxReport

/// The lines of the tool in the script of a hook, between two marks.
///
/// The block follows the first line, because a script may end before its last line. It changes
/// neither the arguments nor the standard input nor the status of the lines below. It is the same for
/// every repository, and contains the program alone.
struct HookBlock: Hashable, Sendable {
  var hook: GitHook
  /// The program: a name that the shell looks up, or an absolute path.
  var program: String

  private static let opening = "# >>> boxjoint"
  private static let closing = "# <<< boxjoint"
  /// Marks a block whose file had no line ending after its first line before.
  private static let endedWithoutNewline = " (added the line ending above)"
  /// Marks a block whose file did not exist before.
  private static let createdFile = " (created this file)"
  private static let shebang = "#!/bin/sh\n"

  private static let lookupStart = "command -v "
  private static let lookupEnd = " >/dev/null 2>&1; then"

  /// The lines between the marks.
  var text: String {
    let word = scriptQuoted(program)
    let isThere = Self.lookupStart + word + Self.lookupEnd
    let call = "\(word) git hook \(hook.rawValue) \"$@\""
    switch hook {
    case .postMerge:
      return """
        if \(isThere)
          \(call) </dev/null || :
        fi

        """
    case .postCommit:
      // Of other commits, only the message is read.
      return """
        if git cat-file commit HEAD 2>/dev/null | grep -q '^This reverts commit ' &&
          \(isThere)
          \(call) </dev/null || :
        fi

        """
    case .prePush:
      // Standard input has a line for each ref, which the lines below may want to read too. Only status
      // 1 is a result of the check: a program that cannot run stops no push.
      return """
        if \(isThere)
          boxjoint_refs=$(cat)
          printf '%s\\n' "$boxjoint_refs" | \(call) || [ $? -ne 1 ] || exit 1
          if [ -n "$boxjoint_refs" ]; then
            exec <<BOXJOINT_REFS
        $boxjoint_refs
        BOXJOINT_REFS
          else
            exec </dev/null
          fi
          unset boxjoint_refs
        fi

        """
    }
  }

  /// The script with the block in it.
  ///
  /// - Parameter content: The script, which begins with the line of its interpreter; nil if it does not
  ///   exist.
  /// - Returns: The script.
  /// - Complexity: O(*n*) in the size of the script.
  func installed(in content: [UInt8]?) -> [UInt8] {
    func block(_ note: String) -> [UInt8] {
      Array("\(Self.opening)\(note)\n\(text)\(Self.closing)\n".utf8)
    }
    guard let content else { return Array(Self.shebang.utf8) + block(Self.createdFile) }
    if let found = Self.find(in: content) {
      return content[..<found.range.lowerBound] + block(found.note)
        + content[found.range.upperBound...]
    }
    guard let end = content.firstIndex(of: 0x0A) else {
      return content + [0x0A] + block(Self.endedWithoutNewline)
    }
    return content[...end] + block("") + content[content.index(after: end)...]
  }

  /// The script without the block, or nil if the file is to be removed because the block made it.
  ///
  /// - Complexity: O(*n*) in the size of the script.
  static func removed(from content: [UInt8]) -> [UInt8]? {
    guard let found = find(in: content) else { return content }
    var before = Array(content[..<found.range.lowerBound])
    let after = content[found.range.upperBound...]
    if found.note == endedWithoutNewline, after.isEmpty, before.last == 0x0A { before.removeLast() }
    let rest = before + after
    return found.note == createdFile && rest == Array(shebang.utf8) ? nil : rest
  }

  /// Whether a script has a block, of this version or another.
  static func isInstalled(in content: [UInt8]) -> Bool { find(in: content) != nil }

  /// The program that the block of a script starts; nil if the block is not as this version writes it.
  static func program(of hook: GitHook, in content: [UInt8]) -> String? {
    guard let found = find(in: content) else { return nil }
    let text = String(decoding: content[found.range], as: UTF8.self)
    guard let start = text.firstPlace(of: lookupStart),
      let end = text[start.upperBound...].firstPlace(of: lookupEnd),
      let program = shellUnquoted(String(text[start.upperBound..<end.lowerBound])),
      HookBlock(hook: hook, program: program).installed(in: content) == content
    else { return nil }
    return program
  }

  /// Finds the block; one without its closing mark was edited, and is not found.
  private static func find(in content: [UInt8]) -> (range: Range<Int>, note: String)? {
    var start: (offset: Int, note: String)?
    var offset = 0
    while offset < content.count {
      let end = content[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? content.count
      let line = String(decoding: content[offset..<end], as: UTF8.self)
      if let start, line == closing + "\n" || line == closing {
        return (start.offset..<end, start.note)
      }
      if start == nil, line.hasPrefix(opening), line.hasSuffix("\n") {
        let note = String(line.dropFirst(opening.count).dropLast())
        if ["", endedWithoutNewline, createdFile].contains(note) { start = (offset, note) }
      }
      offset = end
    }
    return nil
  }
}
