import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The laws of opening a store with any two models of one history.
struct OpeningLawTests {
  private static let histories = TestSeed.count("BOXJOINT_SOAK_HISTORIES", default: 60)

  /// Opening with other models, and putting what they see, changes nothing for the first one.
  @Test(.promise(122)) func everyValueComesBackWithItsModel() throws {
    var random = TestSeed.next()
    for _ in 0..<Self.histories {
      let fixture = try StoreFixture()
      let first = try GeneratedHistory.document(&random)
      try fixture.with(first) { try GeneratedHistory.fill($0, &random) }
      let before = try fixture.with(first) { try GeneratedHistory.content($0) }
      var document = first
      for _ in 0..<1 + random.below(3) {
        document = try GeneratedHistory.changed(document, &random)
        try fixture.with(document, GeneratedHistory.options) { (store) throws in
          // As an application does that reads an object and puts it again.
          try GeneratedHistory.putAgain(store)
          let findings = try store.verify()
          #expect(findings.isEmpty)
        }
      }
      try fixture.with(first, GeneratedHistory.options) { (store) throws in
        let after = try GeneratedHistory.content(store)
        #expect(after == before)
        try GeneratedHistory.lookUpEverything(store)
        let findings = try store.verify()
        #expect(findings.isEmpty)
      }
      let findings = try ObjectStore.verify(fixture.path)
      #expect(findings.isEmpty)
    }
  }

  /// A purge frees what the model lacks, and leaves the rest as it was.
  @Test func aPurgeKeepsWhatTheModelHas() throws {
    var random = TestSeed.next()
    for _ in 0..<Self.histories / 2 {
      let fixture = try StoreFixture()
      let first = try GeneratedHistory.document(&random)
      try fixture.with(first) { try GeneratedHistory.fill($0, &random) }
      let second = try GeneratedHistory.changed(first, &random)
      let before = try fixture.with(second, GeneratedHistory.options) {
        try GeneratedHistory.content($0)
      }
      try ObjectStore.compact(fixture.path, purge: true)
      try fixture.with(second, GeneratedHistory.options) { (store) throws in
        let after = try GeneratedHistory.content(store)
        #expect(after == before)
        #expect(store.warnings.isEmpty)
        let entities = try store.statistics().entities
        #expect(entities.allSatisfy { !$0.isHidden && $0.hiddenProperties.isEmpty })
      }
      let findings = try ObjectStore.verify(fixture.path)
      #expect(findings.isEmpty)
    }
  }
}

extension OpeningLawTests {
  /// Indexes that are built at the end have the entries of those that puts kept up.
  @Test func indexesThatWereDeferredAreTheSame() throws {
    var random = TestSeed.next()
    for _ in 0..<Self.histories {
      let document = try GeneratedHistory.document(&random)
      let seed = random.next()
      var options = StoreOptions()
      options.defersIndexes = true
      options.indexBytes = 1 + random.below(300)
      options.indexChunk = 1 + random.below(9)
      let (later, atOnce) = (try StoreFixture(), try StoreFixture())
      let isOpenedAgain = random.oneIn(3)
      try later.with(document, options) { (store) throws in
        #expect(store.schema.indexes.isEmpty)
        var own = SplitMix64(seed: seed)
        try GeneratedHistory.fill(store, &own)
        if isOpenedAgain { return }
        let built = try store.buildIndexes()
        #expect(!built.lacksIndexes)
        try GeneratedHistory.lookUpEverything(built)
        if store.lacksIndexes {
          #expect(throws: StoreError.modelChangedElsewhere) { try store.write { _ in } }
        }
        try GeneratedHistory.putAgain(built)
      }
      let entries = try later.with(document) { (store) throws in
        try GeneratedHistory.lookUpEverything(store)
        return try GeneratedHistory.entries(store)
      }
      let expected = try atOnce.with(document) { (store) throws in
        var own = SplitMix64(seed: seed)
        try GeneratedHistory.fill(store, &own)
        return try GeneratedHistory.entries(store)
      }
      #expect(entries == expected)
      let findings = try ObjectStore.verify(later.path)
      #expect(findings.isEmpty)
    }
  }
}

