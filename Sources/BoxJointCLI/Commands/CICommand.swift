internal import ArgumentParser
internal import BoxModelTool
internal import BoxTerminal

/// `boxjoint ci`: what jobs of CI run.
struct CICommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ci",
    abstract: "Merge branches and open requests, and comment on requests.",
    discussion: """
      These commands are the only ones that use the network, and only for the site and the \
      remote that they are called for.

      Examples:
        boxjoint ci merge feature --into main
        boxjoint ci merge --event "$GITHUB_EVENT_PATH"
        boxjoint ci comment plan.md --mark plan --event "$GITHUB_EVENT_PATH"
      """,
    subcommands: [CIMergeCommand.self, CICommentCommand.self])
}

/// The options that say where requests are.
struct SiteArguments: ParsableArguments {
  @Option(help: "The kind of the site; defaults to the CI job's.")
  var site: WordChoice<SiteKind>?

  @Option(
    help: ArgumentHelp(
      "The address of the site's API; defaults to the CI job's.", valueName: "url"))
  var api: String?

  @Option(
    help: ArgumentHelp(
      "The repository on the site, OWNER/NAME; defaults to the CI job's.",
      valueName: "name"))
  var repository: String?

  /// The settings.
  var settings: SiteSettings { SiteSettings(kind: site?.word, api: api, repository: repository) }
}
