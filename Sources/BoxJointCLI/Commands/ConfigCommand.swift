internal import ArgumentParser
internal import BoxJSON
internal import BoxReport

/// `boxjoint config`: prints the settings in force.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Prints the settings in force and where each value comes from.",
    discussion: """
      An option is stronger than the environment (BOXJOINT_PUBLISHED, BOXJOINT_FILES, \
      BOXJOINT_MERGE_HISTORY_LIMIT, BOXJOINT_CHECK_IGNORE, BOXJOINT_PLAN_FAIL_ON, BOXJOINT_PLAN_IGNORE, BOXJOINT_PLAN_SEVERITY: \
      words with spaces between them), that than the file .boxjoint.yml, that than git's \
      configuration (boxjoint.published, boxjoint.files, boxjoint.mergeHistoryLimit, \
      boxjoint.checkIgnore, boxjoint.planFailOn, boxjoint.planIgnore, boxjoint.planSeverity), that than the default. The file is the nearest one up to the top of the repository, or the \
      one that --config or BOXJOINT_CONFIG names:

        published:            # whose ids win: refs and patterns of tags, in order
          - refs/remotes/origin/main
          - v*
        files:                # model files, by the rules of .gitattributes
          - model-*.json
        merge:
          history-limit: 200  # versions of a side that a merge reads; 0 for none
        check:
          ignore: [BOX105]    # rules that 'check' leaves out
        plan:
          fail-on: [data-loss]      # classes of changes that 'plan' stops at
          ignore: [BOX311:Log]      # changes that it leaves out
          severity: [BOX312=error]  # severities in place of its own
        converters: enums.yml # the catalogue or its file; else converters.yml

      Example:
        boxjoint config --format json
      """)

  @OptionGroup var arguments: ConfigurationArguments

  @Option(help: "How to print.")
  var format: TextOrJSON = .text

  func run() async throws {
    let git = GitClient()
    // The settings can be read where there is no git, too.
    let hasGit = (try? await git.version()) != nil
    let configuration = try await EffectiveConfiguration.load(
      arguments.options(), git: hasGit ? git : nil)
    var published: PublishedReferences?
    if hasGit, try await git.repository() != nil {
      published = try await PublishedReferences.resolve(configuration[.published], git: git)
    }
    var converters: String?
    if arguments.isFile {
      converters = try CatalogueFile.path(configuration: arguments.configurationPath)
    }
    let report = ConfigurationReport(
      configuration: configuration, published: published, converters: converters)
    try StandardOutput.write(format == .json ? report.json.displayText : report.text)
  }
}
