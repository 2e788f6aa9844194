/// The output of `git merge-tree --write-tree -z`.
struct TreeMergeOutput: Hashable, Sendable {
  /// A message about some paths.
  struct Message: Hashable, Sendable {
    var paths: [String]
    /// The kind, such as `CONFLICT (contents)`.
    var kind: String
    /// The message for people.
    var text: String
  }

  /// The hash of the merged tree; with conflicts, files in it have markers.
  var tree: String
  /// Whether git left nothing open.
  var isClean: Bool
  /// The files that are open.
  var files: [UnmergedFile]
  var messages: [Message]

  /// Parses the output; nil if it is something else.
  init?(_ output: GitOutput) {
    isClean = output.status == 0
    var fields = output.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    guard let tree = fields.popFirst(), tree.utf8.count >= 40,
      tree.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.tree = tree
    // The records end at an empty field.
    let records = fields.prefix { !$0.isEmpty }
    files = UnmergedFile.files(in: records)
    messages = Self.messages(in: fields.dropFirst(records.count + 1))
  }

  /// The messages: the number of paths, the paths, the kind, the text.
  private static func messages(in fields: ArraySlice<String>) -> [Message] {
    var fields = fields
    var messages: [Message] = []
    while let count = fields.popFirst().flatMap({ Int($0) }), count >= 0,
      fields.count >= count + 2
    {
      let paths = Array(fields.prefix(count))
      fields = fields.dropFirst(count)
      let kind = fields.removeFirst()
      let text = fields.removeFirst()
      messages.append(
        Message(
          paths: paths, kind: kind, text: String(text.reversed().drop { $0.isNewline }.reversed())))
    }
    return messages
  }
}
