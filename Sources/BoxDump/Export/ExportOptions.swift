public import BoxConvert
public import BoxEngine
internal import BoxJSON

/// The selection of an export, and its format.
public struct ExportOptions: Sendable {
  /// The layout of the parts.
  public var shape = DumpShape.lines
  /// The entities; nil for all.
  public var entities: [String]?
  /// The properties and relations as `Entity.property`; nil for all.
  ///
  /// An entity without any of them is exported with all its fields; the id is always written.
  public var fields: [String]?
  /// A condition on the objects of one entity; the others are exported completely.
  public var condition: String?
  /// The maximum number of exported objects of each entity; nil for all.
  public var limit: Int?
  /// The form of 64-bit integers.
  public var integers = IntegerForm.number
  /// The form of dates.
  public var dates = DateForm.number
  /// The form of bytes.
  public var bytes = BytesForm.base64
  /// The properties whose values are replaced, with their redactions.
  public var redactions: [DumpHeader.RedactedProperty] = []
  /// The converters; nil for raw values.
  public var converters: ExportConverters?
  /// The compression of the files.
  public var compression = Compression.none
  /// Whether damaged objects and entries are left out and counted instead of causing an error.
  ///
  /// The export takes longer then, and memory grows with the number of damaged objects.
  public var salvages = false
  /// The form of tables to write instead of a dump; nil for a dump.
  ///
  /// With the ``shape`` of a directory each entity is a file; with any other shape there is one entity
  /// in one file.
  public var table: TableForm?
  /// The maximum number of objects, or of sources of a relation, in a file of a directory; nil for one file of each.
  public var rowsPerFile: Int?
  /// The programs for which a directory of lines gets files with the types of the values.
  package var schemas: [SchemaReader] = []
  /// The form of vectors of floats in the database that is filled; nil for files.
  package var database: VectorForm?
  /// The objects and entries to write, as they are in the transaction that is open; nil for all that the other options
  /// select.
  ///
  /// The store as a whole is not verified then.
  package var chosen: ChosenObjects?
  /// The number of objects that one thread writes at a time: enough to make the cost of passing
  /// them on negligible, few enough for the cache.
  var batchSize = 1024

  /// Everything, as lines, uncompressed.
  public init() {}
}

/// The form of tables as delimited text (RFC 4180).
public struct TableForm: Hashable, Sendable {
  /// The ASCII character between fields.
  public var delimiter: Unicode.Scalar
  /// The field for null.
  public var null = ""
  /// The ending of the names of the files, without a period.
  public var ending: String

  /// Values separated by commas.
  public static let csv = TableForm(delimiter: ",", ending: "csv")
  /// Values separated by tabs.
  public static let tsv = TableForm(delimiter: "\t", ending: "tsv")

  /// Requires a delimiter and a field for null that an import can tell from values.
  ///
  /// - Throws: ``DumpError`` of kind `usage`.
  func requireValid() throws(DumpError) {
    if !InputForm.isDelimiter(delimiter) {
      throw DumpError(
        "\(String(delimiter).quotedForDisplay) cannot separate fields", kind: .usage)
    }
    if null.unicodeScalars.contains(where: {
      $0 == delimiter || "\"\r\n".unicodeScalars.contains($0)
    }) {
      throw DumpError(
        "the field for null cannot contain quotes, the delimiter or the end of a line", kind: .usage
      )
    }
  }

  /// The fields of the tables.
  var text: DelimitedText {
    DelimitedText(delimiter: UInt8(truncatingIfNeeded: delimiter.value), null: Array(null.utf8))
  }
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
      do throws(IncompatibleConverter) {
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

extension ExportConverters {
  /// The converters by which a condition looks up the names of values.
  var ofConditions: ConditionConverters {
    let converter = converter
    return ConditionConverters { (entity, property) throws(ConditionError) in
      do throws(DumpError) {
        return try converter(entity, property)
      } catch {
        throw ConditionError("\(error)")
      }
    }
  }
}

/// The progress of an export.
public struct ExportProgress: Hashable, Sendable {
  /// The name of the entity or the relation that is being written.
  public var name: String
  /// The objects and entries read so far, in all entities and relations.
  public var done: Int
  /// The number of objects and entries in all.
  public var total: Int
}
