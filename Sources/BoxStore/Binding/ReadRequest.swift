internal import BoxEngine
internal import BoxStorage

// swift-format-ignore: NoLeadingUnderscores
/// Objects to be read in a transaction, and where they are read from.
public struct __ReadRequest {
  /// The objects that are read.
  enum Source {
    /// All objects in the order of their ids.
    case all
    /// Objects above an id, at most so many.
    case page(after: UInt64, limit: Int)
    /// The object with an id, if there is one.
    case id(UInt64)
    /// Objects by their ids; missing ones are left out.
    case ids([UInt64])
    /// The objects that a query finds, in its order.
    case query(PreparedQuery, offset: Int, limit: Int?)
  }

  let core: __EntityCore
  let transaction: EngineTransaction
  let source: Source
  /// The number of objects that there can be, as far as it is known.
  public let expectedCount: Int

  init(_ source: Source, _ core: __EntityCore, _ transaction: EngineTransaction) throws {
    self.source = source
    self.core = core
    self.transaction = transaction
    expectedCount =
      switch source {
      case .all: try transaction.count(core.schema)
      case .page(_, let limit): limit
      case .id: 1
      case .ids(let ids): ids.count
      case .query: 0
      }
  }

  /// Calls a function with each object.
  ///
  /// - Throws: ``ObjectBoxError/propertyTypeMismatch(message:)`` if the function read a value as another
  ///   type than the model says, the errors of the transaction, and the error of the function.
  public func visit(_ body: (EntityReader) throws -> Void) throws {
    var fault = ReadFault()
    try unsafe withUnsafeMutablePointer(to: &fault) { fault in
      var left = Int.max
      func read(_ id: UInt64, _ record: borrowing RecordView) throws -> VisitStep {
        let places = unsafe record.places
        do {
          try body(
            unsafe EntityReader(
              table: places.table, offsets: places.offsets, slotCount: places.count,
              constants: places.constants, core.fields, fault: fault, id: id))
        } catch let fault as ConversionFault {
          throw core.refusedByConverter(fault, id)
        }
        if unsafe fault.pointee.offset != 0 {
          throw unsafe core.mismatch(
            fault.pointee.offset, wanted: fault.pointee.wanted, isRead: true)
        }
        left -= 1
        return left == 0 ? .stop : .next
      }
      switch source {
      case .all:
        try transaction.visit(core.schema, from: nil, .forward, read)
      case .page(let last, let limit):
        left = limit
        if limit > 0, last < ObjectStore.maximumID {
          try transaction.visit(core.schema, from: last + 1, .forward, read)
        }
      case .id(let id): _ = try transaction.get(core.schema, id) { try read(id, $0) }
      case .ids(let ids):
        for id in ids { _ = try transaction.get(core.schema, id) { try read(id, $0) } }
      case .query(let query, let offset, let limit):
        try transaction.visit(query, offset: offset, limit: limit) { id, record in
          // Converters must not use the store here either.
          transaction.beginCoding()
          defer { transaction.endCoding() }
          return try read(id, record)
        }
      }
    }
  }
}
