public import BoxEngine
public import BoxModel
public import BoxReport
internal import BoxStorage

/// An import of a dump, or of other JSON, into the store of a directory.
///
///     let session = try ImportSession(DumpInput(path: "people.ndjson.zst"), into: "data")
///     let summary = try session.run()
///
/// The session creates the store if it does not exist. It applies a model with the first batch, and
/// only if the batch is committed. Indexes of entities without objects are built at the end. Only one
/// import into a store runs at a time, in all processes.
///
/// A session is run once, on the thread that created it. If nothing is committed, a store and the
/// directories that the session created are removed again; at the latest when the session is released.
public final class ImportSession {
  /// The model of the store after the import.
  public let model: Model
  /// The warnings about opening the store.
  public let warnings: [Finding]

  private let input: DumpInput
  private let options: ImportOptions
  private let store: ObjectStore
  private let directory: ImportDirectory

  /// Opens or creates the store, and locks it against other imports.
  ///
  /// A dry run opens a copy of the store, or a new store in memory: the directory does not change.
  ///
  /// A new store gets the rules about removals of a dump, unless the settings give it others.
  ///
  /// - Parameters:
  ///   - input: The input; it can be imported once.
  ///   - path: The directory of the store.
  ///   - document: The model to open or create the store with; nil for the model of the store, or that
  ///     of the dump if there is no store.
  ///   - options: The options of the import.
  ///   - settings: Sizes, limits and permissions of the store, and its rules about removals.
  /// - Throws: ``DumpError`` of kind `inputOutput` if there is no store and no model to create it with,
  ///   or if a directory cannot be created, of kind `malformed` if the path is not a directory, and of
  ///   kind `impossible` if another import runs; ``StoreError`` as
  ///   ``ObjectStore/open(_:model:options:)``. Nothing that was created is left then.
  public init(
    _ input: DumpInput, into path: String, model document: ModelDocument? = nil,
    options: ImportOptions = ImportOptions(), store settings: StoreOptions = StoreOptions()
  ) throws {
    self.input = input
    self.options = options
    var settings = settings
    settings.storesCheckpoints = true
    var document = document
    let destination = StorageLocation.directory(path)
    var unknownRules: Finding?
    if settings.declarations == nil && (!destination.exists || destination.hasNoTransaction) {
      settings.declarations = try Self.declarations(of: input, for: document)
      if document != nil, let known = settings.declarations {
        unknownRules = try Self.unknownRules(of: input, besides: known)
      }
    }
    if document == nil && !destination.exists { document = try Self.model(of: input, for: path) }
    if options.isDryRun {
      directory = try ImportDirectory(copying: path, settings)
      // A copy of what was checked needs no check.
      settings.storage.pageCheck = nil
    } else {
      directory = try ImportDirectory(locking: path)
      let isExamined = options.examining != nil
      settings.appliesModelOnFirstWrite = !isExamined
      settings.defersIndexes = !isExamined
      settings.neededIndexes = options.neededIndexes
    }
    do {
      store = try Self.open(directory.location, document, settings, input, path)
    } catch {
      directory.close()
      throw error
    }
    model = store.model
    warnings = store.warnings + [unknownRules].compactMap { $0 }
  }

  deinit { close() }

  /// Imports everything, and closes the store.
  ///
  /// - Parameters:
  ///   - rejects: The files for elements that cannot be imported; nil for none.
  ///   - report: Called with each element that cannot be imported, if such elements are skipped.
  ///   - progress: Called with the number of bytes read so far and their total; nil if unknown.
  ///   - indexing: Called while indexes are built at the end with the index as `Entity.property`, the
  ///     work done and the total work on it.
  /// - Returns: The results of the import.
  /// - Throws: ``ImportIssue`` for the element that ends the import, ``DumpError`` if the input as a
  ///   whole is invalid, and ``StoreError``: ``StoreError/damaged(_:)`` before anything is imported
  ///   into a damaged store, and ``StoreError/closed`` if the session has run. Batches that were
  ///   committed before are kept.
  /// - Complexity: O(*n* log *n*) in the size of the input; memory is bounded.
  public func run(
    rejects: RejectsFile? = nil, report: (ImportIssue) -> Void = { _ in },
    progress: (_ done: Int, _ total: Int?) -> Void = { _, _ in },
    indexing: (_ index: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws -> ImportSummary {
    if store.isClosed { throw StoreError.closed }
    defer { close() }
    let summary = try Importer(input, into: store, options: options).run(
      lock: directory.lock, rejects: rejects, report: report, progress: progress,
      indexing: indexing)
    directory.keep()
    return summary
  }

  private func close() {
    store.close()
    directory.close()
  }

  /// Opens a store; one that an import was killed in before its first commit gets the model of the
  /// input.
  private static func open(
    _ location: StorageLocation, _ document: ModelDocument?, _ settings: StoreOptions,
    _ input: DumpInput, _ path: String
  ) throws -> ObjectStore {
    do throws(StoreError) {
      return try ObjectStore.open(location, model: document, options: settings)
    } catch {
      guard case .noStore = error, document == nil else { throw error }
      var settings = settings
      let document = try model(of: input, for: path)
      settings.declarations = try settings.declarations ?? declarations(of: input, for: nil)
      return try ObjectStore.open(location, model: document, options: settings)
    }
  }

  /// The rules about removals that a dump has for a new store, as far as they are about relations of the store's model.
  ///
  /// Without a document the store gets the model of the dump.
  private static func declarations(
    of input: DumpInput, for document: ModelDocument?
  ) throws(DumpError) -> Declarations? {
    guard let header = input.header else { return nil }
    guard let document else { return try header.fittingDeclarations(input.path) }
    return try header.declarations(input.path)?.about(document.model)
  }

  /// The warning that the store does not get rules of a dump, as its model lacks their relations; nil if it gets all.
  ///
  /// A relation of the same name has another UID where two projects have made their models on their own.
  private static func unknownRules(
    of input: DumpInput, besides known: Declarations
  ) throws(DumpError) -> Finding? {
    guard let all = try input.header?.declarations(input.path)?.relations else { return nil }
    let known = Set(known.relations.map(\.relation))
    let unknown = all.filter { !known.contains($0.relation) }
    guard let first = unknown.first else { return nil }
    let whose =
      unknown.count == 1
      ? "the store does not get a delete rule of the dump, whose relation the model does not have"
      : "the store does not get \(unknown.count) delete rules of the dump, whose relations the model does not have; "
        + "the first one"
    return Finding(
      rule: DeclarationRule.unknown,
      message: "\(whose): \(first.label)",
      advice: "a rule goes by the UID of its relation: pass the rules of the model with '--rules'",
      path: input.path)
  }

  /// The model of the input, for a store that does not exist.
  private static func model(
    of input: DumpInput, for path: String
  ) throws(DumpError) -> ModelDocument {
    if let header = input.header { return try header.modelDocument(input.path) }
    throw DumpError(
      "there is no store", kind: .inputOutput, path: path, remedy: .passModel)
  }
}
