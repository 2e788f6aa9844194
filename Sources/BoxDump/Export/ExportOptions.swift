public import BoxConvert
public import BoxEngine
internal import BoxJSON

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
  /// Whether what is damaged is left out and counted, in place of an error.
  ///
  /// The export takes longer then, and memory grows with the number of damaged objects.
  public var salvages = false
  /// How many objects one thread writes at a time: enough to make the cost of handing them on
  /// vanish, few enough for the cache.
  var batchSize = 1024

  /// Everything, as lines, uncompressed.
  public init() {}
}

/// The converters of an export.
public struct ExportConverters: Sendable {
  /// The catalogue that they come from, as JSON text in one line.
  public var text: [UInt8]
  /// The converter of a property; nil for none.
  public var converter:
    @Sendable (_ entity: EntitySchema, _ property: PropertySchema) throws(DumpError)
      -> (any JSONConverter)?

  /// Creates the converters of a catalogue.
  ///
  /// One that does not fit the type of its property is an error of ``DumpExporter/init(_:_:)``.
  public init(_ catalogue: Catalogue) {
    self.init(text: Array(catalogue.json.text(indent: 0).utf8)) {
      (entity, property) throws(DumpError) in
      do throws(UnfitConverter) {
        return try catalogue.converter(
          entity: entity.name, property: property.name, type: property.modelType,
          flags: property.flags)
      } catch {
        throw DumpError("\(error)", kind: .configuration, position: error.position)
      }
    }
  }

  /// Creates converters from a function.
  public init(
    text: [UInt8],
    converter:
      @escaping @Sendable (_ entity: EntitySchema, _ property: PropertySchema) throws(DumpError)
      -> (any JSONConverter)?
  ) {
    self.text = text
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
