/// An entity type whose objects are made from sources of another form: dictionaries, decoded JSON, or any
/// other type.
///
/// ```swift
/// extension Book: Importable {
///   convenience init(importing source: [String: Any], in transaction: Transaction) throws {
///     self.init()
///     title = source["title"] as? String ?? ""
///   }
/// }
/// try store.runInTransaction { transaction in
///   try transaction.importObjects(Book.self, from: [["title": "Solaris"], ["title": "Eden"]])
/// }
/// ```
///
/// Each source becomes a new object; ``UniquelyImportable`` updates those that exist. ``ImportFields`` reads
/// a dictionary and lists all its errors.
public protocol Importable: EntityInspectable, __EntityRelatable {
  /// The type of the sources.
  associatedtype ImportSource

  /// Whether a source becomes an object; true by default.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - transaction: The transaction of the import, in which the store may be read and written.
  /// - Returns: Whether the source becomes an object.
  static func shouldInsert(from source: ImportSource, in transaction: Transaction) -> Bool

  /// Creates an object from a source; the import puts it.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - transaction: The transaction of the import, in which the store may be read and written.
  /// - Throws: An error ends the import, and nothing of it is kept.
  init(importing source: ImportSource, in transaction: Transaction) throws
}

extension Importable {
  /// True: every source becomes an object.
  public static func shouldInsert(from source: ImportSource, in transaction: Transaction) -> Bool {
    true
  }
}

/// An entity type whose objects are known by a unique property: an import updates the object that has
/// the value of a source, or creates it.
///
/// ``Importable/init(importing:in:)`` and ``update(from:in:)`` have to give the object the value that
/// ``uniqueID(from:in:)`` returns; the import checks it.
public protocol UniquelyImportable: Importable
where
  EntityType: EntityInspectable & __EntityRelatable,
  EntityType == EntityType.EntityBindingType.EntityType
{
  /// The type of the values by which objects are known: an integer, a string or a date.
  associatedtype UniqueID: UniqueImportValue
  /// The type of the property, which can be optional.
  associatedtype UniqueProperty: EntityPropertyTypeConvertible = UniqueID

  /// The property, which is unique in the model.
  static var uniqueIDProperty: Property<EntityType, UniqueProperty, Void> { get }

  /// The value of the unique property for a source; nil to skip the source.
  ///
  /// - Throws: An error ends the import before anything is written.
  static func uniqueID(from source: ImportSource, in transaction: Transaction) throws -> UniqueID?

  /// Whether an object that exists is updated; true by default.
  static func shouldUpdate(from source: ImportSource, in transaction: Transaction) -> Bool

  /// Changes an object that exists; the import puts it.
  ///
  /// - Throws: An error ends the import, and nothing of it is kept.
  mutating func update(from source: ImportSource, in transaction: Transaction) throws
}

extension UniquelyImportable {
  /// True: every object that exists is updated.
  public static func shouldUpdate(from source: ImportSource, in transaction: Transaction) -> Bool {
    true
  }
}
