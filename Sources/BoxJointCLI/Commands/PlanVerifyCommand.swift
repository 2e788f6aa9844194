internal import ArgumentParser
internal import BoxJSON
internal import BoxMigration
internal import BoxReport
internal import BoxStorage
internal import BoxSystem
internal import BoxTool

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
        65  a file is not a model
        74  something cannot be read or written
      """)

  @Argument(help: ArgumentHelp("The old version.", valueName: "old"))
  var old: String

  @Argument(help: ArgumentHelp("The new version.", valueName: "new"))
  var new: String

  @Option(
    help: ArgumentHelp("The number of objects of each entity, from 1 to 100.", valueName: "count"))
  var objects = 20

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func validate() throws {
    if !(1...100).contains(objects) { throw ValidationError("--objects is from 1 to 100.") }
  }

  func run() async throws {
    let verification = PlanVerification(
      from: try await MigrationFiles.model(old, in: .console),
      to: try await MigrationFiles.model(new, in: .console),
      objects: objects)
    let folder = try Self.temporaryFolder()
    let store = folder + "/store"
    defer {
      StoreFiles(store).remove()
      rmdir(folder)
    }
    let outcome = try onMigration(store: old, mapping: nil) {
      try verification.run(in: store)
    }
    let way =
      outcome.kind.map { "carried out as a \($0.rawValue) step" } ?? "refused"
      + (outcome.disagreements.isEmpty ? ", as planned" : "")
    var text = "\(way); \(counted(outcome.values, "value")) of "
    text += "\(counted(outcome.objects, "object")) compared"
    if let wentBack = outcome.wentBack {
      text += wentBack ? "; the old model opens the result" : "; the old model is refused"
    }
    if outcome.broughtBack > 0 {
      text += "; \(counted(outcome.broughtBack, "removed element")) brought back"
    }
    for disagreement in outcome.disagreements {
      StandardError.writeLine("boxjoint: \(disagreement)".escapedForDisplay)
    }
    try StandardOutput.write(format == .text ? text + "\n" : json(outcome).displayText)
    if !outcome.disagreements.isEmpty { throw ExitStatus.findings.exitCode }
  }

  private func json(_ outcome: PlanVerification.Outcome) -> JSONValue {
    [
      "schemaVersion": 1,
      "old": .string(old),
      "new": .string(new),
      "kind": outcome.kind.map { .string($0.rawValue) } ?? .null,
      "objects": .int(outcome.objects),
      "values": .int(outcome.values),
      "wentBack": outcome.wentBack.map { .bool($0) } ?? .null,
      "broughtBack": .int(outcome.broughtBack),
      "disagreements": .array(outcome.disagreements.map { .string($0) }),
    ]
  }

  private static func temporaryFolder() throws(CommandFailure) -> String {
    let parent = environmentValue("TMPDIR") ?? "/tmp"
    do throws(SystemError) {
      return try createTemporaryDirectory(prefix: parent + "/boxjoint-")
    } catch {
      throw CommandFailure(
        .inputOutput, "no folder can be made: \(error.reason)", path: parent)
    }
  }
}
