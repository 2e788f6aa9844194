internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// The view of a table, which shows values as people read them.
struct SQLiteView {
  let table: SQLiteLayout.Table

  /// The name of the elements of a vector in a statement, which no table has.
  static let elements = "boxjoint_elements"

  /// The largest statement in bytes: SQLite takes a million.
  private static let maximumSize = 900_000

  /// The statement that creates the view.
  ///
  /// Where it would be too large, the view shows the values of enums and not their names, and if need be all values as
  /// the table has them.
  var statement: String {
    for withNames in [true, false] {
      let statement = statement(withNames: withNames)
      if statement.utf8.count <= Self.maximumSize { return statement }
    }
    return "CREATE VIEW \(table.view.sqlName) AS SELECT * FROM \(table.name.sqlName)"
  }

  private func statement(withNames: Bool) -> String {
    let columns = zip(table.table.columns, table.columns).map { column, name in
      let shown = expression(column, name.sqlName, withNames: withNames)
      return shown == name.sqlName ? shown : "\(shown) AS \(name.sqlName)"
    }
    return "CREATE VIEW \(table.view.sqlName) AS SELECT \(columns.joined(separator: ", ")) "
      + "FROM \(table.name.sqlName)"
  }

  /// The expression for the values of a column.
  private func expression(
    _ column: DatabasePlan.Column, _ name: String, withNames: Bool
  ) -> String {
    guard let property = column.property else { return name }
    let isCharacter =
      property.modelType.traits?.json == .character && !property.type.traits.isVector
    switch column.content {
    case .stored: break
    case .redacted(.mask, _) where isCharacter: return Self.character(name)
    case .json:
      guard let unit = property.modelType.traits?.unit, !property.type.traits.isUnsigned,
        column.converter == nil
      else { return name }
      return dates(name, unit)
    default: return name
    }
    let plain =
      switch property.type {
      case .uint64: "CASE WHEN \(name) < 0 THEN printf('%llu', \(name)) ELSE \(name) END"
      // With the name of the table: the numbers of digits have a column of their own.
      case .float: Self.shortest("\(table.name.sqlName).\(name)")
      default: name
      }
    if let converter = column.converter {
      return withNames ? Self.names(converter, property, name, plain) ?? plain : plain
    }
    if let unit = property.modelType.traits?.unit, !property.type.traits.isVector {
      return Self.date(name, unit, isUnsigned: property.type == .uint64, plain)
    }
    return isCharacter ? Self.character(name) : plain
  }

  /// A UTF-16 unit as a text; the number of half of a pair.
  private static func character(_ name: String) -> String {
    "CASE WHEN \(name) IS NULL OR \(name) BETWEEN 55296 AND 57343 THEN \(name) "
      + "ELSE char(\(name)) END"
  }

  // MARK: - Numbers

  /// A number of 32 bits with the fewest digits that are nearest to it, as `0.1` in place of
  /// `0.10000000149011612`.
  ///
  /// SQLite has no such type, so a decimal is rounded to 24 bits by the method of Veltkamp, and below the smallest
  /// normal number by the last bit that there is.
  private static func shortest(_ name: String) -> String {
    let decimal = "CAST(printf('%.*g', \(elements).column1, \(name)) AS REAL)"
    let splitter = "\(1 << (Double.significandBitCount - Float.significandBitCount) + 1).0"
    // The sum has the smallest number of 32 bits for its last bit.
    let shift = "\(1.5 * Double(Float.leastNonzeroMagnitude) / Double.ulpOfOne)"
    let counts = (1...9).map { "(\($0))" }.joined(separator: ", ")
    return """
      coalesce((SELECT \(decimal) FROM (VALUES \(counts)) AS \(elements) WHERE \(name) = \
      CASE WHEN abs(\(name)) < \(Double(Float.leastNormalMagnitude)) THEN \(decimal) + \(shift) - \(shift) \
      ELSE \(decimal) * \(splitter) - (\(decimal) * \(splitter) - \(decimal)) END LIMIT 1), \(name))
      """
  }

