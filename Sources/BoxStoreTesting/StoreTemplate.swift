internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxStore
internal import Synchronization

/// A store whose pages the stores of tests begin with.
struct StoreTemplate: Sendable {
  /// The model, parsed.
  let document: ModelDocument
  /// The options with which the copies are opened.
  let options: StoreOptions
  let pages: StorageTemplate

  /// Makes the store, and fills it.
  ///
  /// - Throws: `ObjectBoxError`: `schema` for a model that is not valid, and `illegalArgument` for a seed that
  ///   cannot be read.
  /// - Complexity: O(*n*) in the objects of the seed.
  private init(_ model: StoreModel, _ seed: StoreSeed?) throws {
    document = try model.document()
    var options = Store.options(maxDbSizeInKByte: 1024 * 1024, fileMode: 0o600, maxReaders: 0)
    options.constants = model.constants
    options.declarations = try model.declarations()
    options.memo = CatalogMemo()
    self.options = options
    // An import has a place for its checkpoint.
    if case .file = seed?.source { options.storesCheckpoints = true }
    let (document, number) = (document, Self.count.add(1, ordering: .relaxed).newValue)
    pages = try ObjectBoxError.wrapping {
      let store = try ObjectStore.open(
        .memory("template \(number) of BoxStoreTesting"), model: document, options: options)
      defer { store.close() }
      if let seed { try Self.fill(store, seed) }
      do {
        return try StorageTemplate { try store.copy(to: $0, compacting: true) }
      } catch let error as StorageError {
        throw StoreError.storage(error)
      }
    }
  }

  private static let count = Atomic<Int>(0)

  // MARK: - Seeds

  private static func fill(_ store: ObjectStore, _ seed: StoreSeed) throws {
    switch seed.source {
    case .generated(let seed, let objects):
      var objects = GeneratedObjects(store, seed: seed, objects: objects)
      try objects.fill()
    case .file(let path): try importFile(path, into: store)
    }
  }

  private static func importFile(_ path: String, into store: ObjectStore) throws {
    var options = ImportOptions()
    options.verifiesStore = false
    do {
      _ = try Importer(DumpInput(path: path), into: store, options: options).run()
    } catch let issue as ImportIssue {
      let place = issue.position.map { ":\($0.line):\($0.column)" } ?? ""
      throw ObjectBoxError.illegalArgument(
        message: "the seed \(path)\(place) cannot be imported: \(issue)")
    } catch let error as DumpError {
      throw ObjectBoxError.illegalArgument(message: "the seed \(path) cannot be imported: \(error)")
    }
  }

  // MARK: - All of a process

  private struct Key: Hashable, Sendable {
    var model: StoreModel.Contents
    var seed: StoreSeed?
  }

  /// A template that one test makes while others wait for it.
  private final class Pending: Sendable {
    let result = Mutex<Result<StoreTemplate, any Error>?>(nil)
  }

  private static let known = Mutex<[Key: Pending]>([:])

  /// The template of a model and a seed, which is made once in a process.
  ///
  /// - Throws: As the initializer, each time.
  static func shared(_ model: StoreModel, _ seed: StoreSeed?) throws -> StoreTemplate {
    let key = Key(model: model.contents, seed: seed)
    let pending = known.withLock { known in
      let pending = known[key] ?? Pending()
      known[key] = pending
      return pending
    }
    return try pending.result.withLock { result in
      let made = result ?? Result { try StoreTemplate(model, seed) }
      result = made
      return made
    }.get()
  }
}
