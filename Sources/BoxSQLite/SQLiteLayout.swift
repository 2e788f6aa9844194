internal import BoxDump
internal import BoxEngine
internal import BoxModel

/// The names of all tables, columns, indexes and views of a database.
///
/// Tables, indexes and views share their names.
struct SQLiteLayout {
  /// The table of an entity.
  struct Table {
    let table: DatabasePlan.Table
    let name: String
    let columns: [String]
    var view = ""
  }

  /// A name that differs from the one in the model.
  struct ChangedName {
    let kind: String
    let entity: String
    let member: String?
    let name: String
  }

  /// The names of the tables about the export, and those that views use.
  static let ownTables = [
    SQLiteExactValues.name, "boxjoint_names", "boxjoint_model", "boxjoint_end",
    SQLiteView.elements, "json_each",
  ]

  let plan: DatabasePlan
  private(set) var tables: [Table] = []
  /// The names of the tables of the relations to many.
  private(set) var relations: [String] = []
  /// The names that are other than in the model.
  private(set) var changed: [ChangedName] = []
  private var names = SQLNames.sqlite(Self.ownTables)

  init(_ plan: DatabasePlan) {
    self.plan = plan
    for table in plan.tables {
      let entity = table.entity.name
      let name = take(entity, kind: "entity", of: entity, nil)
      var own = SQLNames.sqlite()
      let columns = table.columns.map { column in
        let name = own.take(column.name)
        note(name, for: column.name, "property", entity, column.name)
        return name
      }
      tables.append(Table(table: table, name: name, columns: columns))
    }
    for relation in plan.relations {
      let entity = plan.tables[relation.source].entity.name
      relations.append(take(relation.name, kind: "relation", of: entity, relation.member))
    }
    for position in tables.indices {
      let entity = tables[position].table.entity.name
      tables[position].view = take(entity + "_view", kind: "view", of: entity, nil)
    }
  }

  private mutating func take(
    _ wanted: String, kind: String, of entity: String, _ member: String?
  ) -> String {
    let name = names.take(wanted)
    note(name, for: wanted, kind, entity, member)
    return name
  }

  private mutating func note(
    _ name: String, for wanted: String, _ kind: String, _ entity: String, _ member: String?
  ) {
    if name.utf8.elementsEqual(wanted.utf8) { return }
    changed.append(ChangedName(kind: kind, entity: entity, member: member, name: name))
  }

  // MARK: - Statements

  /// The statement that creates the table of an entity.
  func tableStatement(_ position: Int) -> String {
    let table = tables[position]
    let columns = zip(table.table.columns, table.columns).map { column, name in
      let type = column.content.isID ? "INTEGER PRIMARY KEY" : column.typeName
      return name.sqlName + " " + type + reference(to: column.target)
    }
    return "CREATE TABLE \(table.name.sqlName) (\(columns.joined(separator: ", "))) STRICT"
  }

  /// The statement that creates the table of a relation to many.
  func relationStatement(_ position: Int) -> String {
    let relation = plan.relations[position]
    return """
      CREATE TABLE \(relations[position].sqlName) \
      (source INTEGER NOT NULL\(reference(to: relation.source)), \
      target INTEGER NOT NULL\(reference(to: relation.target)), \
      PRIMARY KEY (source, target)) STRICT, WITHOUT ROWID
      """
  }

  /// Deferred, so that rows of several tables can be changed in any order where a program enforces it.
  private func reference(to table: Int?) -> String {
    guard let table = table.map({ tables[$0] }),
      let (_, id) = zip(table.table.columns, table.columns).first(where: { $0.0.content.isID })
    else { return "" }
    // With the column, which is the key anyway: Datasette shows no table whose references leave it out.
    return " REFERENCES \(table.name.sqlName)(\(id.sqlName)) DEFERRABLE INITIALLY DEFERRED"
  }

  /// The statements that create the indexes, which is fastest after all rows are inserted.
  mutating func indexStatements() -> [String] {
    var statements: [String] = []
    for table in tables {
      for (column, name) in zip(table.table.columns, table.columns) {
        guard let index = column.property?.index, !column.content.isID else { continue }
        let isUnique = index.isUnique && column.keepsUniqueness && !plan.salvages
        let entity = table.table.entity.name
        let indexName = names.take(entity + "." + column.name)
        statements.append(
          "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(indexName.sqlName) "
            + "ON \(table.name.sqlName) (\(name.sqlName))"
            + (isUnique && column.allowsSeveralZeros ? " WHERE \(name.sqlName) <> 0" : ""))
      }
    }
    for (relation, name) in zip(plan.relations, relations) {
      statements.append(
        "CREATE INDEX \(names.take(relation.name + ".target").sqlName) ON \(name.sqlName) (target)")
    }
    return statements
  }
}

extension DatabasePlan.Content {
  var isID: Bool { if case .id = self { true } else { false } }
}

extension DatabasePlan.Column {
  /// The type of the column in a strict table.
  fileprivate var typeName: String {
    guard let type = property?.type else { return "INTEGER" }
    switch content {
    case .id: return "INTEGER"
    case .json, .redacted(_, isText: true): return "TEXT"
    case .stored, .redacted, .hashed: break
    }
    switch type.traits.form {
    case .bool, .integer: return "INTEGER"
    case .float, .double: return type.traits.isVector ? "BLOB" : "REAL"
    case .string: return "TEXT"
    case .bytes: return "BLOB"
    }
  }

  /// Whether a unique index ignores 0.
  fileprivate var allowsSeveralZeros: Bool {
    property?.flags.contains(.indexPartialSkipZero) == true
  }

  /// Whether different values are different in the column.
  ///
  /// All masks are equal, and 0.0 and -0.0 are.
  fileprivate var keepsUniqueness: Bool {
    if case .redacted(.mask, _) = content { return false }
    return property?.type != .float && property?.type != .double
  }
}
