internal import ArgumentParser
internal import BoxMerge
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint merge`: merges files, or says what a merge of branches would give.
struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two versions of a model file by UID, or try a merge of branches.",
    discussion: """
      With a branch, merge says what 'git merge' of the branch would give with the driver: whether \
      it would go through, what would be decided, and what would be open. Nothing is changed.

      The result goes to standard output and the report to standard error. With --output, the \
      result goes to that file and the report to standard output. The report of a refused merge \
      goes to standard error, unless it is JSON. In place of a path, pass REF:PATH to read from \
      git, or - for standard input.

      If --ours and --theirs are both REF:PATH and both changed a field, merge reads their \
      versions since the merge base. A value that replaced the value of the other side is the \
      newer one.

      Examples:
        boxjoint merge feature
        boxjoint merge refs/remotes/origin/feature --into refs/remotes/origin/main
        boxjoint merge --base base.json --ours a.json --theirs b.json -o merged.json
        boxjoint merge --base main~3:model.json --ours model.json \\
          --theirs feature:model.json --format json \\
          --published refs/remotes/origin/main

      Exit status:
        0   everything is merged, or would be
        1   conflicts remain, between git's markers in the result
        2   the files cannot be merged, because one was generated from scratch
        64  wrong usage, including an output that is also --theirs or --base
        65  a side is not a model
        74  something cannot be read or written
        78  wrong configuration
      """)

  @Argument(
    help: ArgumentHelp("A branch or another revision, to try its merge.", valueName: "branch"))
  var branch: String?

  @Option(
    help: ArgumentHelp(
      "The branch that it would be merged into; defaults to HEAD.", valueName: "branch"))
  var into: String?

  @Option(
    help: ArgumentHelp("Our version, such as the current branch.", valueName: "file"),
    transform: namedPath)
  var ours: String?

  @Option(
    help: ArgumentHelp("Their version, such as the branch to merge.", valueName: "file"),
    transform: namedPath)
  var theirs: String?

  @Option(
    help: ArgumentHelp("The common ancestor of both versions.", valueName: "file"),
    transform: namedPath)
  var base: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The file for the result, or - for standard output, the default.", valueName: "file"),
    transform: namedPath)
  var outputPath: String?

  private var output: String? {
    outputPath.flatMap { DescriptorPath.isStandardOutput($0) ? nil : $0 }
  }

  @Option(
    help: ArgumentHelp(
      "A model whose elements keep their ids: a file, or a ref with the file of --ours. "
        + "Repeatable.",
      valueName: "file-or-ref"), transform: namedPath)
  var published: [String] = []

  @OptionGroup var choices: ConflictChoiceArguments

  @Option(
    name: [.long, .customLong("take")], help: "The side that wins every conflict.")
  var favor: WordChoice<MergeSide>?

  @Flag(help: "Give a side that was generated from scratch its old UIDs, matched by name and type.")
  var rematch = false

  @Option(help: "The format of the report; markdown only for branches.")
  var format: MergeReportFormat = .text

  @Option(help: "The style of conflict markers.")
  var markerStyle = WordChoice(ConflictStyle.merge)

  @Option(help: ArgumentHelp("The length of conflict markers.", valueName: "number"))
  var markerSize = standardMarkerSize

  func validate() throws {
    guard (1...1000).contains(markerSize) else {
      throw ValidationError("--marker-size must be a number from 1 to 1000.")
    }
    if [ours, theirs, base].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Only one of the files can be standard input.")
    }
    if branch != nil {
      let ofFiles = [ours, theirs, base, outputPath, choices.decisions].contains { $0 != nil }
      if ofFiles || !published.isEmpty || favor != nil || rematch {
        throw ValidationError("A branch is tried with --into and --format alone.")
      }
      return
    }
    guard ours != nil, theirs != nil else {
      throw ValidationError("Pass --ours and --theirs for two files, or name a branch.")
    }
    if into != nil { throw ValidationError("--into goes with a branch.") }
    if format == .markdown { throw ValidationError("--format markdown goes with a branch.") }
  }

  func run() async throws {
    if let branch { return try await tryMerge(of: branch) }
    guard let ours, let theirs else { return }
    try await mergeFiles(ours, theirs)
  }

  /// Says what a merge of a branch would give.
  private func tryMerge(of branch: String) async throws {
    guard let program = RunningProgram.command() else {
      throw CommandFailure(.inputOutput, "the path of this program is not known")
    }
    let place = Workspace.console
    let base = try await BranchTip(into ?? "HEAD", in: place)
    let merge = BranchMerge(
      ours: base, theirs: try await BranchTip(branch, in: place), base: base, program: program)
    var item = BranchMergeItem(branch: branch, base: base.name)
    item.result = try await merge.run(in: place)
    let report = BranchMergeReport(items: [item], isDryRun: true)
    try StandardOutput.write(report.render(format))
    try report.outcome.endCommand()
  }

  private func mergeFiles(_ ours: String, _ theirs: String) async throws {
    // As with git merge-file, the result may take the place of ours.
    try requireOutputs(
      output.map { [$0] } ?? [],
      notAmong: [theirs] + published + [base, choices.decisions].compactMap { $0 })
    var merge = FileMerge(
      base: base.map { SourceReference($0) }, ours: SourceReference(ours),
      theirs: SourceReference(theirs), published: published, choices: try choices.read(),
      favor: favor?.word, rematches: rematch, style: markerStyle.word, markerSize: markerSize,
      in: .console)
    let standardOutput = try ChangeOutput(isChange: output != nil)
    let arguments = CommandLine.arguments.dropFirst(2).map { shellQuoted($0) }
    merge.rematchCommand = (["boxjoint merge --rematch"] + arguments).joined(separator: " ")
    var outcome = try await merge.run()
    if let bytes = outcome.bytes {
      if let output {
        try AtomicFile.write(bytes, to: output)
        outcome.record.result = output
      } else {
        try StandardOutput.write(bytes, isData: true)
      }
    }
    let report =
      format == .json
      ? outcome.record.json(tool: .boxjoint)
      : outcome.record.text()
    // A merge that is refused has nothing to put on standard output but the report for programs.
    let isMessage = output == nil || outcome.record.reason != nil && format == .text
    if isMessage {
      StandardError.writeText(report)
    } else {
      try standardOutput.report("the result is written") { () throws(CommandFailure) in
        try StandardOutput.write(report)
      }
    }
    if outcome.kind == .success { return }
    if let reason = outcome.record.reason, !isMessage {
      StandardError.writeLine("boxjoint: \(reason.message.escapedForDisplay)")
    }
    try outcome.kind.endCommand()
  }
}
