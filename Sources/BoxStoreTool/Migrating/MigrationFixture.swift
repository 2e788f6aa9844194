internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxSystem

/// A dump whose objects a store has before it is migrated.
struct MigrationFixture {
  /// The name without endings.
  let name: String
  let path: String
  private let model: Model

  /// The dumps at some paths, each of which is whole, and each once.
  ///
  /// Of the files in a directory those count whose names end as the names of dumps do.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` for a file that is not a dump or is damaged, and `inputOutput` if
  ///   one cannot be read.
  /// - Complexity: O(*n*) in the size of the dumps.
  static func find(_ paths: [String], _ observer: any WorkObserver) throws -> [MigrationFixture] {
    var known: Set<ExactText> = []
    return try paths.flatMap { try Self.dumps(at: $0, observer) }
      .filter { known.insert(ExactText(canonicalPath($0) ?? $0)).inserted }
      .map { try MigrationFixture($0, observer) }
  }

  /// The paths of the dumps at a path: its own, or those in a directory that is not a dump itself.
  private static func dumps(
    at path: String, _ observer: any WorkObserver
  ) throws(CommandFailure) -> [String] {
    if !isDirectory(at: path) { return [path] }
    let names = try Self.names(in: path)
    if names.contains(DumpManifest.fileName) { return [path] }
    if names.contains(StoreFiles.dataName) {
      throw CommandFailure(
        .badInput, "is a store, and not a dump; pass what an export of it has written", path: path)
    }
    var dumps: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = joinPath(path, name)
      if isDirectory(at: path)
        ? try Self.names(in: path).contains(DumpManifest.fileName) : isDumpName(name)
      {
        dumps.append(path)
      } else {
        let note = "is not a dump by its name (.ndjson, .jsonl or .json); it is left out"
        observer.receive(Notice(.note, "\(path): note: \(note)"))
      }
    }
    if dumps.isEmpty { observer.receive(Notice(.note, "\(path): note: there are no dumps in it")) }
    return dumps
  }

  private static let endings = [".ndjson", ".jsonl", ".json"]

  private static func isDumpName(_ name: String) -> Bool {
    let name = withoutCompression(name)
    return endings.contains { name.hasSuffix($0) }
  }

  private static func withoutCompression(_ name: String) -> String {
    [".gz", ".zst"].first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
  }

  private static func names(in path: String) throws(CommandFailure) -> [String] {
    do throws(SystemError) {
      return try entryNames(in: path)
    } catch {
      throw CommandFailure(.inputOutput, "cannot be read: \(error.reason)", path: path)
    }
  }

  private init(_ path: String, _ observer: any WorkObserver) throws {
    self.path = path
    var name = Self.withoutCompression(lastComponent(of: path.withoutLastSlashes))
    if let ending = Self.endings.first(where: { name.hasSuffix($0) }) {
      name.removeLast(ending.count)
    }
    self.name = name
    let header = try onDump(path) { try DumpInput(path: path).header }
    guard let header else {
      throw CommandFailure(
        .badInput, "is not a dump; pass what an export of a store has written", path: path)
    }
    let verified = try DumpVerificationReport(
      of: path, limits: DecompressionLimits(), observer)
    if let problem = verified.verified.problems.first {
      throw CommandFailure(.badInput, "the dump is damaged: \(problem)", path: path)
    }
    do throws(ModelError) {
      model = try ModelDocument(parsing: header.model).model
    } catch {
      throw CommandFailure(.badInput, "the model of the dump is not valid: \(error)", path: path)
    }
  }

  /// Whether the dump is for a version: it has the name of that, or its model.
  func isOf(_ version: String, _ side: PlanSide) -> Bool {
    name == version || hasModel(of: side)
  }

  /// Whether the dump has the model of a version, so that all of its objects fit.
  func hasModel(of side: PlanSide) -> Bool { model == side.model }

  /// Makes a store of a version with the objects.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` if the objects do not fit the version, or it lacks a part of
  ///   them.
  func makeStore(_ directory: String, of version: String, _ side: PlanSide) throws {
    var settings = StoreOptions()
    settings.declarations = side.declarations
    try onDump(path) {
      let session = try ImportSession(
        DumpInput(path: path), into: directory, model: side.document, store: settings)
      let dropped = try session.run().dropped
      if dropped.isEmpty { return }
      let few = dropped.prefix(3).joined(separator: ", ") + (dropped.count > 3 ? ", …" : "")
      throw CommandFailure(
        .badInput,
        "has the name of \(version), whose model lacks \(few); name the fixture after another tag, or "
          + "after none, and its model decides", path: path)
    }
  }
}
