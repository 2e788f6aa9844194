internal import ArgumentParser
internal import BoxTerminal
internal import BoxWorkspace

@main
enum Main {
  static func main() async {
    occupyStandardDescriptors()
    Signals.prepare()
    do {
      try await runParsed(try GenerateCommand.parseAsRoot())
    } catch {
      endProgram(by: error, of: GenerateCommand.self) { [$0.line(of: "boxjoint-generate")] }
    }
  }
}
