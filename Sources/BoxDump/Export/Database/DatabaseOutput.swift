package import BoxEngine

/// A database that an export fills, table by table.
///
/// One thread at a time uses it.
package protocol DatabaseOutput: AnyObject, Sendable {
  /// Creates the tables; called once, before anything is inserted.
  ///
  /// - Throws: The error of the database.
  func begin(_ plan: DatabasePlan) throws

  /// Inserts objects, in the order of their ids.
  ///
  /// - Parameters:
  ///   - objects: The objects, in a transaction that stays open.
  ///   - table: The position of the table in ``DatabasePlan/tables``.
  /// - Throws: ``DumpError`` if a value cannot be written, and the error of the database.
  func insert(_ objects: RecordBatch, into table: Int) throws

  /// Inserts an entry of a relation to many, in the order of the sources and their targets.
  ///
  /// - Parameters:
  ///   - source: The id of the source.
  ///   - target: The id of the target.
  ///   - relation: The position of the relation in ``DatabasePlan/relations``.
  /// - Throws: The error of the database.
  func insert(source: UInt64, target: UInt64, into relation: Int) throws

  /// Completes the database; called after everything is inserted.
  ///
  /// - Throws: The error of the database.
  func finish(_ totals: DumpTotals) throws
}

/// The form of vectors of floats in a database.
package enum VectorForm: String, Hashable, Sendable, CaseIterable {
  /// The bytes of the numbers, little-endian.
  case blob
  /// An array of JSON, as of all other vectors.
  case json
}
