internal import ArgumentParser
internal import BoxReport
internal import BoxStorage
internal import BoxTerminal
internal import BoxWorkspace

/// The command `boxjoint`.
@main
struct BoxJointCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "boxjoint",
    abstract: "Read, check and merge model files, the schema files of embedded object databases.",
    discussion: """
      Examples:
        boxjoint check             find problems in the repository's models
        boxjoint show model.json   show a model as tables
        boxjoint diff model.json   show what changed since the last commit
        boxjoint resolve           resolve the conflicts of the repository's models
        boxjoint merge             merge two versions of a model file
        boxjoint plan old new      show what a change of model does to databases
        boxjoint migrate           apply a change of model to a store
        boxjoint history           list the versions of a model in git
        boxjoint diagram           draw entities and relations
        boxjoint model infer films.json
                                   infer a model from existing JSON
        boxjoint new Notes         write a Swift package that stores objects
        boxjoint recover           find a lost model file
        boxjoint lock check        check whether a released version was edited
        boxjoint git install       let git merge the repository's models by UID
        boxjoint git status        show what is active for which file
        boxjoint ci merge          merge open requests where BoxJoint can
        boxjoint import --store data/ people.ndjson
                                   load a dump into a store
        boxjoint store info data/  list the contents of a store
        boxjoint export --store data/ --output people.ndjson
                                   write the data of a store as JSON
        boxjoint query data/ Person --where 'age > 30'
                                   list, count and group objects
        boxjoint shell data/       query and edit a store line by line
        boxjoint browse data/      look into a store in a web page
        boxjoint dump verify people.ndjson
                                   check the counts and the checksum of a dump
        boxjoint converters check  find problems in a catalogue of enums
        boxjoint config            print the settings, and where they come from
        boxjoint completions bash  print the completion script of a shell
        boxjoint --licenses        print the licences of what is linked

      Exit status:
        0   success
        1   findings, conflicts or differences
        2   the input is valid, but the command cannot be carried out
        64  wrong usage
        65  the input is invalid
        74  something cannot be read or written
        78  wrong configuration
      """,
    version: ToolInfo.boxjoint.version,
    subcommands: subcommands)

  /// Every subcommand, in the order of `--help`.
  private static let subcommands: [any ParsableCommand.Type] = [
    CheckCommand.self,
    ShowCommand.self,
    DiffCommand.self,
    PlanCommand.self,
    MigrateCommand.self,
    HistoryCommand.self,
    DiagramCommand.self,
    ModelCommand.self,
    NewCommand.self,
    RecoverCommand.self,
    LockCommand.self,
    MergeCommand.self,
    ResolveCommand.self,
    MergeDriverCommand.self,
    GitCommand.self,
    CICommand.self,
    ImportCommand.self,
    StoreCommand.self,
    ExportCommand.self,
    QueryCommand.self,
    ShellCommand.self,
    BrowseCommand.self,
    DumpCommand.self,
    ConvertersCommand.self,
    ConfigCommand.self,
    CompletionsCommand.self,
  ]

  static func main() {
    occupyStandardDescriptors()
    keepFreedMemory()
    Signals.prepare()
    var kind: (any ParsableCommand.Type)?
    do {
      try requireArguments()
      let arguments = Array(CommandLine.arguments.dropFirst())
      // Not a flag of the root, which each command would have to read, too.
      if arguments == ["--licenses"] {
        return try StandardOutput.write(LicenceNotices.ofThisProgram())
      }
      if let failure = UnknownCommand.failure(in: Self.self, arguments) { throw failure }
      var command = try parseMerge() ?? parseAsRoot()
      kind = type(of: command)
      try requireWorkingDirectory(for: command)
      if let command = command as? any SessionCommand {
        try command.run(in: nil)
      } else if let asynchronous = command as? any AsyncParsableCommand {
        // This thread waits for it, and uses it no more.
        nonisolated(unsafe) let given = asynchronous
        try CallerThreadExecutor().run {
          nonisolated(unsafe) var command = given
          try await command.run()
        }
      } else {
        try command.run()
      }
    } catch {
      endProgram(by: error, of: Self.self) {
        [$0.advised(for: kind).line] + ($0.excerpt ?? [])
      }
    }
  }

  /// The commands that git starts, and the one that is measured against git's own
  /// comparison, read without the other commands.
  ///
  /// Setting up the arguments of all of them takes a third of a merge. What cannot be read so, as
  /// `--help`, is read the usual way, which has the right words for it.
  private static func parseMerge() -> (any ParsableCommand)? {
    let arguments = CommandLine.arguments.dropFirst()
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "merge": return try? MergeCommand.parse(rest)
    case "merge-driver": return try? MergeDriverCommand.parse(rest)
    case "git" where rest.first == "hook":
      return try? GitHookCommand.parse(Array(rest.dropFirst()))
    case "plan" where rest.first.map { !$0.hasPrefix("-") && $0.contains(".") } ?? false:
      return try? PlanShowCommand.parse(rest)
    default: return nil
    }
  }
}