/// Random models, changes that a store takes over, and what is in a store.
private enum GeneratedHistory {
  private static let types: [PropertyType] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]
    .map { PropertyType(rawValue: $0) }

  /// A few changes of a small model can leave little of it.
  static var options: StoreOptions {
    var options = StoreOptions()
    options.acceptsRegeneratedModel = true
    return options
  }

  static func document(_ random: inout SplitMix64) throws -> ModelDocument {
    let names = ["Alpha", "Beta", "Gamma"].prefix(1 + random.below(3))
    var entities: [TestModel.Entity] = []
    for (position, name) in names.enumerated() {
      var properties = [TestModel.Property.id()]
      for number in 0..<1 + random.below(7) {
        properties.append(property("p\(number)", &random))
      }
      if random.oneIn(2) {
        properties.append(
          .init(name: "one", type: .relation, flags: .indexed, target: random.pick(names)))
      }
      entities.append(
        .init(
          name: name, uid: UID(position + 1) * 100, properties: properties,
          relations: random.oneIn(2) ? [.init("many", to: random.pick(names))] : []))
    }
    var model = TestModel()
    model.entities = entities
    return try model.document()
  }

  private static func property(
    _ name: String, _ random: inout SplitMix64
  ) -> TestModel.Property {
    let type = random.pick(types)
    var flags: PropertyFlags = []
    if type.isInteger && random.oneIn(3) { flags.insert(.unsigned) }
    if random.oneIn(3) { flags.formUnion(indexFlags(type, flags, &random)) }
    return .init(name: name, type: type, flags: flags)
  }

  private static func indexFlags(
    _ type: PropertyType, _ flags: PropertyFlags, _ random: inout SplitMix64
  ) -> PropertyFlags {
    if type == .string { return random.pick([.indexed, .indexHash, .indexHash64]) }
    let isReference = SlotType(type, flags)?.isReference ?? true
    if isReference { return [] }
    return random.oneIn(3) ? [.indexed, .indexPartialSkipZero] : .indexed
  }

  // MARK: - Changes

  static func changed(
    _ document: ModelDocument, _ random: inout SplitMix64
  ) throws -> ModelDocument {
    try document.changed { model in
      for _ in 0..<1 + random.below(5) {
        let entity = random.below(model.entities.count)
        switch random.below(8) {
        case 0: removeProperty(entity, &model, &random)
        case 1: removeEntity(&model, &random)
        case 2: rename(entity, &model, &random)
        case 3: renumber(entity, &model)
        case 4: addProperty(entity, &model, &random)
        case 5: changeIndex(entity, &model, &random)
        case 6:
          model.entities[entity].relations = []
        default: addEntity(&model, &random)
        }
      }
      raiseCounters(&model)
    }
  }

  private static func removeProperty(
    _ entity: Int, _ model: inout Model, _ random: inout SplitMix64
  ) {
    let others = model.entities[entity].properties.indices.filter {
      !model.entities[entity].properties[$0].flags.contains(.id)
    }
    if others.isEmpty { return }
    let removed = model.entities[entity].properties.remove(at: random.pick(others))
    if random.oneIn(2) {
      model.retiredPropertyUIDs = (model.retiredPropertyUIDs ?? []) + [removed.pair.uid]
      if let index = removed.indexID {
        model.retiredIndexUIDs = (model.retiredIndexUIDs ?? []) + [index.uid]
      }
    }
  }

  private static func removeEntity(_ model: inout Model, _ random: inout SplitMix64) {
    // One is left, and it knows as many UIDs as the store needs to be recognised.
    if model.entities.count < 3 { return }
    let removed = model.entities.remove(at: random.below(model.entities.count))
    for position in model.entities.indices {
      model.entities[position].properties.removeAll { $0.relationTarget == removed.name }
      model.entities[position].relations?.removeAll { $0.target.uid == removed.pair.uid }
    }
  }

  private static func rename(_ entity: Int, _ model: inout Model, _ random: inout SplitMix64) {
    if random.oneIn(2) {
      let property = random.below(model.entities[entity].properties.count)
      model.entities[entity].properties[property].name = "renamed\(random.next() % 1_000_000)"
      return
    }
    let (before, after) = (model.entities[entity].name, "Renamed\(random.next() % 1_000_000)")
    model.entities[entity].name = after
    for other in model.entities.indices {
      for property in model.entities[other].properties.indices
      where model.entities[other].properties[property].relationTarget == before {
        model.entities[other].properties[property].relationTarget = after
      }
    }
  }

  /// Turns the order of the ids round, as no merge would and any could.
  private static func renumber(_ entity: Int, _ model: inout Model) {
    let ids = model.entities[entity].properties.map(\.pair.id)
    for (position, id) in ids.reversed().enumerated() {
      model.entities[entity].properties[position].pair.id = id
    }
  }

  private static func addProperty(
    _ entity: Int, _ model: inout Model, _ random: inout SplitMix64
  ) {
    let uid = 1_000_000 + random.next() % 1_000_000_000
    let spec = property("added\(uid)", &random)
    let id = (model.entities[entity].properties.map(\.pair.id).max() ?? 0) + 1
    var added = Property(
      pair: IDPair(id: max(id, (model.entities[entity].lastPropertyID?.id ?? 0) + 1), uid: uid),
      name: spec.name, type: spec.type, flags: spec.flags)
    if spec.flags.isIndexed {
      added.indexID = nextIndex(&model, uid: uid + 1)
    }
    model.entities[entity].properties.append(added)
    model.entities[entity].lastPropertyID = added.pair
  }

  private static func nextIndex(_ model: inout Model, uid: UID) -> IDPair {
    let highest = model.entities.flatMap(\.properties).compactMap(\.indexID?.id).max() ?? 0
    let pair = IDPair(id: max(highest, model.lastIndexID?.id ?? 0) + 1, uid: uid)
    model.lastIndexID = pair
    return pair
  }

  private static func changeIndex(
    _ entity: Int, _ model: inout Model, _ random: inout SplitMix64
  ) {
    let position = random.below(model.entities[entity].properties.count)
    var property = model.entities[entity].properties[position]
    guard let type = property.type, type != .relation, !property.flags.contains(.id) else { return }
    let wasIndexed = property.indexID != nil
    property.flags.subtract([.indexed, .indexHash, .indexHash64, .indexPartialSkipZero])
    if wasIndexed && random.oneIn(2) {
      property.indexID = nil
    } else {
      let flags = indexFlags(type, property.flags, &random)
      if flags.isEmpty { return }
      property.flags.formUnion(flags)
      if !wasIndexed {
        property.indexID = nextIndex(&model, uid: 2_000_000_000 + random.next() % 1_000_000_000)
      }
    }
    model.entities[entity].properties[position] = property
  }

  private static func addEntity(_ model: inout Model, _ random: inout SplitMix64) {
    let uid = 4_000_000_000 + random.next() % 1_000_000_000
    let id = max(model.lastEntityID?.id ?? 0, model.entities.map(\.pair.id).max() ?? 0) + 1
    var entity = Entity(pair: IDPair(id: id, uid: uid), name: "Added\(uid)")
    entity.properties = [
      Property(pair: IDPair(id: 1, uid: uid + 1_000_000_000), name: "id", type: .long, flags: .id)
    ]
    entity.lastPropertyID = entity.properties[0].pair
    model.entities.append(entity)
    model.lastEntityID = entity.pair
  }

  /// The counters name elements that are there, or retired ones: what a check asks for.
  private static func raiseCounters(_ model: inout Model) {
    model.lastEntityID = model.entities.map(\.pair).max { $0.id < $1.id } ?? .unset
    model.lastIndexID =
      model.entities.flatMap(\.properties).compactMap(\.indexID).max { $0.id < $1.id } ?? .unset
    model.lastRelationID =
      model.entities.flatMap { $0.relations ?? [] }.map(\.pair).max { $0.id < $1.id } ?? .unset
    for position in model.entities.indices {
      model.entities[position].lastPropertyID =
        model.entities[position].properties.map(\.pair).max { $0.id < $1.id } ?? .unset
    }
  }

  // MARK: - Content

  static func fill(_ store: ObjectStore, _ random: inout SplitMix64) throws {
    try store.write { (transaction) throws in
      for entity in store.entities {
        for _ in 0..<random.below(25) {
          var object = DynamicObject(entity)
          for (position, property) in entity.properties.enumerated() where !random.oneIn(4) {
            object.values[position] =
              property.modelType == .relation
              ? .unsigned(UInt64(random.below(20))) : RecordSamples.value(property.type, &random)
          }
          try transaction.put(object)
        }
        // Gaps, and ids that are given and free.
        if random.oneIn(2) { try transaction.remove(entity, UInt64(1 + random.below(25))) }
      }
      for entity in store.entities {
        for relation in entity.relations {
          guard let target = store.entity(relation.target) else { continue }
          for _ in 0..<random.below(30) {
            let ids = (UInt64(1 + random.below(25)), UInt64(1 + random.below(25)))
            if try transaction.contains(entity, ids.0), try transaction.contains(target, ids.1) {
              try transaction.link(relation, ids.0, ids.1)
            }
          }
        }
      }
    }
  }

  private static func objects(
    _ entity: EntitySchema, _ transaction: Transaction
  ) throws -> [DynamicObject] {
    var objects: [DynamicObject] = []
    try transaction.visitObjects(entity) {
      objects.append($0)
      return .next
    }
    return objects
  }

  static func putAgain(_ store: ObjectStore) throws {
    try store.write { (transaction) throws in
      for entity in store.entities {
        try transaction.put(objects(entity, transaction), mode: .update)
      }
    }
  }

  /// Everything that the model sees, as text.
  static func content(_ store: ObjectStore) throws -> [String] {
    try store.read { (transaction) throws in
      var lines: [String] = []
      for entity in store.entities {
        for object in try objects(entity, transaction) {
          lines.append("\(entity.name) \(object.id) \(RecordSamples.text(object.values))")
          for relation in entity.relations {
            let targets = try transaction.targets(relation, of: object.id)
            lines.append("  \(relation.name) \(targets)")
          }
        }
      }
      return lines
    }
  }

  /// All entries of all indexes, as text.
  static func entries(_ store: ObjectStore) throws -> [String] {
    try store.read { (transaction) throws in
      let storage = try transaction.reading()
      var lines: [String] = []
      for index in store.schema.indexes {
        if index.hasByteKeys {
          try storage.entries(index.space, from: nil as UnsafeRawBufferPointer?, .forward) {
            lines.append("\(index.uid) \([UInt8]($0)) \($1)")
            return .next
          }
        } else {
          try storage.entries(index.space, from: nil as UInt64?, .forward) {
            lines.append("\(index.uid) \($0) \($1)")
            return .next
          }
        }
      }
      return lines
    }
  }

  static func lookUpEverything(_ store: ObjectStore) throws {
    try store.read { (transaction) throws in
      for entity in store.entities {
        let objects = try objects(entity, transaction)
        for (position, property) in entity.properties.enumerated() where property.index != nil {
          for object in objects where object.values[position] != .null {
            let value = object.values[position]
            if property.index?.skipsZero == true && isZero(value) { continue }
            let found = try transaction.ids(entity, where: property, equals: value)
            #expect(found.contains(object.id), "\(entity.name).\(property.name) \(value)")
            let equal = objects.filter { isEqual($0.values[position], value) }.map(\.id)
            #expect(found == equal)
          }
        }
      }
    }
  }

  private static func isZero(_ value: Value) -> Bool {
    switch value {
    case .integer(0), .unsigned(0), .float(0), .double(0), .bool(false): true
    default: false
    }
  }

  /// As the documentation of indexes says: NaN equals NaN, and -0.0 equals 0.0.
  private static func isEqual(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
    case (.float(let a), .float(let b)): a == b || a.isNaN && b.isNaN
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    default: a == b
    }
  }
}
