package import BoxJSON
internal import BoxReport

/// The output of `boxjoint config`.
package struct ConfigurationReport: Hashable, Sendable {
  package var configuration: EffectiveConfiguration
  /// The meaning of `published` here; nil outside of a repository.
  package var published: PublishedReferences?
  /// The file that contains the catalogue of converters, if any.
  package var converters: String?

  /// Creates the report.
  package init(
    configuration: EffectiveConfiguration, published: PublishedReferences? = nil,
    converters: String? = nil
  ) {
    self.configuration = configuration
    self.published = published
    self.converters = converters
  }

  /// The report for people.
  package var text: String {
    var lines = ["configuration file: \(configuration.file ?? "none")"]
    for key in SettingKey.allCases {
      lines += ["", key.rawValue]
      let entries = configuration[key].entries
      var table = TextTable(
        entries.map { [$0.text.escapedForDisplay, $0.origin.description.escapedForDisplay] })
      table.indent = 2
      lines += table.lines()
      if entries.isEmpty { lines.append("  (none)") }
    }
    lines += ["", "converters", "  " + (converters ?? "(none)")]
    if let published {
      lines += ["", "published in this repository"]
      lines += published.isEmpty ? ["  (none)"] : published.lines
    }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }

  /// The report for programs; `Schemas/config.schema.json` describes it.
  package var json: JSONValue {
    var settings: [JSONValue.Member] = []
    for key in SettingKey.allCases {
      let entries = configuration[key].entries.map { entry in
        ["value": .string(entry.text), "origin": Self.json(entry.origin)] as JSONValue
      }
      settings.append(.init(key.rawValue, .array(entries)))
    }
    return [
      "schemaVersion": 1,
      "file": configuration.file.map { .string($0) } ?? .null,
      "settings": .object(settings),
      "converters": converters.map { .string($0) } ?? .null,
      "published": published?.json ?? .null,
    ]
  }

  private static func json(_ origin: SettingOrigin) -> JSONValue {
    var members: [JSONValue.Member] = [.init("kind", .string(origin.kind))]
    switch origin {
    case .option(let name), .environment(let name):
      members.append(.init("name", .string(name)))
    case .file(let path, let position):
      members.append(.init("path", .string(path)))
      members.append(.init("line", .int(position.line)))
      members.append(.init("column", .int(position.column)))
    case .git(let key, let origin):
      members.append(.init("name", .string(key)))
      members.append(.init("path", .string(origin)))
    case .default: break
    }
    return .object(members)
  }
}
