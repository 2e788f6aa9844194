import BoxReport
import TestSupport

@testable import BoxModelTool

/// An archive and a wheel of the form that `scripts/package` makes, with a program that starts the
/// built one.
struct LocalRelease {
  let version = ToolInfo.boxjoint.version
  /// The address of the archive, in which `{version}` stands for the version.
  let address: String
  let archive: String
  let sum: String
  let directory: String

  init(in directory: TemporaryDirectory) async throws {
    self.directory = directory.path(of: "release")
    address = "file://\(self.directory)/boxjoint-{version}-linux.tar.gz"
    archive = "\(self.directory)/boxjoint-\(version)-linux.tar.gz"
    try directory.write(
      "#!/bin/sh\nexec '\(Tool.path ?? "")' \"$@\"\n",
      to: "release/boxjoint-\(version)/bin/boxjoint")
    let run = try await ProcessRun.of(
      "bash",
      [
        "-ec",
        """
        chmod +x boxjoint-$0/bin/boxjoint
        tar -czf boxjoint-$0-linux.tar.gz boxjoint-$0
        sha256sum boxjoint-$0-linux.tar.gz
        """, version,
      ],
      in: self.directory)
    guard run.status == 0, let sum = run.text.split(separator: " ").first else {
      throw TestFailure("no archive: \(run.messages)")
    }
    self.sum = String(sum)
  }

  /// Makes a wheel of the archive's program.
  func makeWheel() async throws {
    let script = """
      import os, sys, zipfile
      version, program = sys.argv[1:]
      name = f"boxjoint-{version}"
      with zipfile.ZipFile(f"{name}-py3-none-any.whl", "w") as wheel:
          info = zipfile.ZipInfo(f"{name}.data/scripts/boxjoint")
          info.external_attr = 0o100755 << 16
          wheel.writestr(info, open(program, "rb").read())
          wheel.writestr(f"{name}.dist-info/METADATA",
              f"Metadata-Version: 2.1\\nName: boxjoint\\nVersion: {version}\\n")
          wheel.writestr(f"{name}.dist-info/WHEEL",
              "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
          wheel.writestr(f"{name}.dist-info/RECORD", "")
      """
    let run = try await ProcessRun.of(
      "python3", ["-c", script, version, "boxjoint-\(version)/bin/boxjoint"], in: directory)
    guard run.status == 0 else { throw TestFailure("no wheel: \(run.messages)") }
  }
}
