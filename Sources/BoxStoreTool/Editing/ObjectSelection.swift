internal import BoxEngine
internal import BoxReport

/// The objects of an entity that a request is about.
package enum ObjectSelection: Hashable, Sendable {
  /// Those with some ids, all of which must exist.
  case ids([UInt64])
  /// Those that fulfil a condition.
  case condition(String)
  /// All of them.
  case all

  /// Whether the user named no object by its id, and should be asked first.
  package var isOpen: Bool {
    if case .ids = self { false } else { true }
  }
}

/// A selection whose condition was checked against a store.
struct ResolvedSelection {
  let entity: EntitySchema
  /// The ids that the user named, in ascending order and each once; nil for a condition and for all.
  let named: [UInt64]?
  /// The condition; it finds all objects for ids.
  let query: PreparedQuery
  /// A query that finds all objects.
  let everything: PreparedQuery
  /// Whether all objects are selected.
  let isAll: Bool
  /// The selection in canonical form.
  let words: [String]

  /// Resolves a selection.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for a condition that cannot be read.
  init(
    _ selection: ObjectSelection, of entity: EntitySchema, in open: OpenStore
  ) throws(CommandFailure) {
    self.entity = entity
    isAll = selection == .all
    if case .ids(let ids) = selection { named = Set(ids).sorted() } else { named = nil }
    words =
      switch selection {
      case .ids: ["ids"] + (named ?? []).map { "\($0)" }
      case .condition(let text): ["where", text]
      case .all: ["all"]
      }
    everything = try open.query(entity, nil)
    if case .condition(let text) = selection {
      query = try open.query(entity, text)
    } else {
      query = everything
    }
  }

  /// The ids of the objects, in ascending order.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(*n*) in the objects that the condition has to look at.
  func ids(in transaction: Transaction) throws(StoreError) -> [UInt64] {
    if let named { return named }
    return try transaction.ids(query)
  }

  /// Reads the first of the objects, to be shown.
  ///
  /// - Parameters:
  ///   - ids: The ids of the objects; nil for all objects of the entity.
  ///   - columns: The properties to show.
  ///   - transaction: The transaction to read in.
  /// - Returns: The sample.
  /// - Throws: As ``ObjectSample/init(_:of:_:_:in:)``.
  func sample(
    of ids: [UInt64]?, _ columns: [RowColumn], in transaction: Transaction
  ) throws -> ObjectSample {
    try ObjectSample(
      try ids ?? transaction.ids(everything, limit: ObjectSample.maximumCount),
      of: try ids?.count ?? transaction.count(entity), everything, columns, in: transaction)
  }

  /// The number of the objects.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func count(in transaction: Transaction) throws(StoreError) -> Int {
    if let named { return named.count }
    return try transaction.count(query)
  }

  /// The failure for named objects that do not exist; nil if all do.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func missing(in transaction: Transaction) throws(StoreError) -> CommandFailure? {
    guard let named else { return nil }
    return try transaction.missing(named, of: entity)
  }
}

extension Transaction {
  /// The failure for objects of some ids that do not exist; nil if all do.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(log *n*) for each id.
  func missing(
    _ ids: some Sequence<UInt64>, of entity: EntitySchema
  ) throws(StoreError) -> CommandFailure? {
    var missing: [UInt64] = []
    for id in Set(ids).sorted() {
      if try !contains(entity, id) { missing.append(id) }
    }
    if missing.isEmpty { return nil }
    let list = missing.map { "\($0)" }.listed
    return CommandFailure(.impossible, "there is no \(entity.name) with id \(list)")
  }
}
