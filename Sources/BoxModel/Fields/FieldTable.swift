/// The keys of a model's elements, one row for each.
///
/// Parsing, writing, comparing, merging, showing and planning take what they know about a key from
/// its row. A new key whose value nothing else depends on is one row: `.text`, `.number` or `.json`.
package struct FieldTable: Sendable {
  /// The rows, in the order in which differences list changes.
  package let rows: [ElementField]
  private let byKind: [Columns]

  /// The rows of one kind of elements, with their keys beside them: a search compares only those.
  private struct Columns {
    var keys: [String]
    var fields: [ElementField]
  }

  /// Creates a table.
  package init(_ rows: [ElementField]) {
    self.rows = rows
    byKind = ElementKind.allCases.map { kind in
      let fields = rows.filter { $0.kinds.contains(kind) }
      return Columns(keys: fields.map(\.key), fields: fields)
    }
  }

  /// The rows of a kind of elements.
  package subscript(kind: ElementKind) -> [ElementField] { byKind[kind.rank].fields }

  /// The row of a key; nil if the key is unknown.
  ///
  /// - Complexity: O(*n*) in the number of rows: comparing a few short texts takes less time than
  ///   hashing one.
  func field(_ key: String, of kind: ElementKind) -> ElementField? {
    byKind[kind.rank].keys.firstIndex(of: key).map { byKind[kind.rank].fields[$0] }
  }

  /// The keys that the generators write.
  package static let `default` = FieldTable([
    .id, .lastPropertyID, .name, .type, .flags, .indexID, .relationTarget, .targetID,
    .externalName, .externalType, .hnswParams, .properties, .relations,
  ])
}

extension ElementField {
  private static let all: [ElementKind] = [.entity, .property, .relation]

  package static let id = ElementField(
    "id", of: all, .id, merging: .byOwnRules, effect: .stores { .renumbered($0) })
  package static let lastPropertyID = ElementField(
    "lastPropertyId", of: [.entity], .lastPropertyID, merging: .byOwnRules)
  package static let name = ElementField(
    "name", of: all, .name, effect: .none("its data stays: the UID is the same"))
  package static let type = ElementField(
    "type", of: [.property], .type, effect: .stores { _ in .typeChanged })
  /// Each changed bit has its own effect.
  package static let flags = ElementField(
    "flags", of: [.entity, .property], .flags, merging: .byBit)
  /// The bits of ``flags`` for the kind of the index are merged with it.
  package static let indexID = ElementField(
    "indexId", of: [.property], .indexID, word: "index",
    effect: .index("the index is built when a database is opened next"))
  package static let relationTarget = ElementField(
    "relationTarget", of: [.property], .relationTarget, word: "target",
    effect: .stores { _ in .targetChanged })
  package static let targetID = ElementField(
    "targetId", of: [.relation], .targetID, word: "target",
    effect: .stores { _ in .targetChanged })
  package static let properties = ElementField(
    "properties", of: [.entity], .properties, merging: .byOwnRules)
  package static let relations = ElementField(
    "relations", of: [.entity], .relations, merging: .byOwnRules)

  package static let externalName = ElementField(
    "externalName", of: all, .text, heading: "external name",
    effect: .none("it is another one for the external system"),
    planned: "external-name-changed", plannedForEntities: "entity-external-name-changed")
  package static let externalType = ElementField(
    "externalType", of: [.property, .relation], .number,
    effect: .none("it is another one for the external system"), planned: "external-type-changed")
  package static let hnswParams = ElementField(
    "hnswParams", of: [.property], .json, merging: .byMember,
    effect: .none("the vector index is rebuilt"),
    planned: "vector-parameters-changed")

  /// The entity that an element belongs to; the file has no key for it.
  package static let owner = ElementField(
    "entity", of: [.property, .relation], .owner, merging: .byOwnRules,
    effect: .stores { _ in .moved })
  /// Every key without a row.
  package static let unknown = ElementField("", of: all, .json, planned: "unknown-key-changed")
}
