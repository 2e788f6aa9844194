internal import BoxMerge
internal import BoxReport

extension BranchMergeItem {
  /// The text of a comment: what came of the merge, what to do next, the decisions and conflicts.
  ///
  /// - Complexity: O(*n*) in the number of decisions and conflicts.
  package var markdown: String {
    var blocks = ["**\(title.escapedForMarkdown)**: \(sentence.escapedForMarkdown)"]
    if let result {
      if outcome != .success { blocks.append(Self.fenced(commands(result))) }
      for model in result.models {
        blocks.append("**\(model.path.escapedForMarkdown)**")
        if let record = model.record {
          blocks.append(
            trimmed(record.markdown(ours: result.ours.name, theirs: result.theirs.name)))
        }
        if let reason = model.textReason {
          blocks.append("merged as text, since \(reason.escapedForMarkdown)")
        }
      }
      blocks += result.conflicts.map { conflict in
        "**\(conflict.path.escapedForMarkdown)**: conflict "
          + "(\(conflict.kind.escapedForMarkdown)): \(conflict.message.escapedForMarkdown)"
      }
      blocks += result.notes.map { "note: \($0.escapedForMarkdown)" }
    }
    return Self.shortened(blocks.joined(separator: "\n\n") + "\n")
  }

  /// The longest comment, in bytes: GitHub takes 65,536 characters.
  static let markdownLimit = 60_000

  /// A text without the lines at its end that a comment does not have room for.
  static func shortened(_ text: String, to limit: Int = markdownLimit) -> String {
    guard text.utf8.count > limit else { return text }
    var size = 0
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      size += line.utf8.count + 1
      if size > limit { break }
      lines.append(line)
    }
    // A block that was begun would take the last line into it.
    if lines.count(where: { $0 == "</details>" })
      < lines.count(where: { $0.hasPrefix("<details>") })
    {
      lines += ["", "</details>"]
    }
    return lines.joined(separator: "\n")
      + "\n\nThe rest is left out, since a comment is not longer.\n"
  }

  private func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.hasSuffix("\n") { text = text.dropLast() }
    return String(text)
  }

  /// Lines as a block of code, with a fence that is not in them.
  private static func fenced(_ lines: [String]) -> String {
    let shown = lines.map(\.escapedForDisplay)
    var longest = 2
    for line in shown {
      var run = 0
      for character in line {
        run = character == "`" ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    let fence = String(repeating: "`", count: longest + 1)
    return ([fence + "sh"] + shown + [fence]).joined(separator: "\n")
  }
}
