internal import ArgumentParser
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxTool

/// `boxjoint show`: prints a model as a table.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a model as tables.",
    discussion: """
      In place of a path, pass REF:PATH to read from git, - for standard input, or store:DIR for \
      the model of a store. A revision alone means the only model file of the repository. \
      --textconv is for git diff: columns do not move if one element changes. With it, a file that \
      is not a model is printed as it is.

      Examples:
        boxjoint show objectbox-model.json
        boxjoint show HEAD~3
        boxjoint show HEAD~3:app/objectbox-models/default.json
        boxjoint show store:data/
        boxjoint show --format mermaid model.json > model.mmd

      Exit status:
        0   the model was printed
        65  the file is not a model, or only a part of it is readable
        74  the file cannot be read
      """)

  /// The formats of the command.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown, mermaid
  }

  @Argument(help: ArgumentHelp("The model file to show.", valueName: "file"))
  var file: String

  @Option(help: "The output format; mermaid is a diagram of the entities.")
  var format: Format = .text

  @Flag(help: "List every retired UID.")
  var all = false

  @Flag(help: "Print the text that git diff compares.")
  var textconv = false

  func validate() throws {
    if textconv && format != .text {
      throw ValidationError("--textconv prints text.")
    }
  }

  func run() async throws {
    // Git names files of its own choice, which may look like REF:PATH or be called -.
    if textconv {
      return try writeConverted(try SourceFile.read(file == "-" ? "./-" : file))
    }
    let source = try await NamedVersion.read(
      [try await NamedVersion(file, in: .console)], in: .console)[0]
    let document = try ModelDocument(of: source)
    try StandardOutput.write(rendered(document.model, path: source.path))
    if let failure = document.partialReading(path: source.path) { throw failure }
  }

  private func rendered(_ model: Model, path: String) -> String {
    switch format {
    case .text: model.text(all ? .complete : .aligned)
    case .json: model.json(path: path).displayText
    case .markdown: model.markdown()
    case .mermaid: model.mermaid()
    }
  }

  /// Writes the text that git compares and shows on a terminal; an incompletely readable file is
  /// written as its own text.
  private func writeConverted(_ source: SourceFile) throws(CommandFailure) {
    guard let document = try? ModelDocument(parsing: source.bytes), document.isComplete else {
      return try StandardOutput.write(source.bytes.shownAsText)
    }
    try StandardOutput.write(document.model.text(.stable))
  }
}

extension [UInt8] {
  /// The bytes as lines of text, with control characters and invalid UTF-8 written out.
  fileprivate var shownAsText: String {
    var result = ""
    for line in split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.startIndex > 0 { result += "\n" }
      result += line.shownInLine
    }
    return result
  }
}

extension ArraySlice<UInt8> {
  fileprivate var shownInLine: String {
    if let text = String(validating: self, as: UTF8.self) {
      return text.split(separator: "\t", omittingEmptySubsequences: false)
        .map(\.escapedForDisplay).joined(separator: "\t")
    }
    return map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
