package import BoxDump
package import BoxJSON
internal import BoxReport

/// The differences between two dumps or stores.
package struct DumpComparisonReport: Sendable {
  /// The older version as the user named it.
  package let old: String
  /// The newer version.
  package let new: String
  /// The counts.
  package let difference: DumpDifference
  /// The first differences.
  package let items: [DumpDifference.Item]

  /// Whether there is no difference.
  package var isSame: Bool { difference.isSame }

  /// The differences and the counts for people.
  package var text: String {
    var lines = difference.notes.map(\.escapedForDisplay)
    for item in items {
      let sign = ["added": "+", "removed": "-"][item.kind.rawValue] ?? "~"
      lines.append("\(sign) \(item.section) \(item.id)".escapedForDisplay)
      for field in item.fields {
        lines.append(
          "    \(field.name): \(shortened(field.before)) -> \(shortened(field.after))"
            .escapedForDisplay)
      }
    }
    let changes = difference.sections.reduce(0) { $0 + $1.added + $1.removed + $1.changed }
    if changes > items.count { lines.append("and \(grouped(changes - items.count)) more") }
    for section in difference.sections where !section.isSame {
      lines.append(
        "\(section.name.escapedForDisplay): \(grouped(section.added)) added, \(grouped(section.removed)) removed, "
          + "\(grouped(section.changed)) changed, \(grouped(section.same)) the same")
    }
    if difference.isSame { lines.append("no differences") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func shortened(_ text: String) -> String {
    text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// The same for programs.
  package var json: JSONValue {
    [
      "schemaVersion": 1, "a": .string(old), "b": .string(new),
      "notes": .array(difference.notes.map { .string($0) }),
      "sections": .array(
        difference.sections.map {
          [
            "name": .string($0.name), "added": .int($0.added), "removed": .int($0.removed),
            "changed": .int($0.changed), "same": .int($0.same),
          ]
        }),
      "differences": .array(
        items.map { item in
          [
            "name": .string(item.section), "id": .uint(item.id),
            "kind": .string(item.kind.rawValue),
            "fields": .array(
              item.fields.map {
                [
                  "name": .string($0.name), "before": .string($0.before),
                  "after": .string($0.after),
                ]
              }),
          ]
        }),
    ]
  }
}
