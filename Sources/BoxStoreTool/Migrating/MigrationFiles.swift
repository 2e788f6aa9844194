internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
package import BoxMigration
package import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxSystem

/// The model files and the mappings of a migration, as the user named them.
package struct MigrationFiles {
  /// The versions, the target last.
  package let versions: [MigrationVersion]
  package let mappings: [ModelMapping]

  /// Reads the files.
  ///
  /// The last model has rules about removals, of the file that is chosen.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if a file cannot be read, 65 if it is not valid.
  package init(
    models: [String], rules: RulesChoice, mapping: String?, in workspace: Workspace
  ) async throws(CommandFailure) {
    try Self.requireDistinct(models)
    var versions: [MigrationVersion] = []
    for (path, name) in zip(models, Self.names(models)) {
      versions.append(MigrationVersion(name, try await Self.model(path, in: workspace)))
    }
    // Nil leaves the rules of the store.
    if let target = versions.indices.last {
      versions[target].declarations = try await rules.declarations(
        of: versions[target].document.model, SourceReference(models[target]), workspace)
    }
    self.versions = versions
    mappings = try mapping.map { path throws(CommandFailure) in try Self.mappings(path) } ?? []
  }

  /// The names of the versions for mappings: the names of their files without `.json`, after as
  /// many parent directories as are needed to distinguish them.
  ///
  /// - Complexity: O(*n* · *m*) in the number of files and of directories above them.
  package static func names(_ paths: [String]) -> [String] {
    let parts = paths.map { path in
      var parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
      if let last = parts.last, last.hasSuffix(".json") {
        parts[parts.count - 1] = String(last.dropLast(5))
      }
      return parts
    }
    var depths = paths.map { _ in 1 }
    while true {
      let names = zip(parts, depths).map { $0.suffix($1).joined(separator: "/") }
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
      let growing = names.indices.filter {
        (counts[names[$0]] ?? 0) > 1 && depths[$0] < parts[$0].count
      }
      if growing.isEmpty {
        return names.indices.map { (counts[names[$0]] ?? 0) > 1 ? paths[$0] : names[$0] }
      }
      for position in growing { depths[position] += 1 }
    }
  }

  /// A store is not migrated to one file twice.
  private static func requireDistinct(_ paths: [String]) throws(CommandFailure) {
    var seen: [String: String] = [:]
    for path in paths {
      if let first = seen.updateValue(path, forKey: canonicalPath(path) ?? path) {
        throw CommandFailure(
          .badInput,
          first == path
            ? "the file occurs twice among the versions; name it once"
            : "\(first) is the same file; name it once", path: path)
      }
    }
  }

  /// A model that a store can have, from a file, `REF:PATH` or standard input.
  package static func model(
    _ path: String, in workspace: Workspace
  ) async throws(CommandFailure) -> ModelDocument {
    try model(try await SourceReference(path).read(in: workspace))
  }

  /// The same of a file that was read.
  static func model(_ source: SourceFile) throws(CommandFailure) -> ModelDocument {
    let path = source.path
    let side = try PlanSource.side(source)
    guard let document = side.document else {
      throw CommandFailure(.badInput, "there is no model in it", path: path)
    }
    try requireSound(document, path)
    return document
  }

  /// Requires a model with which a store can be opened: the engine would say so of the store.
  static func requireSound(_ document: ModelDocument, _ path: String) throws(CommandFailure) {
    guard let issue = document.check().first(where: { $0.severity == .error }) else { return }
    let region = document.finding(issue, path: path).region
    throw CommandFailure(
      .badInput, "the model does not pass the check: \(issue.message) [\(issue.rule.id)]",
      path: path, position: region.map { JSONPosition(line: $0.line, column: $0.column) })
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
/// - Parameters:
///   - store: The store, as the user named it.
///   - version: The version of the store, where there are several stores.
///   - mapping: The file with mappings.
///   - body: The part.
/// - Returns: The result of the part.
/// - Throws: ``CommandFailure``, with the kind of failure that each error is.
package func onMigration<R>(
  store: String, version: String? = nil, mapping: String?, _ body: () throws -> R
) throws -> R {
  do {
    return try onStore(store, body)
  } catch let error as MigrationError {
    if case .invalidMapping(_, let problems) = error, let first = problems.first {
      let more = problems.count > 1 ? " (and \(problems.count - 1) more problems)" : ""
      let step = version.map { ", in the migration from \($0)" } ?? ""
      throw CommandFailure(
        .badInput, first.message + more + step, path: mapping, position: first.position)
    }
    throw CommandFailure(
      error.failureKind, error.description + error.damageAdvice(store), path: store)
  } catch let error as ModelHistoryError {
    throw CommandFailure(.badInput, error.description)
  }
}

extension MigrationError {
  /// The advice for a damaged store, to be appended to the message; empty for other errors.
  fileprivate func damageAdvice(_ store: String) -> String {
    switch self {
    case .step(_, let error as StoreError), .object(_, _, let error as StoreError),
      .purge(_, let error as StoreError):
      error.damageAdvice(store)
    case .step(_, let error as MigrationError): error.damageAdvice(store)
    default: ""
    }
  }

  fileprivate var failureKind: FailureKind {
    switch self {
    case .history: .badInput
    case _ where isAboutMapping: .badInput
    case .step(_, let error as StoreError): error.failureKind
    case .object(_, _, let error as StoreError): error.failureKind
    case .purge(_, let error as StoreError): error.failureKind
    case .step(_, let error as MigrationError): error.failureKind
    default: .impossible
    }
  }
}
