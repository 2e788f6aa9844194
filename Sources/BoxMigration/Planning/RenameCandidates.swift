internal import BoxJSON
internal import BoxModel

/// Positions that are found by a key, each of them once, in their order.
struct FirstByKey<Key: Hashable> {
  private var positions: [Key: ArraySlice<Int>]

  /// - Complexity: O(*n*) in the number of positions.
  init(_ pairs: [(Key, Int)]) {
    positions = Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1)[...] }
  }

  /// Removes and returns the first position of a key that fits; those before it are never returned
  /// again.
  mutating func removeFirst(_ key: Key, where fits: (Int) -> Bool = { _ in true }) -> Int? {
    while let position = positions[key]?.popFirst() {
      if fits(position) { return position }
    }
    return nil
  }
}

/// The features that two properties share if one may be the other under a new name.
struct ComparedType: Hashable {
  /// The features that count as the same type where several properties were removed.
  struct Kind: Hashable {
    var type: PropertyType?
    var isUnsigned: Bool
  }

  let kind: Kind
  let isID: Bool
  let target: FieldValue?

  init(_ property: Property, _ target: FieldValue?) {
    kind = Kind(type: property.type, isUnsigned: property.flags.contains(.unsigned))
    isID = property.flags.contains(.id)
    self.target = target
  }
}

/// The name of a relation and its target entity.
struct TargetedName: Hashable {
  let target: UID
  let name: ExactText

  init(_ relation: Relation) {
    target = relation.target.uid
    name = foldedName(relation.name)
  }
}

/// A name among elements of several kinds.
struct KindAndName: Hashable {
  var kind: ElementKind
  var name: ExactText
}

/// The features by which entities are compared to guess a rename.
struct EntityShape {
  private let name: NameShape
  private let members: Set<ExactText>

  init(_ entity: Entity) {
    name = NameShape(entity.name)
    members = Set(
      entity.properties.filter { !$0.flags.contains(.id) }.map {
        ExactText("\(foldedName($0.name).text) \($0.type?.rawValue ?? 0)")
      })
  }

  /// The similarity of two entities; nil if one cannot be the other.
  ///
  /// - Complexity: O(*n*) in the properties of the entity that has fewer.
  func similarity(to other: EntityShape) -> Double? {
    let (smaller, larger) =
      members.count < other.members.count ? (members, other.members) : (other.members, members)
    guard !larger.isEmpty, smaller.count * 2 >= larger.count else { return nil }
    let common = smaller.count { larger.contains($0) }
    guard common * 2 >= larger.count else { return nil }
    let isSimilar = name.isSimilar(to: other.name)
    if !isSimilar, common * 2 == larger.count || common < 2 { return nil }
    return Double(common) / Double(larger.count) + (isSimilar ? 1 : 0)
  }
}
