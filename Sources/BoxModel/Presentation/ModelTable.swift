/// A model as headings and tables, which every form for people is made from.
package struct ModelTable {
  /// Cells in rows under the names of their columns.
  struct Grid {
    var columns: [String]
    var rows: [[String]]
  }

  /// An entity, or what belongs to the model as a whole.
  struct Section {
    /// The name; empty for the model as a whole.
    var name: String
    /// The text after the name, such as the id and the UID of the entity.
    var identity: String
    /// Names and values that concern the whole section.
    var facts: [(name: String, value: String)]
    var properties: Grid?
    var relations: Grid?
  }

  var sections: [Section]

  init(_ model: Model) {
    let lookup = ModelLookup(model)
    sections = model.entities.map { entity in
      Section(
        name: entity.name, identity: "entity \(entity.pair.id), uid \(entity.pair.uid)",
        facts: Self.facts(of: entity),
        properties: Grid(
          columns: ["id", "name", "type", "flags", "index", "target", "uid", "other"],
          rows: entity.properties.map { Self.row(of: $0) }),
        relations: (entity.relations ?? []).isEmpty
          ? nil
          : Grid(
            columns: ["id", "name", "target", "uid", "other"],
            rows: (entity.relations ?? []).map { Self.row(of: $0, model, lookup) }))
    }
  }

  private static func facts(of entity: Entity) -> [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    if !entity.flags.isEmpty {
      facts.append(("flags", entity.flags.shortNames.joined(separator: " ")))
    }
    facts += entity.plain.members.map { ($0.field.heading, $0.value.plainWords) }
    facts += entity.otherMembers.map { ($0.key, oneLine($0.text)) }
    facts.append(("last property id", text(entity.lastPropertyID)))
    return facts
  }

  private static func row(of property: Property) -> [String] {
    return [
      "\(property.pair.id)", property.name, property.type.map { "\($0)" } ?? "",
      property.flags.shortNames.joined(separator: " "), property.indexDescription,
      property.relationTarget ?? "", "\(property.pair.uid)", other(property),
    ]
  }

  private static func row(
    of relation: Relation, _ model: Model, _ lookup: ModelLookup
  ) -> [String] {
    let target = lookup.entity(relation.target.uid).map { model.entities[$0] }
    // A target that exists under another number is shown by the pair that the file has.
    let name = target.flatMap { $0.pair == relation.target ? $0.name : nil }
    let pair = relation.target.isUnset ? "" : "\(relation.target)"
    return [
      "\(relation.pair.id)", relation.name, name ?? pair, "\(relation.pair.uid)",
      other(relation),
    ]
  }

  /// The values without a column.
  private static func other(_ element: some FieldHolder) -> String {
    let plain = element.plain.members.map { "\($0.field.key)=\($0.value.plainWords)" }
    let others = element.otherMembers.map { "\($0.key)=\(oneLine($0.text))" }
    return (plain + others).joined(separator: " ")
  }

  /// A last pair as text: `none` if it is unset, `not in the file` if it is nil.
  static func text(_ pair: IDPair?) -> String {
    pair.map { $0.isUnset ? "none" : "\($0.id), uid \($0.uid)" } ?? "not in the file"
  }

  /// JSON text without its line breaks and indentation.
  package static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline)
      .map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: " ")
  }
}

extension Model {
  /// The facts about the model as a whole, as names and values: counters, retired UIDs, versions.
  func facts() -> [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = [
      ("last entity id", ModelTable.text(lastEntityID)),
      ("last index id", ModelTable.text(lastIndexID)),
      ("last relation id", ModelTable.text(lastRelationID)),
    ]
    if let last = lastSequenceID, !last.isUnset {
      facts.append(("last sequence id", ModelTable.text(last)))
    }
    if let modelVersion { facts.append(("version of the format", "\(modelVersion)")) }
    if let minimum = modelVersionParserMinimum {
      facts.append(("version that readers need", "\(minimum)"))
    }
    if let version { facts.append(("version", "\(version)")) }
    // Every generator rewrites its notes.
    facts += otherMembers.filter { !$0.key.hasPrefix("_note") }
      .map { ($0.key, ModelTable.oneLine($0.text)) }
    return facts
  }

  /// The lists of UIDs of the model as a whole that are not empty, by what they hold.
  func uidLists() -> [(name: String, uids: [UID])] {
    let retired = [
      ("retired entities", retiredEntityUIDs), ("retired properties", retiredPropertyUIDs),
      ("retired indexes", retiredIndexUIDs), ("retired relations", retiredRelationUIDs),
      ("uids on offer", newUIDPool),
    ]
    return retired.compactMap { name, uids in
      guard let uids, !uids.isEmpty else { return nil }
      return (name, uids)
    }
  }
}
