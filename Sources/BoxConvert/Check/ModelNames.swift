internal import BoxModel

/// The elements of a model by name; of several with one name the first has it.
struct ModelNames {
  /// The positions of the members of an entity, by folded name.
  struct Members {
    let properties: [String: Int]
    /// Those of the properties that are relations to one.
    let toOnes: [String: Int]
    let relations: [String: Int]

    init(_ entity: Entity) {
      let all = entity.properties.enumerated().map { (foldedName($1.name), $0) }
      properties = Dictionary(all) { first, _ in first }
      toOnes = Dictionary(all.filter { entity.properties[$1].type == .relation }) { first, _ in
        first
      }
      relations = Dictionary(
        (entity.relations ?? []).enumerated().map { (foldedName($1.name), $0) }
      ) { first, _ in first }
    }
  }

  private let lookup: ModelLookup
  /// By name, as two entities can have one UID.
  private var members: [String: Members] = [:]

  /// Indexes the entities of a model.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  init(_ model: Model) { lookup = ModelLookup(model) }

  /// The position of an entity.
  func entity(_ name: String) -> Int? { lookup.entity(named: name) }

  /// The position of an entity.
  func entity(_ uid: UID) -> Int? { lookup.entity(uid) }

  /// The members of an entity that was found by its name.
  ///
  /// - Complexity: O(*n*) in the number of members the first time, then O(1).
  mutating func members(of entity: Entity) -> Members {
    let name = foldedName(entity.name)
    if let known = members[name] { return known }
    let made = Members(entity)
    members[name] = made
    return made
  }
}
