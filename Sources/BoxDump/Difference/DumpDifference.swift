internal import BoxConvert
public import BoxEngine
internal import BoxModel
public import BoxStorage

/// The differences between two dumps or stores.
public struct DumpDifference: Hashable, Sendable {
  /// An object, or the targets of one in a relation, that differs between the sides.
  public struct Item: Hashable, Sendable {
    /// The kind of a difference, from the first side to the second.
    public enum Kind: String, Hashable, Sendable {
      case added, removed, changed
    }

    /// `Entity` or `Entity.relation`, as the first side names it.
    public var section: String
    /// The id of the object.
    public var id: UInt64
    /// The kind of the difference.
    public var kind: Kind
    /// The changed values, if both sides have the object.
    public var fields: [Field]
  }

  /// A value that differs between the sides.
  public struct Field: Hashable, Sendable {
    /// The name of the property; `targets` in a relation.
    public var name: String
    /// The value of the first side as JSON.
    public var before: String
    /// The value of the second side as JSON.
    public var after: String
  }

  /// The number of differences of an entity or a relation.
  public struct Section: Hashable, Sendable {
    /// `Entity` or `Entity.relation`.
    public var name: String
    /// The number of objects that only the second side has.
    public var added = 0
    /// The number of objects that only the first side has.
    public var removed = 0
    /// The number of objects that both sides have, with other values.
    public var changed = 0
    /// The number of objects that both sides have, with the same values.
    public var same = 0

    /// Whether there are no differences.
    public var isSame: Bool { added + removed + changed == 0 }
  }

  /// The entities and relations that both sides have, in the order of the first.
  public var sections: [Section] = []
  /// One sentence each: what only one side has, and was not compared.
  public var notes: [String] = []

  /// Whether nothing is different.
  public var isSame: Bool { notes.isEmpty && sections.allSatisfy(\.isSame) }
}

extension DumpDifference {
  /// A side of a comparison.
  public struct Side: Hashable, Sendable {
    /// The kind of a side.
    public enum Kind: Hashable, Sendable {
      /// A dump that is a file.
      case file
      /// A dump that is a directory.
      case directory
      /// A store.
      case store
    }

    /// The path.
    public var path: String
    /// The kind of the side.
    public var kind: Kind
    /// The options to open a store with, which is only read.
    public var storage: StorageOptions

    /// Creates a side.
    public init(_ path: String, _ kind: Kind, _ storage: StorageOptions = StorageOptions()) {
      self.path = path
      self.kind = kind
      self.storage = storage
    }
  }

  /// The failure to read one of the two stores.
  public struct StoreFailure: Error {
    /// The path of the store.
    public var path: String
    /// The error of the store.
    public var error: StoreError

    /// Runs work on a store, and gives its errors the path.
    static func naming<R>(_ path: String, _ body: () throws -> R) throws -> R {
      do {
        return try body()
      } catch let error as StoreError {
        throw StoreFailure(path: path, error: error)
      }
    }
  }

  /// Compares two sides, object by object.
  ///
  /// Entities, properties and relations are paired by UID, so a renaming does not count as a
  /// difference.
  ///
  /// - Parameters:
  ///   - a: The older side.
  ///   - b: The newer side.
  ///   - limits: The limits of the decompressed size of a file.
  ///   - onItem: Called with each difference.
  /// - Returns: The numbers of the differences.
  /// - Throws: ``DumpError`` if a dump cannot be read, or the two cannot be compared, and
  ///   ``StoreFailure`` if a store cannot be read.
  /// - Complexity: O(*n*) in the objects of both; only a few of them are in memory at a time. If a
  ///   dump that is a file has its entities in another order than the first side, it is read again
  ///   from its start for each entity that precedes the last one.
  public static func between(
    _ a: Side, _ b: Side, limits: DecompressionLimits = DecompressionLimits(),
    onItem: (Item) throws -> Void
  ) throws -> DumpDifference {
    let forms = try DumpForms(a, limits) ?? DumpForms(b, limits) ?? DumpForms.default
    return try DiffSide.with(a, forms, limits) { a in
      try DiffSide.with(b, forms, limits) { b in
        var comparison = try SectionComparison(a, b)
        return try comparison.run(onItem)
      }
    }
  }
}

/// The forms of values, which must be the same on both sides.
struct DumpForms: Hashable {
  var integers = IntegerForm.number
  var dates = DateForm.number
  var bytes = BytesForm.base64
  var converters: [UInt8]?
  /// The model whose names the converters go by; nil without a dump.
  var model: [UInt8]?

  static let `default` = DumpForms()

  private init() {}

  /// The options of a dump; nil for a store, which can be written with any.
  init?(_ side: DumpDifference.Side, _ limits: DecompressionLimits) throws(DumpError) {
    if side.kind == .store { return nil }
    let header = try DumpInput.dump(side.path, isDirectory: side.kind == .directory, limits).header
    self.init(header)
  }

  init(_ header: DumpHeader) {
    (integers, dates, bytes) = (header.integers, header.dates, header.bytes)
    converters = header.converters
    model = header.model
  }

  /// Creates the converters of a store, by the names of the dump.
  ///
  /// - Parameter path: The store, for messages.
  /// - Returns: The converters; none if the values of the dump are raw.
  /// - Throws: ``DumpError`` if the converters or the model in the dump are invalid.
  func storeConverters(_ path: String) throws(DumpError) -> StoreConverters {
    guard let converters, let model else { return StoreConverters() }
    var header = DumpHeader(shape: .lines, entities: [], model: model)
    header.converters = converters
    let catalogue = try header.catalogue(path)
    do throws(ModelError) {
      return StoreConverters(catalogue, try ModelDocument(parsing: model).model)
    } catch {
      throw DumpError("the model of the dump cannot be read: \(error.message)", path: path)
    }
  }
}

/// The converters of a dump, for a store whose names may be others.
struct StoreConverters {
  private var catalogue = Catalogue.empty
  private var names: [UID: String] = [:]

  init() {}

  init(_ catalogue: Catalogue, _ model: Model) {
    self.catalogue = catalogue
    for entity in model.entities {
      names[entity.pair.uid] = entity.name
      for property in entity.properties { names[property.pair.uid] = property.name }
    }
  }

  func converter(
    _ entity: EntitySchema, _ property: PropertySchema
  ) throws(DumpError) -> BoundConverter? {
    do throws(IncompatibleConverter) {
      return try catalogue.converter(
        entity: names[entity.uid] ?? entity.name,
        property: names[property.uid] ?? property.name, type: property.modelType,
        flags: property.flags)
    } catch {
      throw DumpError(error.description, kind: .impossible)
    }
  }
}
