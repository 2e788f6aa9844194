internal import BoxJSON
internal import BoxModel

/// The elements of a model by name; of several with one name the first has it.
struct ModelNames {
  private let lookup: ModelLookup
  /// By name, as two entities can have one UID.
  private var members: [ExactText: MemberIndex] = [:]

  /// Indexes the entities of a model.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  init(_ model: Model) { self.init(ModelLookup(model)) }

  /// The names of a model that is indexed.
  init(_ lookup: ModelLookup) { self.lookup = lookup }

  /// The position of an entity.
  func entity(_ name: String) -> Int? { lookup.entity(named: name) }

  /// The position of an entity.
  func entity(_ uid: UID) -> Int? { lookup.entity(uid) }

  /// The members of an entity that was found by its name.
  ///
  /// - Complexity: O(*n*) in the number of members the first time, then O(1).
  mutating func members(of entity: Entity) -> MemberIndex {
    let name = foldedName(entity.name)
    if let known = members[name] { return known }
    let made = MemberIndex(entity)
    members[name] = made
    return made
  }
}
