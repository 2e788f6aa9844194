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
      } catch let failure as CommandFailure {
        if failure.isBrokenPipe { StandardOutput.endByBrokenPipe() }
        StandardError.writeLine(failure.line(of: "boxjoint-generate"))
        exit(ExitStatus(failure.kind).rawValue)
      } catch {
        let (text, code) = (
          GenerateCommand.fullMessage(for: error), GenerateCommand.exitCode(for: error)
        )
        if !text.isEmpty {
          if code.isSuccess {
            try? StandardOutput.write(text + "\n")
          } else {
            StandardError.writeLines(text)
          }
        }
        exit(code.rawValue)
      }
    }
  #endif
}
