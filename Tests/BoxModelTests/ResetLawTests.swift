import BoxModel
import BoxReport
import TestSupport
import Testing

/// Elements that begin under a new UID, as a build makes them after a merge that kept their sources.
struct ResetLawTests {
  /// A model with entities of properties, indexes and relations.
  private static func start(_ random: inout SplitMix64) throws -> Model {
    var editor = ModelEditor(Model(), uids: .sequential)
    var drafts: [EntityDraft] = []
    for e in 0...(1 + random.below(3)) {
      var properties = [PropertyDraft.id()]
      for p in 0...random.below(4) {
        let type = random.pick([PropertyType.string, .long, .double])
        properties.append(PropertyDraft("p\(p)", type, random.oneIn(3) ? .indexed : []))
      }
      let relations = random.oneIn(2) ? [RelationDraft("many", to: "E0")] : []
      drafts.append(EntityDraft("E\(e)", properties: properties, relations: relations))
    }
    try editor.addEntities(drafts)
    return editor.model
  }

  /// The resets are found, and restoring them gives every element the pair that it had.
  @Test func whatIsResetIsFoundAndRestored() throws {
    var random = TestSeed.next()
    var count = 0
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RESETS", default: 2_000) {
      let before = try Self.start(&random)
      var editor = ModelEditor(before, uids: .random)
      var expected: Set<RenameFix> = []
      for e in before.entities.indices {
        let entity = before.entities[e]
        for property in entity.properties where !property.flags.contains(.id) && random.oneIn(3) {
          try editor.remove(ElementKey(.property, property.pair.uid))
          let isRemoved = random.oneIn(4)
          if isRemoved { continue }
          let other: PropertyType = property.type == .string ? .long : .string
          let type = random.oneIn(4) ? other : property.type ?? .long
          try editor.addProperty(
            PropertyDraft(
              random.oneIn(2) ? property.name : property.name.uppercased(), type, property.flags),
            to: entity.name)
          let new = editor.model.entities[e].properties.last?.pair.uid ?? 0
          if type == property.type {
            expected.insert(
              RenameFix(
                old: ElementKey(.property, property.pair.uid), new: ElementKey(.property, new)))
          }
        }
        for relation in entity.relations ?? [] where random.oneIn(3) {
          try editor.remove(ElementKey(.relation, relation.pair.uid))
          try editor.addRelation(RelationDraft("many", to: "E0"), to: entity.name)
          let new = editor.model.entities[e].relations?.last?.pair.uid ?? 0
          expected.insert(
            RenameFix(
              old: ElementKey(.relation, relation.pair.uid), new: ElementKey(.relation, new)))
        }
      }
      count += expected.count
      let after = editor.model
      let base = ResetBase(name: "HEAD", model: before)
      #expect(Set(after.resets(since: base)) == expected)
      // What another parent has is its own answer.
      let merged = ResetBase(name: "HEAD", model: before, siblings: [after])
      #expect(after.resets(since: merged).isEmpty)
      let restored = after.restoring(Array(expected), from: before)
      #expect(restored.resets(since: base).isEmpty)
      let issues = try Self.document(restored).check().filter { $0.severity == .error }
      #expect(issues.isEmpty, "\(issues.map(\.message))")
      let (old, now) = (ModelLookup(before), ModelLookup(restored))
      for fix in expected {
        let place = try #require(old[fix.old.kind, fix.old.uid])
        let found = try #require(now[fix.old.kind, fix.old.uid])
        #expect(restored.pair(at: found) == before.pair(at: place))
        #expect(now.isRetired(fix.new.kind, fix.new.uid))
        if case .property(let e, let p) = place, case .property(let f, let q) = found,
          let index = before.entities[e].properties[p].indexID
        {
          #expect(restored.entities[f].properties[q].indexID == index)
        }
      }
      // Restoring is the reset of the other direction, of elements that the version knows as retired.
      #expect(restored.resets(since: ResetBase(name: "HEAD", model: after)).isEmpty)
    }
    print("\(count) resets")
    #expect(count > 1_000)
  }

  /// The return of an element that was removed: it is as it was.
  @Test func removedElementsComeBack() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RESETS", default: 2_000) {
      let before = try Self.start(&random)
      var editor = ModelEditor(before, uids: .random)
      let entity = random.pick(before.entities)
      let key: ElementKey
      switch random.below(3) {
      case 0 where entity.name != "E0": key = ElementKey(.entity, entity.pair.uid)
      case 1 where entity.relations?.isEmpty == false:
        key = ElementKey(.relation, entity.relations?[0].pair.uid ?? 0)
      default: key = ElementKey(.property, entity.properties[1].pair.uid)
      }
      try editor.remove(key)
      var model = editor.model
      let isBack = model.revive(key, from: before)
      #expect(isBack)
      let lookup = ModelLookup(model)
      before.forEachElement { place, pair in
        let found = lookup[place.kind, pair.uid]
        #expect(found.flatMap { model.pair(at: $0) } == pair)
        #expect(!lookup.isRetired(place.kind, pair.uid))
      }
      let issues = try Self.document(model).check().filter { $0.severity == .error }
      #expect(issues.isEmpty, "\(issues.map(\.message))")
      let isBackTwice = model.revive(key, from: before)
      #expect(!isBackTwice)
    }
  }

  /// A UID that was on offer was asked for.
  @Test func aUIDOfThePoolIsIntended() throws {
    var random = TestSeed.next()
    var before = try Self.start(&random)
    let property = before.entities[0].properties[1]
    before.newUIDPool = [4_711_000]
    var editor = ModelEditor(before, uids: .random)
    try editor.remove(ElementKey(.property, property.pair.uid))
    try editor.addProperty(
      PropertyDraft(property.name, property.type ?? .long, property.flags, uid: 4_711_000),
      to: "E0")
    #expect(editor.model.resets(since: ResetBase(name: "HEAD", model: before)).isEmpty)
  }

  private static func document(_ model: Model) throws -> ModelDocument {
    let start = try ModelDocument(parsing: ModelDocument.newFile)
    return try ModelDocument(parsing: start.rendered(model))
  }
}
