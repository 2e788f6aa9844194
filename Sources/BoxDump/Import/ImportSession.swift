public import BoxEngine
public import BoxModel
public import BoxReport
public import BoxStorage

/// An import of an input into the store of a directory, from opening the store to closing it.
///
/// The store is created if there is none, with the model that is given or that of the dump. The model
/// is applied with the first batch, and only if that is committed; indexes that need not be kept with
/// each object are built at the end. No other import runs meanwhile. A session that ends before its
/// first commit removes what it created.
///
/// A dry run uses a copy of the store, or a store in memory, and leaves the directory as it is.
public struct ImportSession: ~Copyable {
  /// The options of the import.
  public let options: ImportOptions
  private let input: DumpInput
  private let store: ObjectStore
  private var lock: ImportLock?
  private let directory: ImportDirectory?
  /// The directory of a copy that is removed at the end; nil for the store itself.
  private let copy: String?

  /// Opens or creates the store.
  ///
  /// - Parameters:
  ///   - input: The input; it can be imported once.
  ///   - directory: The directory of the store; created if it does not exist.
  ///   - model: The model of the store; nil for the one that it has, or that of the dump.
  ///   - modelPath: The path of the model file in findings.
  ///   - options: The options of the import.
  ///   - storage: Sizes, limits and permissions.
  /// - Throws: ``DumpError`` of kind `inputOutput` with the remedy ``DumpRemedy/giveModel`` if there is
  ///   neither a store nor a model, of kind `impossible` if another import runs, and if the directory
  ///   cannot be created; and what ``ObjectStore/open(_:model:options:)`` throws. Nothing that was
  ///   created is left then.
  public init(
    _ input: DumpInput, into directory: String, model: ModelDocument? = nil,
    modelPath: String = "model.json", options: ImportOptions = ImportOptions(),
    storage: StorageOptions = StorageOptions()
  ) throws {
    var settings = StoreOptions()
    settings.storage = storage
    settings.modelPath = modelPath
    settings.keepsWork = true
    let hasStore = ImportDirectory.hasStore(directory)
    let model = model == nil && !hasStore ? try Self.model(of: input, for: directory) : model
    var lock: ImportLock?
    var prepared: ImportDirectory?
    var copy: String?
    var location = StorageLocation.directory(directory)
    if options.isDryRun {
      try ImportLock.requireNone(in: directory)
      copy = hasStore ? try ImportDirectory.copy(of: directory, storage) : nil
      // A copy of what was checked needs no check.
      settings.storage.pageCheck = nil
      location = copy.map { .directory($0) } ?? .memory("dry run")
    } else {
      prepared = try ImportDirectory(directory, lock: &lock)
      settings.takesModelOverLater = true
      settings.leavesIndexesAside = true
      settings.neededIndexes = options.neededIndexes
    }
    do {
      store = try Self.open(location, model, settings, input, directory)
    } catch {
      prepared?.removeIfEmpty()
      if let copy { ImportDirectory.removeCopy(copy) }
      throw error
    }
    self.input = input
    self.options = options
    self.lock = lock
    self.directory = prepared
    self.copy = copy
  }

  deinit {
    store.close()
    directory?.removeIfEmpty()
    if let copy { ImportDirectory.removeCopy(copy) }
    withExtendedLifetime(lock) {}
  }

  /// The model of the store.
  public var model: Model { store.model }

  /// The warnings about opening the store.
  public var warnings: [Finding] { store.warnings }

  /// Imports everything, and closes the store.
  ///
  /// - Parameters:
  ///   - rejects: The files for elements that cannot be imported; nil for none.
  ///   - report: Called with each element that cannot be imported.
  ///   - progress: Called with the number of bytes read so far and their total; nil if unknown.
  ///   - indexing: Called while indexes are built at the end, with the index as `Entity.property`, the
  ///     work done and the total work on it.
  /// - Returns: The results of the import.
  /// - Throws: ``ImportIssue`` for the element that ends the import, ``DumpError`` if the input as a
  ///   whole is invalid, and ``StoreError``, which is ``StoreError/damaged(_:)`` before anything is
  ///   imported into a damaged store. The batches before it are kept.
  public consuming func run(
    rejects: RejectsFile? = nil, report: (ImportIssue) -> Void = { _ in },
    progress: (_ done: Int, _ total: Int?) -> Void = { _, _ in },
    indexing: (_ index: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws -> ImportSummary {
    try Importer(input, into: store, options: options).run(
      lock: lock, rejects: rejects, report: report, progress: progress, indexing: indexing)
  }

  /// Opens a store; one that an import was killed in before its first commit is made by the input.
  private static func open(
    _ location: StorageLocation, _ model: ModelDocument?, _ options: StoreOptions,
    _ input: DumpInput, _ directory: String
  ) throws -> ObjectStore {
    do throws(StoreError) {
      return try ObjectStore.open(location, model: model, options: options)
    } catch {
      guard case .noStore = error, model == nil else { throw error }
    }
    return try ObjectStore.open(
      location, model: self.model(of: input, for: directory), options: options)
  }

  /// The model that the input has for a store that does not exist.
  private static func model(
    of input: DumpInput, for directory: String
  ) throws(DumpError) -> ModelDocument {
    guard let header = input.header else {
      throw DumpError(
        "there is no store, and no model to create one with", kind: .inputOutput, path: directory,
        remedy: .giveModel)
    }
    do throws(ModelError) {
      return try ModelDocument(parsing: header.model)
    } catch {
      throw DumpError("\(error.message); \(error.advice)", path: input.path)
    }
  }
}
