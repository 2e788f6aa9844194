internal import ArgumentParser
internal import BoxModelTool
internal import BoxRecovery
internal import BoxReport
internal import BoxTerminal

/// `boxjoint recover`: gives a lost model file back.
struct RecoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Find a lost model file in git, copies, stores and generated code.",
    discussion: """
      Searches the work tree, or the named places, for everything that holds a part of the model: \
      model files and their .bak copies, generated code in Dart, Swift, Java, Go and C, and every \
      object of git, including reflogs, stashes and objects that nothing refers to any more. Name \
      decompiled applications, BoxJoint stores (store:DIR), dumps, and versions in git (REF:PATH).

      If a whole file agrees with the code, it comes back byte for byte. Otherwise the newest file \
      is completed with the code, or the model is rebuilt from the code alone; the report says what \
      no source holds. Without --output nothing is written.

      --fact takes a pair that you know, such as from the error message of a database. It replaces \
      the pair of every other source.

      Examples:
        boxjoint recover
        boxjoint recover --output lib/objectbox-model.json
        boxjoint recover --skip git decompiled/MyObjectBox.java --output default.json
        boxjoint recover --fact 'Order.name=2:7654321098765432' --output model.json

      Exit status:
        0   the file was found, completed or rebuilt
        1   nothing was found, sources disagree, or the result is not complete
        2   several models are left, or the output exists
        64  wrong usage
        65  a named source is not one
        74  something cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp(
      "Directories, files, store:DIR or REF:PATH to search; defaults to the work tree.",
      valueName: "path"), transform: namedPath)
  var paths: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the recovered file here; - for standard output.", valueName: "path"),
    transform: namedPath)
  var output: String?

  @Flag(help: "Replace the file that --output names.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Search only this kind of source (\(RecoverCommand.kinds)). Repeatable.", valueName: "kind"))
  var only: [WordChoice<SourceKind>] = []

  @Option(
    help: ArgumentHelp("Do not search this kind of source. Repeatable.", valueName: "kind"))
  var skip: [WordChoice<SourceKind>] = []

  @Option(
    help: ArgumentHelp(
      "A pair that is known, as ENTITY=ID:UID or ENTITY.PROPERTY=ID:UID. Repeatable.",
      valueName: "fact"))
  var fact: [String] = []

  @Flag(help: "List the sources and all versions, too.")
  var explain = false

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  private static let kinds = SourceKind.allCases.map(\.rawValue).joined(separator: ", ")

  func validate() throws {
    if output == "-", format == .json {
      throw ValidationError("--format json contains the file; name a file as --output.")
    }
    if force, output == nil { throw ValidationError("--force needs --output.") }
  }

  func run() async throws {
    var request = RecoveryRequest(paths)
    request.output = output
    request.replacesOutput = force
    request.facts = fact
    if !only.isEmpty { request.kinds = Set(only.map(\.word)) }
    request.kinds.subtract(skip.map(\.word))
    let standardOutput = try ChangeOutput(isChange: output != nil && output != "-")
    let report = try await request.run(in: .console)
    let text = format == .json ? report.json.displayText : report.text(explains: explain)
    if output == "-" {
      StandardError.write(text)
      if let bytes = report.bytes, report.isSuccess {
        try StandardOutput.write(bytes, isData: true)
      }
    } else {
      try standardOutput.report("the model is written") { () throws(CommandFailure) in
        try StandardOutput.write(text)
      }
    }
    try report.outcome.endCommand()
  }
}