  // MARK: - Dates

  /// A date as ISO 8601 in UTC; the number beyond the years 1 to 9999.
  private static func date(
    _ name: String, _ unit: TimeUnit, isUnsigned: Bool, _ plain: String
  ) -> String {
    let (perSecond, years) = (unit.perSecond, ISO8601.seconds)
    let first = isUnsigned ? 0 : times(years.lowerBound, perSecond) ?? .min
    let last = times(years.upperBound, perSecond)?.addingReportingOverflow(perSecond - 1)
      .partialValue
    // The quotient is rounded to zero, and a comparison is 0 or 1.
    let seconds = "\(name) / \(perSecond) - (\(name) % \(perSecond) < 0)"
    let rest = "(\(name) % \(perSecond) + \(perSecond)) % \(perSecond)"
    return "CASE WHEN \(name) BETWEEN \(first) AND \(last ?? .max) THEN "
      + "strftime('%Y-%m-%dT%H:%M:%S', \(seconds), 'unixepoch') "
      + "|| printf('.%0\(unit.digits)dZ', \(rest)) ELSE \(plain) END"
  }

  /// A vector of dates, which are in an array of JSON.
  private func dates(_ name: String, _ unit: TimeUnit) -> String {
    let value = Self.elements + ".value"
    let date = Self.date(value, unit, isUnsigned: false, value)
    // With the name of the table: the elements have columns of their own.
    return "CASE WHEN \(name) IS NOT NULL THEN (SELECT json_group_array(\(date)) "
      + "FROM json_each(\(table.name.sqlName).\(name)) AS \(Self.elements)) END"
  }

  private static func times(_ seconds: Int64, _ perSecond: Int64) -> Int64? {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: perSecond)
    return overflow ? nil : product
  }

  // MARK: - Names

  /// The names of values that a converter lists; nil if it lists none.
  private static func names(
    _ converter: any JSONConverter, _ property: PropertySchema, _ name: String, _ plain: String
  ) -> String? {
    var values: [(literal: String, shown: String)] = []
    for word in converter.names {
      // Further names of a value are read, and not shown.
      guard let value = try? converter.stored(named: word), let literal = value.literal,
        let shown = try? converter.json(value), shown == .string(word), let text = word.sqlText
      else { continue }
      values.append((literal, text))
    }
    if values.isEmpty { return nil }
    var text = "CASE"
    if let shown = shown(.null, converter) { text += " WHEN \(name) IS NULL THEN \(shown)" }
    for value in values { text += " WHEN \(name) = \(value.literal) THEN \(value.shown)" }
    let other = unknownValue(property.type, values.map(\.literal)).flatMap { shown($0, converter) }
    return text + " ELSE \(other ?? plain) END"
  }

  /// The literal of what a converter shows for a value; nil if it shows the value itself.
  private static func shown(_ value: Value, _ converter: any JSONConverter) -> String? {
    switch try? converter.json(value) {
    case .string(let text): text.sqlText
    case .null: "NULL"
    default: nil
    }
  }

  /// A value that has no name; nil if every value has one, or if it is not known.
  private static func unknownValue(_ type: SlotType, _ literals: [String]) -> Value? {
    switch type.traits.form {
    case .integer:
      let number = (0..<128).first { !literals.contains("\($0)") }
      guard let number else { return nil }
      return type.traits.isUnsigned ? .unsigned(UInt64(number)) : .integer(Int64(number))
    case .string: return .string("\u{1}")
    default: return nil
    }
  }
}

extension Value {
  /// The value as a literal of SQL; nil for null, numbers with a fraction, bytes and vectors.
  fileprivate var literal: String? {
    switch self {
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(Int64(bitPattern: value))"
    case .string(let text): text.sqlText
    default: nil
    }
  }
}
