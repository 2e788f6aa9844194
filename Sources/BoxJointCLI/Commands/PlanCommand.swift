internal import ArgumentParser
internal import BoxWorkspace

/// `boxjoint plan`: says what a change of model means.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a new model does to existing databases, and block unsafe changes.",
    discussion: """
      Without a subcommand, 'boxjoint plan' runs 'boxjoint plan show'.

      Examples:
        boxjoint plan old.json new.json
        boxjoint plan --against refs/remotes/origin/main objectbox-model.json
        boxjoint plan --all-tags 'v*' objectbox-model.json
        boxjoint plan verify old.json new.json
        boxjoint plan approve 0123456789abcdef0123 --reason 'nobody has data in it'
      """,
    subcommands: [PlanShowCommand.self, PlanApproveCommand.self, PlanVerifyCommand.self],
    defaultSubcommand: PlanShowCommand.self)
}
