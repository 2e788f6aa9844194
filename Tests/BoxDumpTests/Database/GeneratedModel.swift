import BoxEngine
import BoxModel
import TestSupport

/// A random model with hostile names and properties of every type, and stores of it.
struct GeneratedModel {
  let model: TestModel

  /// Names that SQL or SQLite itself uses.
  private static let names = [
    "Order", "order", "select", "rowid", "oid", "sqlite_master", "SQLite_x", "boxjoint_end",
    "a_view",
    "a", "A", "A_2", "a_2", "it's \"quoted\"\"", "\"\u{301}", "'\u{301}", "t); DROP TABLE x; --",
    "x.y",
    "source", "é", "É",
  ]

  private static let types: [(type: PropertyType, flags: PropertyFlags)] = DumpModel.properties.map
  {
    (PropertyType(rawValue: Int32($0.type)), PropertyFlags(rawValue: UInt32($0.flags & 8192)))
  }

  init(_ random: inout SplitMix64) {
    var exact: Set<String> = []
    let names = random.shuffled(Self.names + HostileName.all).filter { exact.insert($0).inserted }
    var looks: Set<String> = []
    let unlike = names.filter { looks.insert($0.lowercased()).inserted }
    let entities = Array(unlike.prefix(1 + random.below(3)))
    var model = TestModel()
    for (number, name) in entities.enumerated() {
      // A model has no two properties of an entity whose names differ only in case.
      var folded: Set<String> = []
      var members = random.shuffled(names).filter { folded.insert($0.lowercased()).inserted }[...]
      var fields: [TestModel.Property] = []
      for _ in 0..<random.below(14) {
        let (type, signs) = random.pick(Self.types)
        var flags = signs
        if type.canBeIndexed, type != .floatVector, type.traits?.isVector == false, random.oneIn(3)
        {
          flags.insert(.indexed)
          if type == .string || type == .long, random.oneIn(2) { flags.insert(.unique) }
        }
        fields.append(.init(name: members.removeFirst(), type: type, flags: flags))
      }
      for _ in 0..<random.below(3) {
        fields.append(
          .init(
            name: members.removeFirst(), type: .relation,
            flags: [.indexed, .indexPartialSkipZero], target: random.pick(entities)))
      }
      let relations = (0..<random.below(3)).map { _ in
        TestModel.Relation(members.removeFirst(), to: random.pick(entities))
      }
      var properties = [TestModel.Property(name: members.removeFirst(), type: .long, flags: .id)]
      properties.append(contentsOf: fields)
      model.entities.append(
        .init(
          name: name, uid: UID(1000 + number), properties: random.shuffled(properties),
          relations: relations))
    }
    self.model = model
  }

  /// A store in memory with random objects, some of which were removed, so that relations to one dangle.
  func store(_ random: inout SplitMix64, objects limit: Int) throws -> ObjectStore {
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    let counts = store.entities.map { _ in random.below(limit) }
    try store.write { transaction in
      // Relations once all of their targets exist.
      for isSecond in [false, true] {
        for (entity, count) in zip(store.entities, counts) where count > 0 {
          for id in 1...count {
            var object =
              try transaction.get(entity, UInt64(id)) ?? DynamicObject(entity)
            for (position, property) in entity.properties.enumerated()
            where position != entity.idPosition {
              if let target = store.entities.firstIndex(where: { $0.uid == property.target }) {
                if isSecond, counts[target] > 0, !random.oneIn(3) {
                  object.values[position] = .unsigned(UInt64(1 + random.below(counts[target])))
                }
              } else if !isSecond, !random.oneIn(5) {
                object.values[position] = Self.value(property, number: id, &random)
              }
            }
            try transaction.put(object)
          }
        }
      }
      for (entity, count) in zip(store.entities, counts) {
        for relation in entity.relations {
          guard let target = store.entities.firstIndex(where: { $0.uid == relation.target }),
            count > 0, counts[target] > 0
          else { continue }
          for _ in 0..<random.below(2 * count) {
            try transaction.link(
              relation, UInt64(1 + random.below(count)), UInt64(1 + random.below(counts[target])))
          }
        }
      }
      for (entity, count) in zip(store.entities, counts) {
        for id in 1...max(1, count) where random.oneIn(6) {
          try transaction.remove(entity, UInt64(id))
        }
      }
    }
    return store
  }

  private static func value(
    _ property: PropertySchema, number: Int, _ random: inout SplitMix64
  ) -> Value {
    if !property.flags.contains(.unique) { return DumpValues.value(property.type, &random) }
    switch property.type {
    case .string: return .string("\0\(number)")
    case .uint64: return .unsigned(UInt64.max - UInt64(number))
    default: return .integer(Int64(number))
    }
  }
}
