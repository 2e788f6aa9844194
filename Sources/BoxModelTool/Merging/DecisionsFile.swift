internal import BoxJSON
package import BoxMerge

/// A file that says which side each conflict takes; `Schemas/decisions.schema.json` describes it.
package enum DecisionsFile {
  /// Reads a file of decisions.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be read, and `badInput`
  ///   with the place if it is not valid.
  package static func read(_ path: String) throws(CommandFailure) -> [String: Resolution] {
    try parse(try SourceFile.read(path))
  }

  /// Parses the content of a file.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place of what is wrong.
  package static func parse(_ file: SourceFile) throws(CommandFailure) -> [String: Resolution] {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: file.bytes, options: .file)
    } catch {
      throw CommandFailure(.badInput, error.message, path: file.path, position: error.position)
    }
    func failure(_ message: String, _ node: JSONNode) -> CommandFailure {
      CommandFailure(
        .badInput, message, path: file.path,
        position: document.position(at: document.range(of: node).lowerBound))
    }
    let root = document.root
    guard document.kind(of: root) == .object,
      let decisions = document.value(forKey: "decisions", in: root),
      document.kind(of: decisions) == .object
    else {
      throw failure(
        #"this is not a file of decisions: {"schemaVersion":1,"decisions":{"ID":"ours"}}"#, root)
    }
    guard let version = document.value(forKey: "schemaVersion", in: root),
      document.text(of: version) == "1"
    else {
      throw failure("the schemaVersion of the file is not 1, the one that this version reads", root)
    }
    var choices: [String: Resolution] = [:]
    for member in document.members(of: decisions) {
      guard document.kind(of: member.value) == .string,
        let side = MergeSide(rawValue: document.key(member.value))
      else { throw failure("a decision is \"ours\" or \"theirs\"", member.value) }
      choices[document.key(member.key)] = Resolution(side)
    }
    return choices
  }
}
