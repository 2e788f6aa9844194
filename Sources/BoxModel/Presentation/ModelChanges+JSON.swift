package import BoxJSON
import BoxReport

extension ModelChanges {
  /// The changes as `Schemas/diff.schema.json` describes them.
  ///
  /// - Parameters:
  ///   - oldPath: The old file as the user named it.
  ///   - newPath: The new file as the user named it.
  /// - Returns: An object.
  /// - Complexity: O(*n*) in the number of changes.
  package func json(from oldPath: String, to newPath: String) -> JSONValue {
    [
      "schemaVersion": 1,
      "old": .string(oldPath),
      "new": .string(newPath),
      "model": .array(root.map(\.json)),
      "entities": .array(
        groups.map { group in
          [
            "id": .int(Int(group.pair.id)), "uid": group.pair.uid.uidJSON,
            "name": .string(group.name), "changes": .array(group.changes.map(\.json)),
          ]
        }),
    ]
  }
}

extension ModelChanges.RootEntry {
  fileprivate var json: JSONValue {
    .compact([
      ("key", .string(key)), ("entity", entity.map { .string($0) }),
      ("before", before.map { .string(ModelTable.oneLine($0)) }),
      ("after", after.map { .string(ModelTable.oneLine($0)) }),
      ("retired", retired.isEmpty ? nil : .array(retired.map(\.uidJSON))),
      ("released", released.isEmpty ? nil : .array(released.map(\.uidJSON))),
    ])
  }
}

extension ModelChanges.Change {
  fileprivate var json: JSONValue {
    var removal: Removal?
    var fields: [FieldChange]?
    switch change {
    case .added: break
    case .removed(let how): removal = how
    case .changed(let found): fields = found
    }
    return .compact([
      ("change", .string(word)),
      ("kind", .string(key.kind.rawValue)),
      ("uid", key.uid.uidJSON),
      ("name", .string(name)),
      ("removal", removal.map { .string($0.word) }),
      ("fields", fields.map { .array($0.map { $0.json(in: key.kind) }) }),
      ("details", .array(details.map { .string($0) })),
      ("consequences", .array(consequences.map { .string($0) })),
    ])
  }
}

extension Removal {
  fileprivate var word: String {
    switch self {
    case .retired: "retired"
    case .forgotten: "forgotten"
    case .neverHad: "never-had"
    }
  }
}

extension FieldChange {
  fileprivate func json(in kind: ElementKind) -> JSONValue {
    .compact([
      ("field", .string(field.name(in: kind))), ("before", before?.json), ("after", after?.json),
    ])
  }
}

extension FieldValue {
  /// The value as JSON.
  var json: JSONValue {
    switch self {
    case .text(let text): .string(text.text)
    case .number(let number): .int(number)
    case .isSet(let isSet): .bool(isSet)
    case .type(let type): .string(type.description)
    case .entity(let uid): .compact([("entity", uid.uidJSON)])
    case .index(let kind, let uid):
      .compact([("flags", .array(kind.setNames.map { .string($0) })), ("uid", uid?.uidJSON)])
    case .json(let text): .string(ModelTable.oneLine(text.text))
    }
  }
}
