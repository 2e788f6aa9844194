import BoxMerge
import BoxModel
import BoxReport
import TestSupport
import Testing

struct RematchTests {
  /// A copy with other UIDs and ids in another order, as a generator makes it that starts anew.
  private func regenerated(
    _ document: ModelDocument, _ random: inout SplitMix64
  ) throws -> ModelDocument {
    var model = document.model
    var names: [UID: UID] = [:]
    func fresh(_ uid: UID) -> UID {
      if let name = names[uid] { return name }
      let name = (random.next() >> 1) & ~0xFF | 0x100
      names[uid] = name
      return name
    }
    func numbers(_ count: Int) -> [UInt32] { (1...UInt32(max(1, count))).shuffled(using: &random) }
    let entityIDs = numbers(model.entities.count)
    var indexes: UInt32 = 0
    var relations: UInt32 = 0
    var pairs: [UID: IDPair] = [:]
    for e in model.entities.indices {
      let old = model.entities[e].pair.uid
      model.entities[e].pair = IDPair(id: entityIDs[e], uid: fresh(old))
      pairs[old] = model.entities[e].pair
      let ids = numbers(model.entities[e].properties.count)
      for p in model.entities[e].properties.indices {
        let uid = fresh(model.entities[e].properties[p].pair.uid)
        model.entities[e].properties[p].pair = IDPair(id: ids[p], uid: uid)
        if let index = model.entities[e].properties[p].indexID {
          indexes += 1
          model.entities[e].properties[p].indexID = IDPair(id: indexes, uid: fresh(index.uid))
        }
      }
      model.entities[e].lastPropertyID =
        model.entities[e].properties.map(\.pair).max { $0.id < $1.id } ?? .unset
      for r in model.entities[e].relations?.indices ?? 0..<0 {
        relations += 1
        let uid = fresh(model.entities[e].relations?[r].pair.uid ?? 0)
        model.entities[e].relations?[r].pair = IDPair(id: relations, uid: uid)
      }
    }
    for e in model.entities.indices {
      for r in model.entities[e].relations?.indices ?? 0..<0 {
        guard let target = model.entities[e].relations?[r].target else { continue }
        model.entities[e].relations?[r].target = pairs[target.uid] ?? target
      }
    }
    for kind in ElementKind.allCases where model[retired: kind] != nil { model[retired: kind] = [] }
    func last(_ counter: Counter) {
      var pair = IDPair.unset
      model.forEachElement { place, candidate in
        if model.counter(of: place) == counter, candidate.id > pair.id { pair = candidate }
      }
      if model[last: counter] != nil { model[last: counter] = pair }
    }
    for counter in [Counter.entity, .index, .relation] { last(counter) }
    return try ModelDocument(parsing: document.rendered(model))
  }

  private struct Live: Hashable {
    var kind: ElementKind
    var name: String
    var pair: IDPair
  }

  private func live(_ model: Model) -> Set<Live> {
    var result: Set<Live> = []
    model.forEachElement { place, pair in
      result.insert(Live(kind: place.kind, name: model.label(place), pair: pair))
    }
    return result
  }

  private func named(_ model: Model) -> Set<UID> {
    var uids: Set<UID> = []
    model.forEachElement { _, pair in uids.insert(pair.uid) }
    for kind in ElementKind.allCases { uids.formUnion(model[retired: kind] ?? []) }
    return uids
  }

