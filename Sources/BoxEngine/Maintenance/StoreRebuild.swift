internal import BoxModel
internal import BoxStorage

/// A store has more spaces than it was opened for; nothing was done yet.
struct NeedsSpaces: Error {
  var count: Int
}

/// One building of a store.
struct StoreRebuild {
  let directory: String
  let document: ModelDocument
  let options: StoreOptions

  func run(spaces: Int, _ fill: (ObjectStore, ObjectStore) throws -> Void) throws {
    var settings = options.storage
    settings.maximumSpaces = spaces + 64
    do {
      try replace(settings, spaces, fill)
    } catch let error as StorageError {
      throw StoreError.storage(error)
    }
  }

  private func replace(
    _ settings: StorageOptions, _ spaces: Int, _ fill: (ObjectStore, ObjectStore) throws -> Void
  ) throws {
    try StoreReplacement.replace(in: directory, settings) { storage, descriptor in
      var stored = options
      stored.constants = nil
      stored.declarations = nil
      // It is read with the model that it has, which it has accepted.
      stored.acceptsRegeneratedModel = true
      let opening = StoreOpening(.directory(directory), nil, stored)
      switch try opening.attempt(StorageHandle(storage), spaces: spaces, false) {
      case .needsSpaces(let count): throw NeedsSpaces(count: count)
      case .opened(let old):
        defer { old.close() }
        try old.requireNotSynchronized()
        try build(from: old, into: descriptor, fill)
      }
    }
  }

  /// The constants of a store, of properties that the new one has in the same form and that have not become optional.
  private func constants(of old: ObjectStore) -> [UID: Value] {
    var types: [UID: SlotType] = [:]
    for property in document.model.entities.flatMap(\.properties)
    where property.flags.isDisjoint(with: [.id, .unique]) && property.type != .relation {
      types[property.pair.uid] = property.slotType
    }
    let given = options.constants
    var constants: [UID: Value] = [:]
    for property in old.entities.flatMap(\.properties) where types[property.uid] == property.type {
      if let given, given[property.uid] == nil { continue }
      if let value = property.constantValue { constants[property.uid] = value }
    }
    return constants
  }

  /// The declarations of a store, without relations that became something else.
  private func declarations(of old: ObjectStore) -> Declarations {
    var declarations = old.schema.catalog.declarations
    let gone = Set(
      declarations.mismatches(with: document.model).filter { $0.kind == .otherElement }.map(\.uid))
    declarations.relations.removeAll { gone.contains($0.relation) }
    return declarations
  }

  private func build(
    from old: ObjectStore, into descriptor: Int32,
    _ fill: (ObjectStore, ObjectStore) throws -> Void
  ) throws {
    var settings = options.storage
    settings.maximumSpaces = max(
      settings.maximumSpaces, StoreOpening.spaces(document.model) + 64)
    let storage = StorageHandle(
      try StoreError.wrapping(
        try StorageLocation.openTemporary(directory + "/" + StoreFiles.rebuildName, settings)))
    let location = StorageLocation.directory(directory)
    var carrying = options
    carrying.constants = constants(of: old)
    carrying.carriesConstants = true
    carrying.declarations = options.declarations ?? declarations(of: old)
    let new = try StoreOpening(location, document, carrying).write(storage, document)
    defer { new.close() }
    try new.deferringEntries { try fill(old, new) }
    if options.constants != nil {
      // As in every opening that gives some: objects that lack a value have the one of the first opening.
      _ = try StoreOpening(location, document, options).write(storage, document)
    }
    try storage.copy(to: descriptor, compacting: true)
  }
}
