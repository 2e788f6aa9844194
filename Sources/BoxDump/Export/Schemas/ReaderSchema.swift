internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// A program that reads the lines of a directory, and needs their types.
package enum SchemaReader: String, Hashable, Sendable, CaseIterable {
  /// Statements of SQL that create a view of each file.
  case duckdb
  /// The JSON of a schema of Spark.
  case spark

  /// The ending of a file name, which follows the name of the file with the lines.
  var ending: String {
    switch self {
    case .duckdb: ".duckdb.sql"
    case .spark: ".spark.json"
    }
  }
}

/// The files with the lines of an entity or of a relation to many.
struct SchemaFiles: Sendable {
  /// The names of the files, in their order; at least one.
  var names: [String]
  /// The number of bytes of the longest line, without its end.
  var longestLine = 0
}

/// The types of the values in the lines of an entity or of a relation to many.
struct ReaderSchema: Sendable {
  /// A member of the objects.
  struct Column: Sendable {
    var name: String
    var type: ReaderType
  }

  /// The name of the entity, or `Entity.relation`.
  let name: String
  let columns: [Column]
  /// Whether the lines are entries of a relation to many.
  let isRelation: Bool
  /// The programs that get a file with the types.
  let readers: [SchemaReader]

  /// The types of an entity.
  init(_ entity: ExportPlan.EntityPlan, _ options: ExportOptions) {
    let quotesIDs = options.integers == .string
    readers = options.schemas
    name = entity.schema.name
    isRelation = false
    let id = ReaderType.integer(bits: 64, isUnsigned: false, isQuoted: quotesIDs)
    var columns: [Column] = []
    if let name = entity.schema.addedIDName { columns.append(Column(name: name, type: id)) }
    for (property, form) in entity.properties {
      let isID = property.flags.contains(.id)
      columns.append(
        Column(name: property.name, type: isID ? id : ReaderType(property, form, quotesIDs)))
    }
    self.columns = columns
  }

  /// The types of a relation to many.
  init(_ relation: ExportPlan.RelationPlan, _ options: ExportOptions) {
    let quotesIDs = options.integers == .string
    readers = options.schemas
    name = relation.name
    isRelation = true
    let id = ReaderType.integer(bits: 64, isUnsigned: false, isQuoted: quotesIDs)
    columns = [Column(name: "source", type: id), Column(name: "targets", type: .array(id))]
  }

  /// The text of the file for a reader.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - files: The files with the lines.
  ///   - views: The names of the views that exist, among which the new one is taken.
  /// - Returns: The text.
  func text(
    for reader: SchemaReader, of files: SchemaFiles, _ views: inout SQLNames
  ) -> String {
    switch reader {
    case .duckdb: DuckDBView(self, of: files, &views).statement
    case .spark: sparkSchema.text(indent: 2) + "\n"
    }
  }

  private var sparkSchema: JSONValue {
    let fields = columns.map { column -> JSONValue in
      [
        "name": .string(column.name), "type": column.type.spark, "nullable": true,
        "metadata": .object([]),
      ]
    }
    return ["type": "struct", "fields": .array(fields)]
  }
}

/// The type of the values of a member.
indirect enum ReaderType: Hashable, Sendable {
  case bool
  case integer(bits: Int, isUnsigned: Bool, isQuoted: Bool)
  /// A number with a fraction, or a text for what JSON has no number for.
  case number(bits: Int)
  case text
  case base64
  /// `\x` and hexadecimal digits.
  case hex
  /// The number of units since 1970.
  case date(TimeUnit, isUnsigned: Bool, isQuoted: Bool)
  /// ISO 8601; the number beyond the years 1 to 9999.
  case writtenDate(TimeUnit)
  case array(ReaderType)

  /// The type of a property in a form.
  init(_ property: PropertySchema, _ form: WrittenForm, _ quotesIDs: Bool) {
    switch form {
    case .redacted(.hash): self = Self(hash: property, quotesIDs)
    case .redacted(.constant): self = Self(plain: property, WrittenForm(property, .number, .number))
    // Any JSON, of which a reader has the text.
    case .converted: self = .text
    default: self = Self(plain: property, form)
    }
  }

  private init(plain property: PropertySchema, _ form: WrittenForm) {
    if case .array(let element) = form {
      self = .array(Self(plain: property, element))
      return
    }
    self =
      switch form {
      case .bool: .bool
      case .int8: .integer(bits: 8, isUnsigned: false, isQuoted: false)
      case .uint8: .integer(bits: 8, isUnsigned: true, isQuoted: false)
      case .int16: .integer(bits: 16, isUnsigned: false, isQuoted: false)
      case .uint16: .integer(bits: 16, isUnsigned: true, isQuoted: false)
      case .int32: .integer(bits: 32, isUnsigned: false, isQuoted: false)
      case .uint32: .integer(bits: 32, isUnsigned: true, isQuoted: false)
      case .int64(let quoted): Self(wide: property, isUnsigned: false, quoted)
      case .uint64(let quoted): Self(wide: property, isUnsigned: true, quoted)
      case .float: .number(bits: 32)
      case .double: .number(bits: 64)
      case .base64: .base64
      case .hex: .hex
      case .date: property.modelType.traits?.unit.map { .writtenDate($0) } ?? .text
      default: .text
      }
  }

  private init(wide property: PropertySchema, isUnsigned: Bool, _ isQuoted: Bool) {
    if let unit = property.modelType.traits?.unit {
      self = .date(unit, isUnsigned: isUnsigned, isQuoted: isQuoted)
    } else {
      self = .integer(bits: 64, isUnsigned: isUnsigned, isQuoted: isQuoted)
    }
  }

  private init(hash property: PropertySchema, _ isQuoted: Bool) {
    self =
      switch property.type {
      case .string: .text
      case .bytes: .base64
      default: .integer(bits: 64, isUnsigned: false, isQuoted: isQuoted)
      }
  }

  /// The type as the JSON of a schema of Spark.
  fileprivate var spark: JSONValue {
    switch self {
    case .bool: "boolean"
    // In quotes it is a text for Spark, which casts it exactly.
    case .integer(_, _, isQuoted: true), .date(_, _, isQuoted: true): "string"
    case .integer(8, false, _): "byte"
    case .integer(8, true, _), .integer(16, false, _): "short"
    case .integer(16, true, _), .integer(32, false, _): "integer"
    case .integer(64, true, _), .date(_, isUnsigned: true, _): "decimal(20,0)"
    case .integer, .date: "long"
    case .number(let bits): bits == 32 ? "float" : "double"
    case .base64: "binary"
    case .writtenDate(.milliseconds): "timestamp"
    // A timestamp of Spark has microseconds.
    case .text, .hex, .writtenDate: "string"
    case .array(let element):
      ["type": "array", "elementType": element.spark, "containsNull": false]
    }
  }
}
