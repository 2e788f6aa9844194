internal import BoxConvert
internal import BoxEngine
internal import BoxModel

/// The facts about a property or a relation that say what can follow its name.
package struct MemberFacts: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The type in words, such as `string` or `to many Person`.
  package var type: String
  /// The index in words; empty without one.
  package var note = ""
  /// The entity to which a relation leads; nil for other properties.
  package var target: String?
  /// The signs and words that compare its values.
  package var comparisons: [String] = []
  /// The names that its converter has.
  package var values: [String] = []
  /// The words that are its values.
  package var literals: [String] = []
  /// Whether it has elements, as a vector has.
  package var hasElements = false
  /// Whether its values are strings.
  package var isText = false

  private static let equalities = ["==", "!="]
  private static let orders = ["<", "<=", ">", ">="]
  private static let lists = ["in", "not in", "between", "not between"]
  private static let parts = ["contains", "not contains", "startsWith", "endsWith"]

  /// Creates the facts about a member of which the name and the type are known.
  package init(_ name: String, type: String) { (self.name, self.type) = (name, type) }

  /// The facts about all members of an entity.
  ///
  /// - Complexity: O(*n*) in the members and the names of values.
  static func all(
    of entity: EntitySchema, _ store: ObjectStore, _ converters: ConditionConverters?
  ) -> [MemberFacts] {
    let names = Set(entity.properties.map(\.name))
    var facts = entity.properties.map { property in
      let converter = (try? converters?.converter(entity, property)) ?? nil
      return MemberFacts(property, converter?.names ?? [], store)
    }
    if entity.idPosition == nil, !names.contains("id") {
      var id = MemberFacts("id", type: "id")
      id.comparisons = equalities + orders + lists
      facts.insert(id, at: 0)
    }
    for relation in entity.relations where !names.contains(relation.name) {
      let target = store.entity(relation.target)?.name
      var link = MemberFacts(relation.name, type: "to many \(target ?? "hidden objects")")
      link.target = target
      facts.append(link)
    }
    return facts
  }

  private init(_ property: PropertySchema, _ names: [String], _ store: ObjectStore) {
    name = property.name
    type = StoredType(property.modelType, property.flags)?.description ?? "unknown type"
    if property.flags.contains(.id) { type = "id" }
    note = property.index.map { $0.isUnique ? "unique index" : "index" } ?? ""
    if let uid = property.target {
      target = store.entity(uid)?.name
      type = "to one \(target ?? "hidden object")"
    }
    guard let traits = property.modelType.traits else { return }
    let isBool = traits.form == .bool
    hasElements = traits.isVector
    isText = traits.form == .string
    values = names
    literals = isBool && !hasElements ? ["true", "false"] : []
    let hasParts = [.string, .bytes].contains(traits.form) && !hasElements
    if hasElements {
      comparisons = ["contains", "not contains"]
    } else if isBool || property.target != nil {
      comparisons = Self.equalities + ["in", "not in"]
    } else {
      comparisons = Self.equalities + (hasParts ? Self.parts : []) + Self.orders + Self.lists
    }
    comparisons += ["is nil", "is not nil"]
  }

  /// The signs and words that compare its elements, as in `any(tags) startsWith "x"`.
  var elementComparisons: [String] {
    Self.equalities + (isText ? Self.parts.filter { !$0.hasPrefix("not") } : []) + Self.orders
  }
}