  /// The laws of any rematch.
  private func expectLaws(
    _ side: ModelDocument, _ base: ModelDocument, _ name: String
  ) throws -> Rematch {
    let rematch = try BoxMerge.rematch(side, onto: base)
    let result = rematch.document
    #expect(result.isComplete)
    let known = Set((side.check() + base.check()).map(\.rule.id))
    let errors = result.check().filter { $0.severity == .error && !known.contains($0.rule.id) }
    #expect(errors.isEmpty, "\(name): \(errors.map(\.message))")
    let all = named(result.model)
    #expect(all.isSuperset(of: named(base.model)), "\(name): a UID of the base is lost")
    #expect(all.isSuperset(of: named(side.model)), "\(name): a UID of the side is lost")
    for counter in [Counter.entity, .index, .relation] {
      #expect(
        result.model[last: counter]?.id ?? 0 >= base.model[last: counter]?.id ?? 0, "\(name)")
    }
    #expect(result.model.entities.map(\.name).sorted() == side.model.entities.map(\.name).sorted())
    let again = try BoxMerge.rematch(result, onto: base)
    #expect(again.document.bytes == result.bytes, "\(name): another rematch changes the file")
    #expect(again.replaced.isEmpty)
    var pairs: [ElementKey: IDPair] = [:]
    base.model.forEachElement { place, pair in pairs[ElementKey(place.kind, pair.uid)] = pair }
    result.model.forEachElement { place, pair in
      if let old = pairs[ElementKey(place.kind, pair.uid)] {
        #expect(old == pair, "\(name): an id changed")
      }
    }
    let count = ElementKind.allCases.reduce(0) { $0 + (rematch.counts[$1] ?? 0) }
    #expect(rematch.kept.count + rematch.removed.count + rematch.changed.count == count, "\(name)")
    return rematch
  }

  /// A copy with other numbers everywhere gets all the old ones back.
  @Test(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
  func aRegeneratedCopyGetsItsNumbersBack() throws {
    var random = TestSeed.next()
    var count = 0
    for file in try #require(Corpus.shared).snapshots {
      let name = file.name
      guard let base = file.document, base.isComplete,
        !base.check().contains(where: { $0.severity == .error }), !base.model.entities.isEmpty
      else { continue }
      let side = try regenerated(base, &random)
      #expect(isRegenerated(side.model, from: base.model))
      let rematch = try expectLaws(side, base, name)
      #expect(live(rematch.document.model) == live(base.model), "\(name)")
      #expect(rematch.new.isEmpty)
      #expect(rematch.changed.isEmpty)
      #expect(rematch.removed.isEmpty)
      #expect(rematch.kept.count == live(base.model).count)
      #expect(!isRegenerated(rematch.document.model, from: base.model))
      count += 1
    }
    #expect(count > 100)
  }

  /// Sides that people's generators really made anew.
  @Test(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
  func realRegeneratedSidesAreMatched() throws {
    var kept = 0
    var sides = 0
    let corpus = try #require(Corpus.shared)
    for (step, counts) in corpus.evolutionKinds where counts["regenerated"] == 1 {
      guard let base = step.old.document, let side = step.new.document, base.isComplete,
        side.isComplete
      else { continue }
      let rematch = try expectLaws(side, base, "\(step.new)")
      sides += 1
      kept += rematch.kept.count
    }
    for triple in corpus.divergences {
      guard let base = triple.base?.document, base.isComplete else { continue }
      for file in [triple.ours, triple.theirs] {
        guard let side = file.document, side.isComplete,
          isRegenerated(side.model, from: base.model)
        else { continue }
        let rematch = try expectLaws(side, base, "\(file)")
        sides += 1
        kept += rematch.kept.count
      }
    }
    print("realRegeneratedSidesAreMatched: \(sides) sides, \(kept) elements kept")
    #expect(sides > 60)
    #expect(kept > 1_000)
  }

  private static let base = """
    {
      "entities": [
        {"id": "1:1001000", "lastPropertyId": "3:1003000", "name": "Note", "properties": [
          {"id": "1:1001500", "name": "id", "type": 6, "flags": 1},
          {"id": "2:1002000", "name": "text", "indexId": "1:1002500", "type": 9, "flags": 2056},
          {"id": "3:1003000", "name": "author", "indexId": "2:1003500", "type": 11,
            "flags": 520, "relationTarget": "User"}
        ], "relations": []},
        {"id": "2:1004000", "lastPropertyId": "1:1004500", "name": "User", "properties": [
          {"id": "1:1004500", "name": "id", "type": 6, "flags": 1}
        ], "relations": [
          {"id": "1:1005000", "name": "notes", "targetId": "1:1001000"}
        ]}
      ],
      "lastEntityId": "3:1006000",
      "lastIndexId": "2:1003500",
      "lastRelationId": "1:1005000",
      "modelVersion": 5,
      "modelVersionParserMinimum": 5,
      "newUidPool": [1009000],
      "retiredEntityUids": [1006000],
      "retiredIndexUids": [],
      "retiredPropertyUids": [],
      "retiredRelationUids": [],
      "version": 7
    }
    """

  /// The text became a number, the author refers to another entity, and an entity is new.
  @Test func whatIsNotTheSameIsNew() throws {
    let side = """
      {
        "entities": [
          {"id": "1:2004000", "lastPropertyId": "1:2004500", "name": "Tag", "properties": [
            {"id": "1:2004500", "name": "id", "type": 6, "flags": 1}
          ], "relations": []},
          {"id": "2:2001000", "lastPropertyId": "4:2003000", "name": "note", "properties": [
            {"id": "1:2001500", "name": "id", "type": 6, "flags": 1},
            {"id": "2:2002000", "name": "text", "type": 6},
            {"id": "4:2003000", "name": "author", "indexId": "1:2003500", "type": 11,
              "flags": 520, "relationTarget": "Tag"}
          ], "relations": []}
        ],
        "lastEntityId": "2:2001000",
        "lastIndexId": "1:2003500",
        "lastRelationId": "0:0",
        "modelVersion": 5,
        "modelVersionParserMinimum": 5,
        "retiredEntityUids": [],
        "retiredIndexUids": [],
        "retiredPropertyUids": [],
        "retiredRelationUids": [],
        "version": 1
      }
      """
    let base = try ModelDocument(parsing: Array(Self.base.utf8))
    let rematch = try expectLaws(try ModelDocument(parsing: Array(side.utf8)), base, "changes")
    let model = rematch.document.model
    let note = try #require(model.entities.first { $0.name == "note" })
    #expect(note.pair == IDPair(id: 1, uid: 1_001_000))
    #expect(note.properties.map(\.pair.id) == [1, 4, 5])
    #expect(note.properties.map(\.pair.uid) == [1_001_500, 2_002_000, 2_003_000])
    #expect(note.lastPropertyID == IDPair(id: 5, uid: 2_003_000))
    #expect(note.properties[2].indexID == IDPair(id: 3, uid: 2_003_500))
    let tag = try #require(model.entities.first { $0.name == "Tag" })
    #expect(tag.pair == IDPair(id: 4, uid: 2_004_000))
    #expect(model.lastEntityID == tag.pair)
    #expect(model.lastIndexID == IDPair(id: 3, uid: 2_003_500))
    #expect(model.lastRelationID == IDPair(id: 1, uid: 1_005_000))
    #expect(model.retiredEntityUIDs == [1_006_000, 1_004_000, 2_001_000])
    #expect(
      model.retiredPropertyUIDs == [1_002_000, 1_003_000, 1_004_500, 2_001_500])
    #expect(model.retiredIndexUIDs == [1_002_500, 1_003_500])
    #expect(model.retiredRelationUIDs == [1_005_000])
    #expect(model.newUIDPool == [1_009_000])
    #expect(model.version == 7)
    #expect(rematch.replaced == [ElementKey(.entity, 2_001_000), ElementKey(.property, 2_001_500)])
    #expect(
      rematch.summary == [
        "kept 1 of 2 entities, 1 of 4 properties, 0 of 2 indexes, 0 of 1 relation",
        "cannot keep: note.text (type long, was type string)",
        "cannot keep: note.author (to Tag, was to User)",
        "retired: User, which is gone",
        "new: 1 entity, 1 property, 1 index",
      ])
  }

  /// Everything was retired by the tool that started over: what is found again is not retired.
  @Test func elementsThatAreFoundAgainAreNotRetired() throws {
    let base = try ModelDocument(parsing: Array(Self.base.utf8))
    var random = TestSeed.next()
    var model = try regenerated(base, &random).model
    base.model.forEachElement { place, pair in model[retired: place.kind]?.append(pair.uid) }
    let side = try ModelDocument(parsing: base.rendered(model))
    let rematch = try expectLaws(side, base, "retired")
    #expect(live(rematch.document.model) == live(base.model))
  }

  /// A UID that the base uses for something else is not given to a new element.
  @Test(.promise(117)) func aUIDOfTheBaseIsNotReused() throws {
    let base = try ModelDocument(parsing: Array(Self.base.utf8))
    var random = TestSeed.next()
    var model = try regenerated(base, &random).model
    // As an entity: the UID of a property, and one that was retired.
    model.entities.append(Entity(pair: IDPair(id: 8, uid: 1_002_000), name: "One"))
    model.entities.append(Entity(pair: IDPair(id: 9, uid: 1_006_000), name: "Two"))
    model.lastEntityID = IDPair(id: 9, uid: 1_006_000)
    let rematch = try BoxMerge.rematch(
      try ModelDocument(parsing: base.rendered(model)), onto: base)
    let result = rematch.document.model
    var uids: Set<UID> = []
    result.forEachElement { _, pair in #expect(uids.insert(pair.uid).inserted) }
    #expect(result.entities.suffix(2).map(\.pair.id) == [4, 5])
    #expect(result.retiredEntityUIDs?.contains(1_006_000) == true)
    #expect(result.entities.allSatisfy { $0.pair.uid != 1_006_000 })
  }

  @Test func regeneratedMeansNoCommonUID() throws {
    let model = try ModelDocument(parsing: Array(Self.base.utf8)).model
    var empty = model
    empty.entities = []
    #expect(!isRegenerated(model, from: model))
    #expect(!isRegenerated(empty, from: model))
    #expect(!isRegenerated(model, from: empty))
    var other = model
    for e in other.entities.indices { other.entities[e].pair.uid += 5 }
    #expect(!isRegenerated(other, from: model))
    for e in other.entities.indices {
      for p in other.entities[e].properties.indices {
        other.entities[e].properties[p].pair.uid += 5
      }
    }
    #expect(isRegenerated(other, from: model))
  }

  @Test func unreadableInputIsRefused() throws {
    let base = try ModelDocument(parsing: Array(Self.base.utf8))
    let broken = try ModelDocument(parsing: Array(#"{"entities": [{"id": 1}]}"#.utf8))
    #expect(throws: RematchRefusal.incompleteSide) { try rematch(broken, onto: base) }
    #expect(throws: RematchRefusal.incompleteBase) { try rematch(base, onto: broken) }
  }
}
