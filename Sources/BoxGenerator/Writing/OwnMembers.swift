internal import BoxSources

/// The members of an entity or of an embedded struct, without the members of the structs in it.
struct OwnMembers {
  /// A member with its number, or the position of a struct.
  enum Member {
    case property(BoundEntity.BoundProperty)
    case embedding(Int)
  }

  private(set) var properties: [BoundEntity.BoundProperty] = []
  /// The positions of the structs.
  private(set) var embeddings: [Int] = []
  /// The members by their names, among which initializers were looked for too.
  private var members: [String: Member] = [:]

  /// The members of an entity, and then of each struct in it.
  ///
  /// - Complexity: O(*n*) in the number of members.
  static func all(of entity: BoundEntity) -> [OwnMembers] {
    var all = Array(repeating: OwnMembers(), count: 1 + entity.source.embeddings.count)
    for property in entity.properties {
      all[1 + (property.source.embedding ?? -1)].add(property)
    }
    for (position, embedding) in entity.source.embeddings.enumerated() {
      all[1 + (embedding.outer ?? -1)].add(embedding, at: position)
    }
    return all
  }

  private mutating func add(_ property: BoundEntity.BoundProperty) {
    properties.append(property)
    members[property.source.swiftName.withoutBackticks] = .property(property)
  }

  private mutating func add(_ embedding: SourceEmbedding, at position: Int) {
    embeddings.append(position)
    members[embedding.swiftName.withoutBackticks] = .embedding(position)
  }

  /// The member with a name in Swift, without backticks.
  subscript(name: String) -> Member? { members[name] }
}
