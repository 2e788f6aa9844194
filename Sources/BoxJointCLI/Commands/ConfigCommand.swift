internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint config`: prints the settings in force.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the settings in force, and where each value comes from.",
    discussion: """
      If a setting has values in several places, the first of these wins:

        1. an option on the command line
        2. an environment variable, with spaces between its words:
           BOXJOINT_PUBLISHED, BOXJOINT_FILES, BOXJOINT_MERGE_HISTORY_LIMIT,
           BOXJOINT_CHECK_IGNORE, BOXJOINT_PLAN_FAIL_ON, BOXJOINT_PLAN_IGNORE,
           BOXJOINT_PLAN_SEVERITY
        3. the file .boxjoint.yml
        4. git's configuration: boxjoint.published, boxjoint.files,
           boxjoint.mergeHistoryLimit, boxjoint.checkIgnore, boxjoint.planFailOn,
           boxjoint.planIgnore, boxjoint.planSeverity
        5. the default

      The file is the nearest .boxjoint.yml, from the working directory up to the top of the \
      repository. --config or BOXJOINT_CONFIG names another file. An example:

        published:            # refs and tag patterns whose ids win, in order
          - refs/remotes/origin/main
          - v*
        files:                # model files, with patterns as in .gitattributes
          - model-*.json
        merge:
          history-limit: 200  # versions of a side that a merge reads; 0 for none
        check:
          ignore: [BOX105]    # rules that 'check' skips
        plan:
          fail-on: [data-loss]      # classes that block a change
          ignore: [BOX311:Log]      # changes that 'plan' skips
          severity: [BOX312=error]  # severities that replace the default ones
        converters: enums.yml # the catalogue or its file; default: converters.yml

      Example:
        boxjoint config --format json

      Exit status:
        0   printed
        64  wrong usage
        74  something cannot be read
        78  wrong configuration
      """)

  @OptionGroup var arguments: ConfigurationArguments

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  func run() async throws {
    let report = try await ConfigurationReport.read(arguments.options(), in: .console)
    try StandardOutput.write(format == .json ? report.json.displayText : report.text)
  }
}
