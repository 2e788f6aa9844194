internal import ArgumentParser
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint migrate test`: tests the migrations from every released version.
struct MigrateTestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Migrate stores of released versions to a model, and compare their data.",
    discussion: """
      Makes a store of the model of each tag in a temporary directory, migrates it to MODEL as an \
      app would, and compares every value and link. If the change is light, the model of the tag \
      opens the result again where the plan says so. Your own stores are not touched.

      A store has the objects of the fixtures that belong to the tag: dumps that have its name, \
      such as v1.2.ndjson, or its model. A tag without a fixture gets generated objects. All \
      models and fixtures are checked before the first migration. Entities that a mapping names \
      are not compared.

      Steps that lose data need an approval in HEAD, as for 'boxjoint plan'.

      Examples:
        boxjoint migrate test --tags 'v*'
        boxjoint migrate test model.json --tags 'v2.*' --fixtures Tests/stores
        boxjoint migrate test --fixtures v1.ndjson --format junit

      Exit status:
        0   every migration is as planned, and loses nothing without an approval
        1   a migration differs from the plan, whatever else is wrong
        2   a store is refused or loses data without an approval, or there is no
            repository
        64  wrong usage, or no tag matches
        65  a model, a mapping or a fixture is invalid or damaged
        74  something cannot be read or written
        78  wrong configuration
      """)

  @Argument(
    help: ArgumentHelp(
      "The model to migrate to; defaults to the only one of the repository.", valueName: "model"),
    transform: namedPath)
  var model: String?

  @Option(help: ArgumentHelp("The tags, such as 'v*'; defaults to all.", valueName: "pattern"))
  var tags = "*"

  @Option(
    help: ArgumentHelp("A dump, or a directory of dumps. Repeatable.", valueName: "path"),
    transform: namedPath)
  var fixtures: [String] = []

  @OptionGroup var steps: MigrationStepArguments

  @Option(
    help: ArgumentHelp(
      "The number of generated objects of each entity, from 1 to 100.", valueName: "count"))
  var objects = 20

  @Option(help: "The output format.")
  var format = WordChoice(MigrationTestFormat.text)

  @Option(help: "How to show progress on standard error.")
  var progress: ProgressChoice = .auto

  func validate() throws {
    if tags.isEmpty { throw ValidationError("--tags must not be empty; '*' is for all.") }
    if !(1...100).contains(objects) { throw ValidationError("--objects must be from 1 to 100.") }
  }

  func run() async throws {
    var request = MigrationTestRequest()
    request.model = model
    request.tags = tags
    request.fixtures = fixtures
    request.intermediate = steps.via
    request.mapping = steps.mapping
    request.objects = objects
    let report = try await request.run(in: Workspace(observer: Progress(progress)))
    try StandardOutput.write(report.text(as: format.word), isCommands: format.word == .github)
    try report.outcome.endCommand()
  }
}
