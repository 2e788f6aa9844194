internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// The terms of rows, checked against the entity of a query.
struct AttributePlan {
  private enum Shape {
    /// A row for each object.
    case objects([RowTerm])
    /// A row for each group of objects; one for all without keys.
    case groups([GroupTerm], by: [RowTerm])
  }

  /// The names of the values, each once.
  let names: [String]
  private let terms: [RowTerm]
  private let shape: Shape

  /// Checks terms.
  ///
  /// - Parameters:
  ///   - terms: The values of a row.
  ///   - keys: The values by which objects are grouped.
  ///   - box: The box of the objects.
  ///   - isNamed: Whether the values are known by their names, which must differ then.
  /// - Throws: ``ObjectBoxError/schema(message:)`` for a property or relation that the model lacks, and
  ///   ``ObjectBoxError/illegalArgument(message:)`` for a name that occurs twice, an aggregate that its
  ///   property does not have, and a value that is neither an aggregate nor a key where there are groups.
  init<E>(
    _ terms: [AttributeTerm<E>], by keys: [AttributeTerm<E>], _ box: Box<E>, isNamed: Bool = true
  ) throws {
    let resolver = ConditionResolver(box.storeCore.engine)
    let resolved = try terms.map { try resolver.row($0.kind, box) }
    self.terms = resolved.map(\.term)
    names = zip(terms, resolved).map { $0.alias ?? $1.name }
    if isNamed { try Self.requireNamesOnce(names) }
    if terms.isEmpty {
      throw ObjectBoxError.illegalArgument(message: "no attribute is selected; pass at least one")
    }
    let hasAggregates = resolved.contains { !$0.term.isOfObject }
    if keys.isEmpty && !hasAggregates {
      shape = .objects(self.terms)
      return
    }
    let keyTerms = try keys.map { key in
      let row = try resolver.row(key.kind, box)
      guard row.term.isOfObject else {
        throw ObjectBoxError.illegalArgument(
          message: "\(row.name) is of many objects and cannot be a key of groups; group by values")
      }
      try ObjectBoxError.wrapping { try row.term.check(isKey: true) }
      return row.term
    }
    let grouped = try zip(terms, resolved).map { term, row -> GroupTerm in
      if case .aggregate(let aggregate, let column) = row.term {
        return .aggregate(aggregate, column)
      }
      guard let index = keys.firstIndex(where: { $0.kind == term.kind }) else {
        throw ObjectBoxError.illegalArgument(
          message: "\(row.name) has a value for each object of a group; "
            + "group by it, or leave the aggregates out")
      }
      return .key(index)
    }
    shape = .groups(grouped, by: keyTerms)
  }

  private static func requireNamesOnce(_ names: [String]) throws {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw ObjectBoxError.illegalArgument(
        message: "two attributes have the name \(name); give one another name with `as:`")
    }
  }

  /// Visits the rows of a query.
  func visit<E>(
    _ query: Query<E>, _ window: ResultWindow, _ body: ([PropertyValue?]) throws -> Void
  ) throws {
    try query.reading(isOrdered: true) { transaction, prepared in
      switch shape {
      case .objects(let terms):
        try transaction.visitRows(
          prepared, terms, offset: window.offset, limit: window.limit
        ) { row in
          // A row that does not fit ends the visit with its error.
          try body(try values(row))
          return .next
        }
      case .groups(let terms, let keys):
        let rows = try transaction.groupRows(prepared, terms, by: keys)
        for row in window.slice(rows) { try body(try values(row)) }
      }
    }
  }

  private func values(_ row: [RowValue]) throws -> [PropertyValue?] {
    try zip(row, zip(terms, names)).map { value, term in try term.0.value(value, term.1) }
  }
}

extension RowTerm {
  /// The value for the application.
  fileprivate func value(_ value: RowValue, _ name: String) throws -> PropertyValue? {
    switch value {
    case .sum(let exact):
      if let small = Int64(exactly: exact) { return .integer(small) }
      if let large = UInt64(exactly: exact) { return .unsigned(large) }
      throw ObjectBoxError.stdOverflow(
        message: "\(name) is \(exact) and does not fit into 64 bits; use average")
    case .value(let value):
      guard let column = valueColumn else { return PropertyValue(value, unit: nil) }
      if column.property.target != nil, value == .unsigned(0) { return nil }
      return PropertyValue(value, unit: column.property.modelType.traits?.unit)
    }
  }

  /// The column of a term that returns stored values unchanged.
  private var valueColumn: QueryColumn? {
    switch self {
    case .value(let column), .aggregate(.maximum, let column), .aggregate(.minimum, let column):
      column
    default: nil
    }
  }
}

extension ConditionResolver {
  /// The term of the engine, and its default name.
  fileprivate func row<E>(
    _ kind: AttributeTerm<E>.Kind, _ box: Box<E>
  ) throws -> (term: RowTerm, name: String) {
    let entity = box.core.schema
    switch kind {
    case .id:
      guard let position = entity.idPosition else {
        throw ObjectBoxError.schema(
          message: "\(entity.name) has no id property in the model; generate the model again")
      }
      let name = entity.properties[position].name
      return (.value(try column(name, entity)), name)
    case .value(let id, let type):
      let (name, column) = try column(id, type, entity)
      return (.value(column), name)
    case .aggregate(let aggregate, let id, let type):
      let (name, column) = try column(id, type, entity)
      let term = RowTerm.aggregate(aggregate, column)
      try ObjectBoxError.wrapping { try term.check(isKey: false) }
      return (term, "\(aggregate.rawValue)(\(name))")
    case .targets(let link):
      let (count, name) = try targets(link, of: entity)
      return (.targets(count), "count(\(name))")
    }
  }
}
