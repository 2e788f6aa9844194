internal import ArgumentParser
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint plan verify`: shows on a store with generated data that the plan is right.
struct PlanVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Apply a change of model to generated data, and compare the result with the plan.",
    discussion: """
      Creates a store of OLD in a temporary directory, fills every entity and relation, migrates \
      the store to NEW, and compares every value. If the change is light, OLD opens the result \
      again. Elements that NEW lacks are brought back, to see whether their data is kept or lost \
      as the plan says. Your own stores are not touched.

      Examples:
        boxjoint plan verify old.json new.json
        boxjoint plan verify old.json new.json --objects 100

      Exit status:
        0   the result is what the plan says
        1   the result differs from the plan
        2   the store cannot be opened now
        64  wrong usage
        65  a file is not a model
        74  something cannot be read or written
      """)

  @Argument(help: ArgumentHelp("The old version.", valueName: "old"), transform: namedPath)
  var old: String

  @Argument(help: ArgumentHelp("The new version.", valueName: "new"), transform: namedPath)
  var new: String

  @Option(
    help: ArgumentHelp("The number of objects of each entity, from 1 to 100.", valueName: "count"))
  var objects = 20

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func validate() throws {
    if !(1...100).contains(objects) { throw ValidationError("--objects must be from 1 to 100.") }
  }

  func run() async throws {
    var request = VerificationRequest(from: old, to: new)
    request.objects = objects
    let report = try await request.run(in: .console)
    for disagreement in report.disagreements {
      StandardError.writeLine("boxjoint: \(disagreement)")
    }
    try StandardOutput.write(format == .text ? report.text : report.json.displayText)
    try endCommand(ifFindings: !report.disagreements.isEmpty)
  }
}
