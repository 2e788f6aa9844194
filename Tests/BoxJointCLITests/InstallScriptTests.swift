import TestSupport
import Testing

@testable import BoxModelTool

/// The script with which the action of GitHub gets the program.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct InstallScriptTests {
  let directory: TemporaryDirectory
  let release: LocalRelease

  init() async throws {
    directory = try TemporaryDirectory()
    release = try await LocalRelease(in: directory)
  }

  private func install(_ inputs: [String: String]) async throws -> ProcessRun {
    let script =
      "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
      + "/.github/actions/plan/install"
    var environment = ["RUNNER_TEMP": directory.path]
    for (name, value) in inputs { environment["INPUT_" + name] = value }
    return try await ProcessRun.of("bash", [script], in: directory.path, environment: environment)
  }

  /// The version of the program at the printed path.
  private func version(of run: ProcessRun) async throws -> String {
    #expect(run.status == 0, "\(run.messages)")
    let path = run.text.split(separator: "\n").last.map(String.init) ?? ""
    return try await ProcessRun.of(path, ["--version"]).text
  }

  @Test func anArchiveByAddressAndByPath() async throws {
    for archive in [release.address, release.archive] {
      let run = try await install([
        "ARCHIVE": archive, "SHA256": release.sum, "VERSION": release.version,
      ])
      #expect(run.text.hasPrefix(directory.path))
      #expect(try await version(of: run) == release.version + "\n")
    }
  }

  @Test func anArchiveWithAnotherSumIsNotUnpacked() async throws {
    for sum in [String(release.sum.reversed()), "", "x", release.sum + "0"] {
      let run = try await install(["ARCHIVE": release.archive, "SHA256": sum])
      #expect(run.status == 64, "\(sum)")
      #expect(run.text.isEmpty)
    }
    let places = directory.names().filter { $0.hasPrefix("boxjoint.") }
    #expect(places.allSatisfy { directory.names(in: $0) == ["archive.tar.gz"] })
  }

  @Test func aProgramOfAnotherVersionIsRefused() async throws {
    let run = try await install([
      "ARCHIVE": release.archive, "SHA256": release.sum, "VERSION": "9.9.9",
    ])
    #expect(run.status == 64)
    #expect(run.messages.contains("not 9.9.9"))
    let program = try await install(["PROGRAM": Tool.path ?? "", "VERSION": "9.9.9"])
    #expect(program.status == 64)
  }

  @Test func aWheelFromADirectory() async throws {
    try await release.makeWheel()
    let run = try await install(["WHEEL": release.directory, "VERSION": release.version])
    #expect(run.text.hasPrefix(directory.path))
    #expect(try await version(of: run) == release.version + "\n")
    let nameless = try await install(["WHEEL": release.directory])
    #expect(nameless.status == 64)
  }

  @Test func anInstalledProgramIsTakenAsItIs() async throws {
    let run = try await install(["PROGRAM": Tool.path ?? ""])
    #expect(run.text == (Tool.path ?? "") + "\n")
    let both = try await install([
      "ARCHIVE": release.archive, "SHA256": release.sum, "WHEEL": release.directory,
    ])
    #expect(both.status == 64)
  }

  @Test(arguments: ["http://example.invalid/a.tar.gz", "-x", "ftp://example.invalid/a", "/nowhere"])
  func filesThatAreNotArchivesAreNotRun(archive: String) async throws {
    let run = try await install(["ARCHIVE": archive, "SHA256": release.sum])
    #expect(run.status != 0)
    #expect(run.text.isEmpty)
  }
}
