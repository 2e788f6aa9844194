internal import BoxEngine

// swift-format-ignore: NoLeadingUnderscores
/// The put of objects of one entity without relations, one after the other.
///
/// The writer is lent by the transaction, which outlives the session.
@safe public final class __PutSession {
  /// Takes the values of the object that is being put.
  public let collector: PropertyCollector
  /// The positions of the objects that got a new id.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var count = 0
  @safe @exclusivity(unchecked) private(set) var insertedPositions: [Int] = []

  private let core: __EntityCore
  private let schema: EntitySchema
  // The transaction keeps the session for its next put, and outlives it as it does the writer. Nothing
  // here counts references to it: that took a fifth of the put of an array.
  private let transaction: Unmanaged<EngineTransaction>
  private let writer: UnsafeMutablePointer<RecordWriter>
  private let mode: BoxEngine.PutMode
  /// The unique property by whose value an object finds the one that it replaces; nil if it goes by its id.
  @safe @exclusivity(unchecked) var key: MatchedProperty?
  @safe @exclusivity(unchecked) private var id: UInt64 = 0

  @unsafe init(
    _ core: __EntityCore, _ mode: PutMode, _ transaction: EngineTransaction,
    _ writer: UnsafeMutablePointer<RecordWriter>
  ) {
    self.core = core
    schema = core.schema
    unsafe self.transaction = unsafe .passUnretained(transaction)
    unsafe self.writer = unsafe writer
    self.mode = mode.engineMode
    collector = unsafe PropertyCollector(core, writer, nil)
  }

  /// Whether the session puts objects of an entity in a mode, with a writer.
  func serves(
    _ core: __EntityCore, _ mode: PutMode, _ writer: UnsafeMutablePointer<RecordWriter>
  ) -> Bool {
    unsafe self.core === core && self.mode == mode.engineMode && self.writer == writer
  }

  /// Begins again, with no object that was put.
  func restart() {
    count = 0
    key = nil
    insertedPositions.removeAll(keepingCapacity: true)
  }

  /// Begins the put of an object.
  ///
  /// - Parameter given: Its id; 0 for a new object.
  /// - Returns: Its id, or the next one; 0 for a new object that may replace another one.
  /// - Throws: An error of the engine: for an update without an id, and if no id is left.
  public func begin(_ given: UInt64) throws -> UInt64 {
    id = given
    return try unsafe transaction._withUnsafeGuaranteedRef { transaction in
      if given == 0 {
        if mode == .update { throw core.noIDToUpdate }
        if key == nil { id = try transaction.reserveID(schema) }
        insertedPositions.append(count)
      }
      collector.begin(0)
      transaction.beginCoding()
      return id
    }
  }

  /// Writes the object whose values were collected.
  ///
  /// - Returns: The id under which it is stored.
  /// - Throws: An error of the engine or of the collector, and ``ObjectBoxError/constraintViolated(message:)`` for an object
  ///   with an id if another one has its unique value.
  public func end() throws -> UInt64 {
    try unsafe transaction._withUnsafeGuaranteedRef { transaction in
      transaction.endCoding()
      try collector.requireNoFailure()
      if let key { try replaceHolder(of: key, transaction) }
      try unsafe transaction.putBuilt(schema, id: id, mode: mode, in: &writer.pointee)
    }
    count += 1
    return id
  }

  /// Takes the id of the object that has the same value of a unique property; a new object without one gets a new id.
  private func replaceHolder(of key: MatchedProperty, _ transaction: EngineTransaction) throws {
    let holder = try unsafe transaction.firstID(schema, key.index, withValueIn: &writer.pointee)
    if let holder, holder != id {
      if id != 0 { throw schema.alreadyHeld(key.property, by: holder, id) }
      id = holder
    } else if id == 0 {
      id = try transaction.reserveID(schema)
    }
  }

  /// Ends the put of an object that could not be collected.
  public func cancel() {
    unsafe transaction._withUnsafeGuaranteedRef { $0.endCoding() }
  }
}

extension PutMode {
  /// The mode of the engine.
  var engineMode: BoxEngine.PutMode {
    switch self {
    case .put: .put
    case .insert: .insert
    case .update: .update
    }
  }
}
