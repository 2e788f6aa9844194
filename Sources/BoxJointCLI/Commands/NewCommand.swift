internal import ArgumentParser
internal import BoxModelTool
internal import BoxTerminal

/// `boxjoint new`: writes a package that stores objects.
struct NewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a Swift package that stores objects, in a new directory.",
    discussion: """
      The package has a program with two entities and a relation, their model file and bindings, a \
      test, and what git and GitHub need to merge, check and plan the model file. docs/tutorial.md \
      starts with it.

      Without --path, Package.swift has a placeholder for the address of BoxJoint; write yours in \
      its place.

      Examples:
        boxjoint new Notes
        boxjoint new Notes --path ../BoxJoint

      Exit status:
        0   the package was written
        64  the name cannot be used, or --path is not the directory of BoxJoint
        74  something cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp(
      "The name of the package, its directory and its target.", valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "Depend on BoxJoint in a directory, not at an address.", valueName: "dir"),
    transform: namedPath)
  var path: String?

  func run() async throws {
    var request = NewPackageRequest(name)
    request.library = path
    let output = try ChangeOutput()
    let report = try await request.run(in: .console)
    try output.report("the package is written") { () throws(CommandFailure) in
      try StandardOutput.write(report.text)
    }
  }
}
