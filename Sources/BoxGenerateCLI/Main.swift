#if Generator
  internal import ArgumentParser
  internal import BoxTerminal
  internal import BoxWorkspace
#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

@main
enum Main {
  static func main() async {
    #if Generator
      occupyStandardDescriptors()
      Signals.prepare()
      await run()
    #else
      // Nothing else is built without the trait, so that this is said at once.
      let message = """
        boxjoint-generate: BoxJoint was built without its generator, as its trait is not enabled; in
        Package.swift, add the trait to the dependency on BoxJoint:
            .package(url: "…", branch: "main", traits: ["Generator"])

        """
      _ = write(STDERR_FILENO, message, message.utf8.count)
      exit(2)
    #endif
  }

  #if Generator
    private static func run() async {
      do {
        try await runParsed(try GenerateCommand.parseAsRoot())
      } catch {
        endProgram(by: error, of: GenerateCommand.self) { [$0.line(of: "boxjoint-generate")] }
      }
    }
  #endif
}
