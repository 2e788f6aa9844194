internal import BoxDump
internal import BoxEngine
internal import BoxModel

/// A column of the rows that a query lists.
struct RowColumn {
  /// The key in JSON: the path of a property, or the name of a to-many relation.
  let name: String
  private let kind: Kind

  private enum Kind {
    case own(ColumnForm)
    case path(QueryColumn, ColumnForm)
    case targets(RelationSchema, quoted: Bool)
  }

  /// All properties of an entity, as dumps have them.
  ///
  /// - Throws: `DumpError` if a converter does not fit its property.
  static func all(
    of entity: EntitySchema, _ values: ValueForm
  ) throws(DumpError) -> [RowColumn] {
    var columns: [RowColumn] = []
    if let name = entity.addedIDName {
      columns.append(RowColumn(name: name, kind: .own(try ColumnForm(nil, of: entity, values))))
    }
    for property in entity.properties {
      columns.append(
        RowColumn(
          name: property.name, kind: .own(try ColumnForm(property, of: entity, values))))
    }
    return columns
  }

  /// All properties of an entity, and its to-many relations.
  ///
  /// A relation that has the name of a property is left out.
  ///
  /// - Throws: `DumpError` if a converter does not fit its property.
  static func all(
    of entity: EntitySchema, in store: ObjectStore, _ values: ValueForm
  ) throws -> [RowColumn] {
    let columns = try all(of: entity, values)
    let names = Set(columns.map(\.name))
    return try columns
      + entity.relations.filter { !names.contains($0.name) }.map {
        try RowColumn(NamePath.quoted($0.name), of: entity, in: store, values)
      }
  }

  private init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Finds the column of a path.
  ///
  /// - Throws: `ConditionError` for a name that there is not, `DumpError` if a converter does not fit the
  ///   property.
  init(
    _ path: String, of entity: EntitySchema, in store: ObjectStore, _ values: ValueForm
  ) throws {
    let single = NamePath.name(path) { entity.hasMember(named: $0) || $0 == entity.addedIDName }
    if let relation = entity.relation(named: single), entity.property(named: single) == nil {
      name = single
      kind = .targets(relation, quoted: values.integers == .string)
    } else if single == entity.addedIDName {
      name = single
      kind = .own(try ColumnForm(nil, of: entity, values))
    } else {
      let column = try store.column(path, of: entity)
      name = column.name
      let form = try ColumnForm(column.property, of: column.entity, values)
      kind = column.isOwn ? .own(form) : .path(column, form)
    }
  }

  /// Appends the value of an object: an array of all values for a path over a to-many relation, null
  /// where a to-one relation has no target.
  ///
  /// - Throws: `DumpError` if a value cannot be written, `StoreError` if the store cannot be read.
  func append(
    _ id: UInt64, _ record: borrowing RecordView, _ transaction: Transaction,
    to cells: inout RowCells
  ) throws {
    switch kind {
    case .own(let form): try cells.append(form, id, record)
    case .path(let column, let form):
      var list = CellList(isArray: column.isToMany)
      var failure: DumpError?
      cells.begin(list)
      try transaction.visitEnds(of: column, id, record) { id, record in
        do throws(DumpError) {
          if failure != nil { return }
          cells.separate(&list)
          try cells.append(form, id, record)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      cells.end(list)
    case .targets(let relation, let quoted):
      var list = CellList(isArray: true)
      cells.begin(list)
      for target in try transaction.targets(relation, of: id) {
        cells.separate(&list)
        cells.append(Int128(target), quoted: quoted)
      }
      cells.end(list)
    }
    cells.endCell()
  }
}

/// The state of a cell that takes any number of values, or one or none.
private struct CellList {
  let isArray: Bool
  var isEmpty = true
}

extension RowCells {
  fileprivate mutating func begin(_ list: CellList) {
    if list.isArray { beginArray() }
  }

  fileprivate mutating func separate(_ list: inout CellList) {
    if !list.isEmpty { append(raw: ",") }
    list.isEmpty = false
  }

  fileprivate mutating func end(_ list: CellList) {
    if list.isArray {
      endArray()
    } else if list.isEmpty {
      append(raw: "null")
    }
  }
}
