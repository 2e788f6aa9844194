internal import ArgumentParser
internal import BoxTerminal
internal import BoxWorkspace

/// `boxjoint completions`: prints the completion script of a shell.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the completion script of a shell.",
    discussion: """
      Examples:
        cd ~/.local/share/bash-completion/completions
        boxjoint completions bash > boxjoint
        boxjoint completions zsh > ~/.zsh/completions/_boxjoint
        boxjoint completions fish > ~/.config/fish/completions/boxjoint.fish

      Exit status:
        0   printed
        64  wrong usage
        74  the script cannot be written
      """)

  /// The shells that there are scripts for.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    var completionShell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell.")
  var shell: Shell

  func run() throws {
    let script = BoxJointCommand.completionScript(for: shell.completionShell)
    try StandardOutput.write(Array((script.hasSuffix("\n") ? script : script + "\n").utf8))
  }
}
