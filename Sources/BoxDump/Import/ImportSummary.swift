public import BoxJSON

/// The results of an import.
public struct ImportSummary: Hashable, Sendable {
  /// The numbers of added and changed objects of an entity.
  public struct EntityCount: Hashable, Sendable {
    /// The name in the store.
    public var name: String
    /// Objects that were added.
    public var inserted = 0
    /// Objects that existed and were changed or replaced.
    public var updated = 0
  }

  /// The numbers of added and skipped entries of a to-many relation.
  public struct RelationCount: Hashable, Sendable {
    /// `Entity.relation`, in the store.
    public var name: String
    /// Entries that were added.
    public var added = 0
    /// Entries that were skipped because one of their objects does not exist.
    public var leftOut = 0
  }

  /// The entities of which objects were read.
  public var entities: [EntityCount] = []
  /// The relations of which entries were read.
  public var relations: [RelationCount] = []
  /// Elements that could not be imported.
  public var rejected = 0
  /// Objects that occurred again, with the same id or the same value; the last one counts.
  public var repeated = 0
  /// To-one relations whose target does not exist, as far as targets were checked.
  public var dangling = 0
  /// The parts of the input that the store lacks, as `Entity` or `Entity.property`.
  public var dropped: [String] = []
  /// The numbers of objects that had each member that was ignored, by `Entity.member`.
  public var ignored: [ExactText: Int] = [:]
  /// The properties of the store that the input lacks, as `Entity.property`.
  public var filled: [String] = []
  /// Harmless oddities, as sentences.
  public var notes: [String] = []
  /// Whether the import was a dry run that kept nothing.
  public var isDryRun = false
  /// Whether an interrupted import was resumed.
  public var wasResumed = false
  /// Whether the whole input had been imported before, so that nothing was left to do.
  public var wasComplete = false

  /// Creates the summary of an import that has done nothing yet.
  public init() {}

  /// Objects that were added or changed.
  public var objects: Int { entities.reduce(0) { $0 + $1.inserted + $1.updated } }

  mutating func count(_ entity: String, isNew: Bool) {
    count(entity, inserted: isNew ? 1 : 0, updated: isNew ? 0 : 1)
  }

  mutating func count(_ entity: String, inserted: Int, updated: Int) {
    let position = entityPositions.position(of: entity, in: entities.lazy.map(\.name))
    if position == entities.count { entities.append(EntityCount(name: entity)) }
    entities[position].inserted += inserted
    entities[position].updated += updated
  }

  mutating func count(_ relation: String, added: Int, leftOut: Int) {
    let position = relationPositions.position(of: relation, in: relations.lazy.map(\.name))
    if position == relations.count { relations.append(RelationCount(name: relation)) }
    relations[position].added += added
    relations[position].leftOut += leftOut
  }

  /// The positions of names in a list, found by one lookup: an input can alternate between
  /// thousands.
  private struct Positions: Hashable, Sendable {
    private var values: [ExactText: Int] = [:]

    /// The position of a name; the end of the list if the name is not in it, as it is about to be
    /// added.
    mutating func position(of name: String, in names: some Collection<String>) -> Int {
      if values.count != names.count {
        values = Dictionary(zip(names.lazy.map { ExactText($0) }, 0...)) { first, _ in first }
      }
      let name = ExactText(name)
      if let position = values[name] { return position }
      values[name] = names.count
      return names.count
    }

    // The positions follow from the list, so they are not part of a summary's value.
    static func == (_: Positions, _: Positions) -> Bool { true }
    func hash(into _: inout Hasher) {}
  }

  private var entityPositions = Positions()
  private var relationPositions = Positions()
}

extension ImportSummary {
  /// The summary as JSON, with the inference of the model that the import created the store with.
  package func json(inferred: JSONValue?, loss: JSONValue? = nil) -> JSONValue {
    guard case .object(let members) = json else { return json }
    let added = [("inference", inferred), ("loss", loss)].compactMap { name, value in
      value.map { JSONValue.Member(name, $0) }
    }
    return .object(members + added)
  }

  /// The summary as JSON, as `Schemas/import.schema.json` describes it.
  public var json: JSONValue {
    [
      "schemaVersion": 1,
      "dryRun": .bool(isDryRun),
      "resumed": .bool(wasResumed),
      "complete": .bool(wasComplete),
      "entities": .array(
        entities.map {
          [
            "name": .string($0.name), "inserted": .int($0.inserted), "updated": .int($0.updated),
          ]
        }),
      "relations": .array(
        relations.map {
          ["name": .string($0.name), "added": .int($0.added), "leftOut": .int($0.leftOut)]
        }),
      "rejected": .int(rejected),
      "repeated": .int(repeated),
      "dangling": .int(dangling),
      "dropped": .array(dropped.map { .string($0) }),
      "ignored": .array(
        ignored.sorted { $0.key < $1.key }.map {
          ["name": .string($0.key.text), "objects": .int($0.value)]
        }),
      "filled": .array(filled.map { .string($0) }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
