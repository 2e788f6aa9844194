import TestSupport

/// A program of generated bindings, compiled by the compiler of the tests and linked with the library that
/// they are linked with.
struct GeneratedProgram {
  let directory: TemporaryDirectory

  /// Compiles sources in Swift 6 mode, warnings as errors.
  ///
  /// - Parameters:
  ///   - files: The sources, by name.
  ///   - flags: Flags of the compiler.
  ///   - migrates: Whether they import `BoxMigration` and `BoxStoreMigration`.
  /// - Throws: ``TestFailure`` with the messages of the compiler.
  init(_ files: [String: String], flags: [String] = [], migrates: Bool = false) async throws {
    directory = try TemporaryDirectory()
    for (name, text) in files { try directory.write(text, to: name) }
    guard let modules = builtProgram("Modules") else {
      throw TestFailure("the modules of the package are not beside the tests")
    }
    let build = String(modules.dropLast("/Modules".count))
    let usesFoundation = files.values.contains { $0.contains("import BoxFoundation") }
    var arguments = [
      "-swift-version", "6", "-warnings-as-errors", "-Onone", "-module-name", "App", "-I", modules,
      "-o", directory.path(of: "program"),
    ]
    arguments += flags
    if migrates { arguments.append("-lnettle") }
    for library in ["CLMDB", "CJSONC", "CChecksum", "CDistance"] + (migrates ? ["CNettle"] : []) {
      let map = "\(Self.root)/Sources/\(library)/module.modulemap"
      arguments += ["-Xcc", "-fmodule-map-file=\(map)"]
    }
    arguments += files.keys.filter { $0.hasSuffix(".swift") }.sorted()
    for target in [
      "BoxStore", "BoxEngine", "BoxStorage", "BoxConvert", "BoxModel", "BoxReport", "BoxHash",
      "BoxJSON",
      "BoxSystem",
    ] + (usesFoundation ? ["BoxFoundation"] : [])
      + (migrates ? ["BoxMigration", "BoxStoreMigration"] : [])
    {
      arguments += try Self.objects(of: target, in: build)
    }
    let run = try await ProcessRun.of("swiftc", arguments, in: directory.path)
    if run.status != 0 {
      throw TestFailure("the generated code does not compile: \(run.messages)\(run.text)")
    }
  }

  /// The object files of a module; others in its directory are of sources that were deleted.
  private static func objects(of target: String, in build: String) throws -> [String] {
    let directory = "\(build)/\(target).build"
    let sources = try TemporaryDirectory.bytes(ofFile: "\(directory)/sources")
    return String(decoding: sources, as: UTF8.self).split(separator: "\n").map { path in
      "\(directory)/\(path.split(separator: "/").last ?? path).o"
    }
  }

  /// Runs the program.
  ///
  /// - Throws: ``TestFailure`` if its status is not 0.
  func run(_ arguments: String...) async throws -> String {
    let run = try await ProcessRun.of(
      directory.path(of: "program"), arguments, in: directory.path)
    if run.status != 0 { throw TestFailure("the program failed: \(run.messages)\(run.text)") }
    return run.text
  }

  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
}
