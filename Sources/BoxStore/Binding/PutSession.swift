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
    insertedPositions.removeAll(keepingCapacity: true)
  }

  /// Begins the put of an object.
  ///
  /// - Parameter given: Its id; 0 for a new object.
  /// - Returns: Its id, or the next one.
  /// - Throws: An error of the engine: for an update without an id, and if no id is left.
  public func begin(_ given: UInt64) throws -> UInt64 {
    id = given
    return try unsafe transaction._withUnsafeGuaranteedRef { transaction in
      if given == 0 {
        if mode == .update { throw core.noIDToUpdate }
        id = try transaction.reserveID(schema)
        insertedPositions.append(count)
      }
      collector.begin(0)
      transaction.beginCoding()
      return id
    }
  }

  /// Writes the object whose values were collected.
  public func end() throws {
    try unsafe transaction._withUnsafeGuaranteedRef { transaction in
      transaction.endCoding()
      try collector.requireNoFailure()
      try unsafe transaction.putBuilt(schema, id: id, mode: mode, in: &writer.pointee)
    }
    count += 1
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
