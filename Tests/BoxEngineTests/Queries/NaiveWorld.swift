import BoxModel

@testable import BoxEngine

/// Objects and relations in plain memory, for answers that are as simple as possible.
struct NaiveWorld {
  var objects: [String: [UInt64: DynamicObject]] = [:]
  /// The pairs of each relation to many, by the entity and the name.
  var pairs: [String: Set<Pair>] = [:]

  struct Pair: Hashable {
    var source: UInt64
    var target: UInt64
  }

  /// Adds an object, whose relations to the id 0 are null.
  mutating func add(_ object: DynamicObject) {
    var object = object
    for (position, property) in object.entity.properties.enumerated()
    where property.target != nil && object.values[position] == .unsigned(0) {
      object.values[position] = .null
    }
    objects[object.entity.name, default: [:]][object.id] = object
  }

  /// The entity that a relation leads to.
  static let targets = [
    "Thing.owner": "Person", "Thing.marks": "Mark", "Person.boss": "Person",
    "Person.likes": "Thing",
  ]

  func targets(of object: DynamicObject, _ link: Condition.Link) -> [DynamicObject] {
    switch link {
    case .forward(let relation):
      let name = object.entity.name + "." + relation
      guard let target = Self.targets[name] else { return [] }
      let ids: [UInt64]
      if let pairs = pairs[name] {
        ids = pairs.filter { $0.source == object.id }.map(\.target)
      } else if case .unsigned(let id)? = object.value(named: relation) {
        ids = [id]
      } else {
        ids = []
      }
      return ids.sorted().compactMap { objects[target]?[$0] }
    case .backward(let entity, let relation):
      return (objects[entity] ?? [:]).values.filter { source in
        targets(of: source, .forward(relation)).contains { $0.id == object.id }
      }
    }
  }

  func nearest(
    _ entity: EntitySchema, _ property: String, _ vector: [Float], _ maximum: Int
  ) -> Set<UInt64> {
    var distances: [(square: Double, id: UInt64)] = []
    for (id, object) in objects[entity.name] ?? [:] {
      guard case .floats(let other)? = object.value(named: property), other.count == vector.count
      else { continue }
      var square = 0.0
      for (a, b) in zip(other, vector) {
        square += (Double(a) - Double(b)) * (Double(a) - Double(b))
      }
      if !square.isNaN { distances.append((square, id)) }
    }
    return Set(
      distances.sorted { ($0.square, $0.id) < ($1.square, $1.id) }.prefix(maximum).map(\.id))
  }
}

extension Condition {
  var isCompound: Bool {
    switch self {
    case .and, .or, .not, .link: true
    default: false
    }
  }
}

/// The order of objects, value by value.
struct NaiveOrder {
  let order: [QueryOrder]

  func isBefore(_ a: DynamicObject, _ b: DynamicObject) -> Bool {
    for term in order {
      let (x, y) = (value(a, term), value(b, term))
      if x == nil && y == nil { continue }
      let nullsFirst =
        term.nulls == .first || (term.nulls == .smallest && !term.isDescending)
      if x == nil { return nullsFirst }
      if y == nil { return !nullsFirst }
      let result = Self.compare(x ?? .null, y ?? .null, term.ignoresCase)
      if result != 0 { return (result < 0) != term.isDescending }
    }
    return a.id < b.id
  }

  private func value(_ object: DynamicObject, _ term: QueryOrder) -> Value? {
    guard let value = object.value(named: term.property) else { return nil }
    if value != .null { return value }
    if term.nulls != .zero { return nil }
    switch object.entity.property(named: term.property)?.type {
    case .float: return .float(0)
    case .double: return .double(0)
    case .bool: return .bool(false)
    case .uint8, .uint16, .uint32, .uint64: return .unsigned(0)
    default: return .integer(0)
    }
  }

  private static func compare(_ a: Value, _ b: Value, _ ignoresCase: Bool) -> Int {
    switch (a, b) {
    case (.bool(let a), .bool(let b)): return a == b ? 0 : a ? 1 : -1
    case (.integer(let a), .integer(let b)): return a == b ? 0 : a < b ? -1 : 1
    case (.unsigned(let a), .unsigned(let b)): return a == b ? 0 : a < b ? -1 : 1
    case (.float(let a), .float(let b)): return compare(Double(a), Double(b))
    case (.double(let a), .double(let b)): return compare(a, b)
    case (.string(let a), .string(let b)):
      let (x, y) = ignoresCase ? (NaiveCondition.folded(a), NaiveCondition.folded(b)) : (a, b)
      return compare(Array(x.utf8), Array(y.utf8))
    case (.bytes(let a), .bytes(let b)): return compare(a, b)
    default: return 0
    }
  }

  private static func compare(_ a: Double, _ b: Double) -> Int {
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN ? 0 : a.isNaN ? 1 : -1 }
    return a == b ? 0 : a < b ? -1 : 1
  }

  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }
}
