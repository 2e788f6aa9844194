internal import ArgumentParser
internal import BoxMerge
internal import BoxReport

/// `boxjoint merge`: merges files.
struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges two versions of a model file by UID.",
    discussion: """
      The result goes to standard output and the report to standard error, or with --output the \
      result to that file and the report to standard output. The report of a merge that is refused \
      goes to standard error, unless it is JSON. In place of a path, REF:PATH reads \
      from git and - from standard input. Where --ours and --theirs are files of revisions and both \
      changed a field, their earlier versions since the merge base are read: a value that replaced the \
      one of the other side is the newer one.

      Examples:
        boxjoint merge --base base.json --ours a.json --theirs b.json -o merged.json
        boxjoint merge --base main~3:model.json --ours model.json \\
          --theirs feature:model.json --format json \\
          --published refs/remotes/origin/main

      Exit status: 0 all is merged; 1 conflicts are open, with git's markers around them in the \
      result; 2 the files cannot be merged, because one of them was generated anew; 64 wrong usage, \
      also an output that is --theirs or --base; 65 a side is no model; 74 something could not be read or written.
      """)

  @Option(help: ArgumentHelp("The version whose file is written.", valueName: "file"))
  var ours: String

  @Option(help: ArgumentHelp("The other version.", valueName: "file"))
  var theirs: String

  @Option(help: ArgumentHelp("The version that both come from.", valueName: "file"))
  var base: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where the result goes; standard output without it, or for -.", valueName: "file"))
  var outputPath: String?

  private var output: String? {
    outputPath.flatMap { DescriptorPath.isStandardOutput($0) ? nil : $0 }
  }

  @Option(
    help: ArgumentHelp(
      "What keeps its ids: a model file, or a ref that has the file of --ours. Repeatable.",
      valueName: "file-or-ref"))
  var published: [String] = []

  @OptionGroup var choices: ConflictChoiceArguments

  @Option(
    name: [.long, .customLong("take")], help: "The side that wins every conflict.")
  var favor: SideArgument?

  @Flag(help: "Match a side that was generated anew by name and type onto the UIDs from before.")
  var rematch = false

  @Option(help: "The form of the report.")
  var format: TextOrJSON = .text

  @Option(help: "The style of conflict markers.")
  var markerStyle: ConflictStyleArgument = .merge

  @Option(help: ArgumentHelp("The length of conflict markers.", valueName: "number"))
  var markerSize = standardMarkerSize

  func validate() throws {
    guard (1...1000).contains(markerSize) else {
      throw ValidationError("--marker-size is a number from 1 to 1000.")
    }
    if [ours, theirs, base].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Only one of the files can be standard input.")
    }
  }

  func run() async throws {
    // As with git merge-file, the result may take the place of ours.
    try requireOutputs(
      output.map { [$0] } ?? [],
      notAmong: [theirs] + published + [base, choices.decisions].compactMap { $0 })
    var merge = FileMerge(
      base: base.map { SourceReference($0) }, ours: SourceReference(ours),
      theirs: SourceReference(theirs), published: published, choices: try choices.read(),
      favor: favor?.side, rematches: rematch, style: markerStyle.style, markerSize: markerSize)
    if case .revision = merge.ours, case .revision = merge.theirs {
      merge.historyLimit = try await EffectiveConfiguration.load().historyLimit
    }
    var outcome = try await merge.run()
    if let bytes = outcome.bytes {
      if let output {
        try AtomicFile.write(bytes, to: output)
        outcome.record.result = output
      } else {
        try StandardOutput.writeModel(bytes)
      }
    }
    let report =
      format == .json
      ? outcome.record.json(tool: ToolInfo(version: BoxJointCommand.version))
      : outcome.record.text()
    // A merge that is refused has nothing to put on standard output but the report for programs.
    let isMessage = output == nil || outcome.record.reason != nil && format == .text
    if isMessage {
      StandardError.writeText(report)
    } else {
      try StandardOutput.write(report)
    }
    if outcome.status == .success { return }
    if let reason = outcome.record.reason, !isMessage {
      StandardError.writeLine("boxjoint: \(reason.message.escapedForDisplay)")
    }
    throw outcome.status.exitCode
  }
}
