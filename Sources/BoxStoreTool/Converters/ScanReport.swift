internal import BoxConvert
package import BoxEngine
package import BoxJSON
internal import BoxModel
internal import BoxReport

/// The output of `boxjoint converters scan`.
package struct ScanReport {
  package var path: String
  package var scans: [ConverterScan]

  /// Creates the report.
  package init(path: String, scans: [ConverterScan]) {
    self.path = path
    self.scans = scans
  }

  /// Whether a value is unknown to its converter, or malformed.
  package var hasFindings: Bool { scans.contains { $0.unknown + $0.malformed > 0 } }

  /// A table for people, and the examples below it.
  package var text: String {
    if scans.isEmpty { return "no property of the store has a converter\n" }
    var rows = [["PROPERTY", "KNOWN", "UNKNOWN", "MALFORMED", "MISSING"]]
    for scan in scans {
      rows.append(
        [name(scan).escapedForDisplay]
          + [scan.known, scan.unknown, scan.malformed, scan.missing].map { grouped($0) })
    }
    var table = TextTable(rows)
    table.rightAligned = Set(1..<rows[0].count)
    var lines = table.lines()
    for scan in scans where !scan.examples.isEmpty {
      lines += ["", "\(name(scan)): \(scan.examples[0].expected)"].map(\.escapedForDisplay)
      for example in scan.examples {
        lines.append(
          "  \(example.kind.rawValue) \(shown(example.value)) in \(counted(example.count, "object")), first "
            + "\(scan.entity) ".escapedForDisplay + "\(example.id)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The same for programs; `Schemas/converter-scan.schema.json` describes it.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "store": .string(path),
      "properties": .array(
        scans.map { scan in
          [
            "entity": .string(scan.entity), "property": .string(scan.property),
            "known": .int(scan.known), "unknown": .int(scan.unknown),
            "malformed": .int(scan.malformed), "missing": .int(scan.missing),
            "examples": .array(
              scan.examples.map {
                [
                  "value": PlainForm.json($0.value), "kind": .string($0.kind.rawValue),
                  "expected": .string($0.expected), "count": .int($0.count), "id": .uint($0.id),
                ]
              }),
          ]
        }),
    ]
  }

  private func name(_ scan: ConverterScan) -> String { "\(scan.entity).\(scan.property)" }

  /// A value as JSON, cut where it is long.
  private func shown(_ value: Value) -> String {
    let text = PlainForm.json(value).text(indent: 0)
    return text.count > 60 ? "\(text.prefix(60))…" : text
  }
}
