package import BoxEngine
package import BoxModel

/// The tables that an export makes in a database, resolved against a store.
package struct DatabasePlan: Sendable {
  /// A column: a property of an entity, or the id of one whose model has no property for it.
  package struct Column: Sendable {
    /// The name of the property.
    package let name: String
    /// The property; nil for an id without one.
    package let property: PropertySchema?
    /// The values of the column.
    package let content: Content
    /// The position of the table with the targets of a relation to one; nil for anything else, and
    /// where that entity is not exported.
    package let target: Int?
    /// The converter of the property, which a view can use; nil for a redacted one.
    ///
    /// Columns have the stored values.
    package let converter: (any JSONConverter)?
  }

  /// The values of a column.
  package enum Content: Sendable {
    /// The id of the object.
    case id
    /// The values as they are stored.
    case stored
    /// Arrays of JSON.
    case json(ColumnForm)
    /// Other values in place of all that are not null, as text if they replace arrays of JSON.
    case redacted(Redaction, isText: Bool)
    /// Hashes in place of all values that are not null.
    case hashed(RedactionKey)
  }

  /// The table of an entity.
  package struct Table: Sendable {
    /// The entity.
    package let entity: EntitySchema
    /// The columns in the order of the model; one of them has the id.
    package let columns: [Column]
  }

  /// The table of a relation to many.
  package struct Relation: Sendable {
    /// `Entity.relation`.
    package let name: String
    /// The name of the relation alone.
    package let member: String
    /// The positions of the tables of the sources and of the targets.
    package let source: Int, target: Int
  }

  /// The tables of the entities, in the order of the model.
  package let tables: [Table]
  /// The tables of the relations to many.
  package let relations: [Relation]
  /// The model as a text of JSON.
  package let model: [UInt8]
  /// The rules about removals as a text of JSON; nil without any.
  package let rules: [UInt8]?
  /// The catalogue of converters as a text of JSON; nil for raw values.
  package let converters: [UInt8]?
  /// The selection of the export as a text of JSON.
  package let options: [UInt8]
  /// Whether damaged objects are left out, so that a unique value can occur twice.
  package let salvages: Bool

  /// Creates the tables of a plan.
  ///
  /// - Throws: ``DumpError`` if a vector has no form.
  init(
    _ plan: ExportPlan, _ options: ExportOptions, _ header: DumpHeader
  ) throws(DumpError) {
    var tables: [Table] = []
    for entity in plan.entities {
      var columns: [Column] = []
      if let name = entity.schema.addedIDName {
        columns.append(
          Column(name: name, property: nil, content: .id, target: nil, converter: nil))
      }
      for (property, form) in entity.properties {
        var converter: (any JSONConverter)?
        if case .converted(let found) = form { converter = found }
        columns.append(
          Column(
            name: property.name, property: property,
            content: try Content(property, form, of: entity.schema, options.database ?? .blob),
            target: plan.entities.firstIndex { $0.schema.uid == property.target },
            converter: converter))
      }
      tables.append(Table(entity: entity.schema, columns: columns))
    }
    self.tables = tables
    relations = plan.relations.map {
      Relation(name: $0.name, member: $0.schema.name, source: $0.source, target: $0.target)
    }
    model = header.model
    rules = header.rules
    converters = header.converters
    self.options = header.selectionText
    salvages = options.salvages
  }
}

extension DatabasePlan.Content {
  /// The values of a property that an export writes in a form.
  fileprivate init(
    _ property: PropertySchema, _ form: WrittenForm, of entity: EntitySchema,
    _ vectors: VectorForm
  ) throws(DumpError) {
    if property.flags.contains(.id) {
      self = .id
      return
    }
    let isText = property.type.traits.isVector && (property.type != .floats || vectors == .json)
    switch form {
    case .redacted(.constant(let text)):
      self = .redacted(text == Self.null ? .null : .mask, isText: isText)
    case .redacted(.hash(let key)): self = .hashed(key)
    default:
      // As they are stored: a converter is for the view.
      self = isText ? .json(try ColumnForm(property, of: entity, ValueForm())) : .stored
    }
  }

  private static let null = Array("null".utf8)
}
