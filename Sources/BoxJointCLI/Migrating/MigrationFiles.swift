internal import BoxConvert
internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxStorage

/// The model files and the mappings of a migration, as the user named them.
struct MigrationFiles {
  /// The versions, the one to arrive at last.
  let versions: [MigrationVersion]
  let mappings: [ModelMapping]

  /// Reads them.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if a file cannot be read, 65 if it is not what it
  ///   should be.
  init(models: [String], mapping: String?) throws(CommandFailure) {
    var versions: [MigrationVersion] = []
    for path in models {
      versions.append(MigrationVersion(Self.name(path), try Self.model(path)))
    }
    self.versions = versions
    mappings = try mapping.map { path throws(CommandFailure) in try Self.mappings(path) } ?? []
  }

  /// What a mapping calls the version of a file: its name without the folder and `.json`.
  static func name(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
  }

  /// A model file.
  static func model(_ path: String) throws(CommandFailure) -> ModelDocument {
    let side = try PlanSource.side(try SourceFile.read(path))
    guard let document = side.document else {
      throw CommandFailure(.badInput, "there is no model in it", path: path)
    }
    return document
  }

  private static func mappings(_ path: String) throws(CommandFailure) -> [ModelMapping] {
    let source = try SourceFile.read(path)
    do throws(CatalogueError) {
      return try ModelMapping.read(try CatalogueFile.node(of: source))
    } catch {
      throw CommandFailure(.badInput, error.message, path: path, position: error.position)
    }
  }
}

/// Runs a part of a migration, and turns its errors into the tool's.
///
/// - Throws: ``CommandFailure``, with the status that the design gives each kind of error.
func onMigration<R>(store: String, mapping: String?, _ body: () throws -> R) throws -> R {
  do {
    return try onStore(store, body)
  } catch let error as MigrationError {
    if case .invalidMapping(_, let problems) = error, let first = problems.first {
      let more = problems.count > 1 ? " (and \(problems.count - 1) more problems)" : ""
      throw CommandFailure(
        .badInput, first.message + more, path: mapping, position: first.position)
    }
    throw CommandFailure(error.exitStatus, error.description, path: store)
  } catch let error as ModelHistoryError {
    throw CommandFailure(.badInput, error.description)
  }
}

extension MigrationError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .invalidMapping, .unusedMapping, .ambiguousMapping, .history: .badInput
    case .step(_, let error as StoreError): error.exitStatus
    case .object(_, _, let error as StoreError): error.exitStatus
    case .step(_, let error as MigrationError): error.exitStatus
    default: .impossible
    }
  }
}
