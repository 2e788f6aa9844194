import BoxModel
import BoxStorage
import TestSupport

@testable import BoxEngine

/// Stores of three entities with relations in all directions, random objects, and random queries.
enum QueryModel {
  /// The kind of index that a property has in a variant of the model.
  enum IndexChoice: CaseIterable {
    case none, value, hash, hash64
  }

  /// A model in which each property that can have an index has one, or not, or one of another kind.
  static func document(_ random: inout SplitMix64, indexed: Bool) throws -> ModelDocument {
    var things: [TestModel.Property] = [.id()]
    for (name, type, flags) in ConditionModel.types {
      things.append(
        .init(name: name, type: type, flags: flags.union(index(type, &random, indexed))))
    }
    things.append(.init(name: "title", type: .string, flags: index(.string, &random, indexed)))
    things.append(
      .init(
        name: "owner", type: .relation, flags: index(.relation, &random, indexed), target: "Person")
    )
    return try TestModel(
      .init(
        name: "Thing", uid: 100, properties: things, relations: [.init("marks", to: "Mark")]),
      .init(
        name: "Person", uid: 200,
        properties: [
          .id(), .init(name: "name", type: .string, flags: index(.string, &random, indexed)),
          .init(name: "age", type: .int, flags: index(.int, &random, indexed)),
          .init(
            name: "boss", type: .relation, flags: index(.relation, &random, indexed),
            target: "Person"),
        ], relations: [.init("likes", to: "Thing")]),
      .init(
        name: "Mark", uid: 300,
        properties: [
          .id(), .init(name: "name", type: .string, flags: index(.string, &random, indexed)),
        ])
    ).document()
  }

  private static func index(
    _ type: PropertyType, _ random: inout SplitMix64, _ indexed: Bool
  ) -> PropertyFlags {
    if !indexed || !type.canBeIndexed || random.oneIn(3) { return [] }
    if type == .string {
      return random.pick([[.indexed], [.indexed, .indexHash], [.indexed, .indexHash64]])
    }
    return random.oneIn(3) ? [.indexed, .indexPartialSkipZero] : .indexed
  }

  /// Strings of which some share the part that an index has as a key.
  static let texts: [String] = {
    let long = String(repeating: "x", count: 509)
    return [
      "", "a", "b", "ab", "a\u{0}", "abcdefgh", "abcdefghi", "abcdefgh\u{0}", long, long + "y",
    ]
      + [long + "ya", long + "yb", long + "z", long + "z" + long]
  }()

  static func object(_ entity: EntitySchema, _ random: inout SplitMix64) -> DynamicObject {
    var object = DynamicObject(entity)
    for (position, property) in entity.properties.enumerated() where position != entity.idPosition {
      switch property.name {
      case "title":
        object.values[position] = random.oneIn(6) ? .null : .string(random.pick(texts))
      case "owner", "boss":
        object.values[position] = random.oneIn(4) ? .null : .unsigned(UInt64(random.below(8)))
      default: object.values[position] = ConditionModel.value(property, &random)
      }
    }
    return object
  }

  // MARK: - Queries

  static func condition(
    _ entity: EntitySchema, _ store: ObjectStore, _ random: inout SplitMix64, depth: Int = 3
  ) throws -> Condition {
    if depth > 0, random.oneIn(2) {
      let parts = try (0..<2 + random.below(2)).map { _ in
        try condition(entity, store, &random, depth: depth - 1)
      }
      return switch random.below(4) {
      case 0, 1: .and(parts)
      case 2: .or(parts)
      default: .not(parts[0])
      }
    }
    switch random.below(6) {
    case 0:
      let links = links(entity)
      if links.isEmpty { break }
      let (link, other) = random.pick(links)
      let part = try condition(
        try store.entity(named: other), store, &random, depth: max(0, depth - 1))
      if case .forward(let name) = link, random.oneIn(2), !part.isCompound,
        case .property(let end)? = part.names.first, end.path.first != other
      {
        return part.at([name] + end.path)
      }
      return .link(link, part)
    case 1 where entity.name == "Thing":
      if random.oneIn(3) {
        let vector = (0..<1 + random.below(3)).map { _ in Float(random.below(3)) }
        return .nearest(.init("floats"), vector, maximum: random.below(6))
      }
      let comparison = random.pick(Condition.Comparison.allCases)
      return random.oneIn(2)
        ? .compare(.init("title"), comparison, .string(random.pick(texts)))
        : .match(.init("title"), .startsWith, .string(random.pick(texts)))
    case 2 where entity.name != "Mark":
      let toOne = entity.name == "Thing" ? "owner" : "boss"
      return random.oneIn(4)
        ? .isNull(.init(toOne)) : .compare(.init(toOne), .equal, .integer(Int64(random.below(8))))
    case 3 where random.oneIn(2): return random.pick([.always, .never])
    case 3:
      let comparison = random.pick(Condition.Comparison.allCases)
      return .compare(.init("id"), comparison, .integer(Int64(random.below(33))))
    default: break
    }
    return ConditionModel.condition(entity, &random, depth: 0)
  }

  private static func links(_ entity: EntitySchema) -> [(Condition.Link, String)] {
    var links: [(Condition.Link, String)] = []
    for (name, target) in NaiveWorld.targets.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".").map(String.init)
      if parts[0] == entity.name { links.append((.forward(parts[1]), target)) }
      if target == entity.name {
        links.append((.backward(entity: parts[0], relation: parts[1]), parts[0]))
      }
    }
    return links
  }

  static func order(_ entity: EntitySchema, _ random: inout SplitMix64) -> [QueryOrder] {
    // One that an index may have.
    if random.oneIn(2) {
      let name = entity.name == "Thing" ? random.pick(["title", "count", "price", "born"]) : "name"
      return [
        QueryOrder(
          name, descending: random.oneIn(2), nulls: random.pick([.smallest, .last, .last]))
      ]
    }
    return (0..<random.pick([0, 1, 1, 2, 3])).map { _ in
      let property = random.pick(
        entity.properties.filter {
          $0.type.elementWidth == 0 || $0.type == .string || $0.type == .bytes
        })
      let isNumber = property.type.elementWidth == 0
      var nulls = random.pick(QueryOrder.Nulls.allCases)
      if nulls == .zero, !isNumber { nulls = .last }
      return QueryOrder(
        property.name, descending: random.oneIn(2),
        ignoringCase: property.type == .string && random.oneIn(2), nulls: nulls)
    }
  }
}
