package import BoxJSON
internal import BoxModel

/// The header of a dump: its format, its selection and its model; `docs/dumps.md` describes it.
public struct DumpHeader: Hashable, Sendable {
  /// A property whose values were replaced.
  public struct RedactedProperty: Hashable, Sendable {
    /// `Entity.property`.
    public var name: String
    /// The replacement of its values.
    public var redaction: Redaction

    /// Creates a redacted property.
    public init(_ name: String, _ redaction: Redaction) {
      self.name = name
      self.redaction = redaction
    }
  }

  /// The value of a property in objects that have none.
  public struct Constant: Hashable, Sendable {
    /// `Entity.property`.
    public var name: String
    /// The value in words.
    public var value: String

    /// Creates a constant.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The version of the format.
  public var version = DumpFormat.version
  /// The layout of the parts.
  public var shape: DumpShape
  /// The form of 64-bit integers; a reader accepts both forms.
  public var integers = IntegerForm.number
  /// The form of dates; a reader accepts both forms.
  public var dates = DateForm.number
  /// The form of bytes; a reader accepts both forms.
  public var bytes = BytesForm.base64
  /// The names of the entities that were exported, in the order of the model.
  public var entities: [String]
  /// The properties that were exported, as `Entity.property`; nil for all.
  public var fields: [String]?
  /// The condition that the objects fulfil, as text; nil for all.
  public var condition: String?
  /// The maximum number of exported objects of each entity; nil for all.
  public var limit: Int?
  /// The values that objects without one have in the store, as `Entity.property` and the words that
  /// `boxjoint store info` has for it; each exported object states its value.
  ///
  /// They say where values come from; an import does not need them.
  public var constants: [Constant] = []
  /// The properties whose values were replaced.
  public var redacted: [RedactedProperty] = []
  /// Whether an import can succeed: false if the redaction of a unique property makes it fail.
  public var isImportable = true
  /// The catalogue of converters as JSON text; nil for raw values.
  public var converters: [UInt8]?
  /// The rules about removals of the store as the text of a file of rules, in one line; nil without any.
  public var rules: [UInt8]?
  /// The model of the store as the text of a model file, in one line.
  public var model: [UInt8]

  /// Creates the header of a dump of everything.
  public init(shape: DumpShape, entities: [String], model: [UInt8]) {
    self.shape = shape
    self.entities = entities
    self.model = model
  }

  /// Whether fields, objects or values of the exported entities are missing or replaced.
  public var isPartial: Bool {
    fields != nil || condition != nil || limit != nil || !redacted.isEmpty
  }
}

extension DumpHeader {
  /// The header as one line of JSON, without a line feed.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  public var text: [UInt8] {
    var writer = JSONTextWriter(capacity: model.count + 1024)
    writer.append(raw: "{\"dump\":\(version)")
    Self.append("shape", .string(shape.rawValue), to: &writer)
    Self.append("integers", .string(integers.rawValue), to: &writer)
    Self.append("dates", .string(dates.rawValue), to: &writer)
    if bytes != .base64 { Self.append("bytes", .string(bytes.rawValue), to: &writer) }
    appendSelection(to: &writer)
    if let converters {
      writer.append(raw: ",\"converters\":")
      writer.append(raw: converters)
    }
    if let rules {
      writer.append(raw: ",\"rules\":")
      writer.append(raw: rules)
    }
    writer.append(raw: ",\"model\":")
    writer.append(raw: model)
    writer.append(raw: "}")
    return writer.bytes
  }

  /// The members about the selection alone, as one line of JSON, for a database.
  var selectionText: [UInt8] {
    var writer = JSONTextWriter(capacity: 1024)
    writer.append(raw: "{\"version\":\(version)")
    appendSelection(to: &writer)
    writer.append(raw: "}")
    return writer.bytes
  }

  private func appendSelection(to writer: inout JSONTextWriter) {
    Self.append("entities", .array(entities.map { .string($0) }), to: &writer)
    if let fields { Self.append("fields", .array(fields.map { .string($0) }), to: &writer) }
    if let condition { Self.append("where", .string(condition), to: &writer) }
    if let limit { Self.append("limit", .int(limit), to: &writer) }
    if !constants.isEmpty {
      Self.append(
        "constants", .object(constants.map { .init($0.name, .string($0.value)) }), to: &writer)
    }
    if !redacted.isEmpty {
      Self.append(
        "redacted", .object(redacted.map { .init($0.name, .string($0.redaction.rawValue)) }),
        to: &writer)
    }
    if !isImportable { Self.append("importable", false, to: &writer) }
  }

  private static func append(
    _ key: String, _ value: JSONValue, to writer: inout JSONTextWriter
  ) {
    writer.append(raw: ",\"\(key)\":")
    writer.append(value: value, indent: 0)
  }

  /// Reads a header.
  ///
  /// Members that this version does not know are ignored.
  ///
  /// - Parameters:
  ///   - node: The object of the header.
  ///   - document: The document that contains the object.
  ///   - line: The line of the file that the document begins on, for the places of errors.
  /// - Throws: ``DumpError``, with the place of the invalid member; the model is not parsed.
  package init(_ node: JSONNode, in document: JSONDocument, line: Int = 1) throws(DumpError) {
    let reader = try MemberReader(document, node, "the header", line: line)
    version = try reader.integer("dump")
    guard (1...DumpFormat.partsVersion).contains(version) else {
      throw reader.error(
        "the dump has format \(version); this version reads formats up to \(DumpFormat.partsVersion)",
        try reader.required("dump"))
    }
    shape = try reader.word(try reader.required("shape"), "shape")
    if let node = reader.node("integers") { integers = try reader.word(node, "integers") }
    if let node = reader.node("dates") { dates = try reader.word(node, "dates") }
    if let node = reader.node("bytes") { bytes = try reader.word(node, "bytes") }
    entities = try reader.strings("entities")
    if reader.node("fields") != nil { fields = try reader.strings("fields") }
    if let node = reader.node("where") { condition = try reader.string(node, "where") }
    if let node = reader.node("limit") { limit = try reader.integer(node, "limit") }
    if reader.node("constants") != nil {
      let members = try reader.object("constants", "\"constants\"")
      for (key, value) in document.memberNodes(of: members.object) {
        let name = document.key(key)
        constants.append(Constant(name, try members.string(value, name)))
      }
    }
    if reader.node("redacted") != nil {
      let members = try reader.object("redacted", "\"redacted\"")
      for (key, value) in document.memberNodes(of: members.object) {
        let name = document.key(key)
        redacted.append(RedactedProperty(name, try members.word(value, name)))
      }
    }
    if let node = reader.node("importable") {
      guard document.kind(of: node) == .bool else {
        throw reader.error("\"importable\" of the header is neither true nor false", node)
      }
      isImportable = document.text(of: node) == "true"
    }
    if reader.node("converters") != nil {
      let catalogue = try reader.object("converters", "\"converters\"")
      converters = document.compactText(of: catalogue.object)
    }
    if reader.node("rules") != nil {
      let file = try reader.object("rules", "\"rules\"")
      rules = document.compactText(of: file.object)
    }
    let model = try reader.object("model", "\"model\"")
    self.model = document.compactText(of: model.object)
  }
}
