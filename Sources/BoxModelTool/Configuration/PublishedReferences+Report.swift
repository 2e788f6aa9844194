package import BoxJSON
internal import BoxReport

extension PublishedReferences {
  /// Whether nothing is published, or configured to be.
  var isEmpty: Bool { resolved.isEmpty && unresolved.isEmpty }

  /// A line for each ref, with its commit and its age or what fetches it.
  var lines: [String] {
    resolved.map { reference in
      "  \(reference.name)  \(reference.commit.prefix(12))"
        + (reference.lastUpdate.map { ", up to date at \(utcTime($0))" } ?? "")
    }
      + unresolved.map { reference in
        let remedy = reference.remedies.map(quotedCommand).joined(separator: " or ")
        return "  \(reference.name)  does not exist here"
          + (remedy.isEmpty ? "" : "; try \(remedy)")
      }
      + [head].compactMap(\.self).map { reference in
        "  \(reference.name)  \(reference.commit.prefix(12)), checked out and not pushed: counts after the others"
      }
  }

  /// The same for programs.
  var json: JSONValue {
    [
      "resolved": .array(
        resolved.map { reference in
          [
            "name": .string(reference.name), "commit": .string(reference.commit),
            "lastUpdate": reference.lastUpdate.map { .string(utcTime($0)) } ?? .null,
          ]
        }),
      "unresolved": .array(
        unresolved.map { reference in
          [
            "name": .string(reference.name),
            "remedies": .array(reference.remedies.map { .string($0) }),
          ]
        }),
      "head": head.map { ["name": .string($0.name), "commit": .string($0.commit)] } ?? .null,
    ]
  }
}
