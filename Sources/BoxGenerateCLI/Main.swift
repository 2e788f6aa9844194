internal import ArgumentParser
internal import BoxTerminal
internal import BoxWorkspace

@main
enum Main {
  static func main() async {
    occupyStandardDescriptors()
    Signals.prepare()
    do {
      try requireArguments()
      var command = try GenerateCommand.parseAsRoot()
      try requireWorkingDirectory(for: command)
      if var generation = command as? GenerateCommand {
        try await generation.run()
      } else {
        try command.run()
      }
    } catch {
      endProgram(by: error, of: GenerateCommand.self) { [$0.line(of: "boxjoint-generate")] }
    }
  }
}
