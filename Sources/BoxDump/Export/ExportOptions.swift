public import BoxConvert

/// What is exported, and how.
public struct ExportOptions: Sendable {
  /// How the parts are laid out.
  public var shape = DumpShape.lines
  /// The entities; nil for all.
  public var entities: [String]?
  /// The properties and relations as `Entity.property`; nil for all.
  ///
  /// An entity that none of them belongs to is exported whole; the id is always written.
  public var fields: [String]?
  /// A condition that the objects of one entity have to fulfil; the others are exported whole.
  public var condition: String?
  /// How many objects of each entity are exported at most; nil for all.
  public var limit: Int?
  /// How integers of 64 bits are written.
  public var integers = IntegerForm.number
  /// How dates are written.
  public var dates = DateForm.number
  /// What is written in place of the values of properties.
  public var redactions: [DumpHeader.RedactedProperty] = []
  /// The converters; nil for raw values.
  public var converters: ExportConverters?
  /// How the files are compressed.
  public var compression = Compression.none

  /// Everything, as lines, uncompressed.
  public init() {}
}

/// The converters of an export.
public struct ExportConverters: Sendable {
  /// The catalogue that they come from, as JSON text in one line.
  public var catalogue: [UInt8]
  /// The converter of a property, by the names of its entity and of itself; nil for none.
  public var converter: @Sendable (_ entity: String, _ property: String) -> (any JSONConverter)?

  /// Creates the converters of a catalogue.
  public init(
    catalogue: [UInt8],
    converter: @escaping @Sendable (_ entity: String, _ property: String) -> (any JSONConverter)?
  ) {
    self.catalogue = catalogue
    self.converter = converter
  }
}

/// How far an export is.
public struct ExportProgress: Hashable, Sendable {
  /// The name of the entity or of the relation that is written.
  public var name: String
  /// The objects or entries that were looked at, in all entities and relations.
  public var done: Int
  /// How many there are in all.
  public var total: Int
}
