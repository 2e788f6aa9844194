import BoxConvert
import BoxDump
import BoxJSON
import BoxModel
import TestSupport

/// A table that was not made for any model, in one of the forms in which programs write tables.
struct ForeignTable {
  /// The fields of each record; nil for null.
  private(set) var records: [[String?]] = []
  private(set) var columns: [String] = []
  let form: InputForm
  private let quotesAll: Bool
  private let ending: String
  private var random: SplitMix64

  private static let names = [
    "id", "name", "Name", "a.b", "year", "", "when", "tags", "x", "ID", "total", "code", "note",
  ]

  init(_ random: SplitMix64) {
    self.random = random
    var form = InputForm()
    if self.random.oneIn(3) { form.delimiter = self.random.pick([";", "|", "\t"]) }
    if self.random.oneIn(4) { form.null = self.random.pick(["NA", "\\N", "null"]) }
    quotesAll = self.random.oneIn(5)
    ending = self.random.pick(["\n", "\r\n"])
    columns = Array(self.random.shuffled(Self.names).prefix(1 + self.random.below(7)))
      .filter { !$0.isEmpty }
    if columns.isEmpty { columns = ["only"] }
    self.form = form
    let kinds = columns.map { _ in self.random.below(14) }
    for number in 1...(1 + self.random.below(8)) {
      let row = zip(columns, kinds).map { self.field($0, $1, number) }
      // A line without a field is not a record.
      records.append(row == [nil] ? ["x"] : row)
    }
  }

  private mutating func field(_ column: String, _ kind: Int, _ number: Int) -> String? {
    if column.lowercased() == "id", !random.oneIn(40) { return "\(number * 3)" }
    if random.oneIn(6) { return nil }
    switch random.oneIn(25) ? random.below(14) : kind {
    case 0: return "\(random.below(1000) - 500)"
    case 1: return random.pick(["0.5", "1.25", "-3.0", "7", "1e3"])
    case 2: return random.pick(["true", "false", "True", "FALSE"])
    case 3: return random.pick(["2024-02-29", "1999-12-31", "1066-10-14"])
    case 4: return random.pick(["2024-02-29T10:00:00Z", "2001-01-01T00:00:00.125Z"])
    case 5: return random.pick(["[1,2]", "[]", "[-3]", "[1, 2, 3]"])
    case 6: return random.pick([#"["a","b"]"#, "[]", #"["\"",""]"#])
    case 7: return random.pick(["0123", "00", "007", "+5", "1.", "12 "])
    case 8: return random.pick(["18446744073709551615", "9223372036854775808"])
    case 9: return random.pick(["0.1234567890123456789", "123456789012345678901234567890"])
    case 10: return random.pick([#"{"a":1}"#, "[1,", "{}", "[1] x", "[null]"])
    case 11: return random.pick(["", " ", "é", "a,b", "say \"x\"", "line\nfeed", "NaN", "null"])
    case 12: return random.pick(["2024-02-29T10:00:00.123456789Z", "2024-02-29"])
    default: return random.pick(["Ann", "Bo", "7", "true", "x;y|z", "tab\there"])
    }
  }

  /// The text of the table.
  var text: String {
    mutating get {
      var lines = [columns.map { quoted($0, isName: true) }]
      for record in records { lines.append(record.map { quoted($0, isName: false) }) }
      let separator = form.delimiter.map { String($0) } ?? ","
      return lines.map { $0.joined(separator: separator) + ending }.joined()
    }
  }

  private mutating func quoted(_ field: String?, isName: Bool) -> String {
    let null = form.null ?? ""
    guard let field else { return null }
    let special: Set<Character> = [
      "\"", "\n", "\r", "\r\n", form.delimiter.map(Character.init) ?? ",",
    ]
    let isNeeded =
      field.isEmpty || field == null || field.contains(where: special.contains)
      // A table of one column has no empty lines.
      || (columns.count == 1 && field.allSatisfy { $0 == " " })
    if !quotesAll, !isNeeded, isName || !random.oneIn(20) { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// The differences of a table in the form of an export, in words.
  func differences(from text: String, _ entity: InferredModel.Entity) -> [String] {
    var rows = Self.rows(of: text)
    let header = rows.removeFirst().map { $0 ?? "" }
    if rows.count != records.count { return ["\(rows.count) of \(records.count) records"] }
    var expected = records
    if let id = entity.members[0].source.flatMap({ $0.parts.first }),
      let column = columns.firstIndex(of: id)
    {
      func id(_ record: [String?]) -> Int { record[column].flatMap { Int(Self.trimmed($0)) } ?? 0 }
      expected.sort { id($0) < id($1) }
    }
    var problems: [String] = []
    for member in entity.members {
      guard let source = member.source?.parts.first, let before = columns.firstIndex(of: source),
        let after = header.firstIndex(of: member.name)
      else { continue }
      for (row, found) in zip(expected, rows) where !isEqual(row[before], found[after], member) {
        problems.append(
          "\(member.name) (\(member.type), \(member.reason)): \(row[before] ?? "null") became "
            + (found[after] ?? "null"))
      }
    }
    let sources = Set(entity.members.compactMap { $0.source?.parts.first })
    return problems + columns.filter { !sources.contains($0) }.map { "\($0) has no property" }
  }

  /// A field of a number, which blanks may stand around.
  private static func trimmed(_ field: String) -> String {
    String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private func isEqual(
    _ before: String?, _ after: String?, _ member: InferredModel.Member
  ) -> Bool {
    guard let before, let after else { return before == after }
    let trimmed = Self.trimmed(before)
    switch member.type.prefix(while: { $0 != "," && $0 != "V" }) {
    case "string" where !member.type.hasPrefix("stringVector"): return before == after
    case "bool" where member.type == "bool": return trimmed.lowercased() == after
    case "date", "dateNano":
      return ISO8601.moment(before) == ISO8601.moment(after) && ISO8601.moment(before) != nil
    case "id",
      "long" where member.type != "longVector", "double" where member.type == "double":
      return JSONDecimal(trimmed) == JSONDecimal(after) && JSONDecimal(after) != nil
    default:
      guard let a = try? JSONDocument(parsing: Array(before.utf8)),
        let b = try? JSONDocument(parsing: Array(after.utf8))
      else { return false }
      return a.exactValue(of: a.root) == b.exactValue(of: b.root)
    }
  }

  /// The fields of an export; an empty field without quotes is null.
  private static func rows(of text: String) -> [[String?]] {
    var rows: [[String?]] = []
    var row: [String?] = []
    var field = ""
    var (isQuoted, isInQuotes) = (false, false)
    func end() {
      row.append(field.isEmpty && !isQuoted ? nil : field)
      (field, isQuoted) = ("", false)
    }
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if isInQuotes {
        if scalar != "\"" {
          field.unicodeScalars.append(scalar)
        } else if index < scalars.count, scalars[index] == "\"" {
          field.append("\"")
          index += 1
        } else {
          isInQuotes = false
        }
        continue
      }
      switch scalar {
      case "\"": (isInQuotes, isQuoted) = (true, true)
      case ",": end()
      case "\r": continue
      case "\n":
        end()
        rows.append(row)
        row = []
      default: field.unicodeScalars.append(scalar)
      }
    }
    return rows
  }
}
