import BoxJSON
import BoxReport
import TestSupport
import Testing

@testable import BoxModel

/// Every rule about an earlier version is broken in every file that has something to break.
struct CheckAgainstTests {
  /// An earlier version, a later one that breaks a rule, and where that shows.
  private struct Case {
    var rule: Rule
    var earlier: ModelDocument
    var later: ModelDocument
    var range: Range<Int>
    var mended: [UInt8]?
  }

  private func parse(_ document: ModelDocument, _ edits: [TextEdit?]) -> ModelDocument? {
    let edits = edits.compactMap { $0 }
    return edits.isEmpty ? nil : try? ModelDocument(parsing: document.bytes(after: edits))
  }

  private func root(_ key: String, _ document: ModelDocument) -> Range<Int> {
    document.json.value(forKey: key, in: document.json.root).map { document.json.range(of: $0) }
      ?? 0..<0
  }

  private func cases(_ document: ModelDocument) -> [Case] {
    var cases: [Case] = []
    func add(
      _ rule: Rule, _ earlier: ModelDocument?, _ later: ModelDocument?,
      at place: (ModelDocument) -> Range<Int>?, mended: [UInt8]? = nil
    ) {
      guard let earlier, let later, let range = place(later) else { return }
      cases.append(Case(rule: rule, earlier: earlier, later: later, range: range, mended: mended))
    }
    func parsed(_ model: Model) -> ModelDocument? {
      try? ModelDocument(parsing: document.rendered(model))
    }

    if !document.model.entities.isEmpty {
      var other = document.model
      for e in other.entities.indices { other.entities[e].pair.uid ^= 1 << 40 }
      add(ModelRule.regenerated, document, parsed(other)) { later in
        later.replacing("id", of: .entity(0), with: "")?.range
      }
    }
    for removal in removals(document) {
      // Removed with care, and then the same without what the retired lists say.
      let forgotten = parsed(removal.model)
      let key = removal.kind.retiredListKey
      add(ModelRule.forgotten, document, forgotten, at: { root(key, $0) }, mended: removal.mended)
    }
    if let last = document.model.lastEntityID, !last.isUnset,
      document.model[retired: .entity] != nil
    {
      let higher = IDPair(id: last.id + 1, uid: document.freeUID)
      let earlier = parse(
        document,
        [
          document.replacing(root: "lastEntityId", with: "\"\(higher)\""),
          document.prepending([higher.uid], to: "retiredEntityUids"),
        ])
      let later = parse(document, [document.prepending([higher.uid], to: "retiredEntityUids")])
      add(
        ModelRule.lastIDLowered, earlier, later, at: { root("lastEntityId", $0) },
        mended: earlier?.bytes)
    }
    if let (place, property) = document.plainProperties.first,
      let last = document.model.entities[place.entity].lastPropertyID
    {
      let moved = IDPair(id: last.id + 1, uid: property.pair.uid)
      let edit = document.replacing("id", of: place, with: "\"\(moved)\"")
      let renumbered = parse(
        document,
        [
          edit,
          document.replacing("lastPropertyId", of: .entity(place.entity), with: "\"\(moved)\""),
        ])
      add(ModelRule.idChanged, document, renumbered) { later in
        later.replacing("id", of: place, with: "")?.range
      }
      add(
        ModelRule.typeChanged, document,
        parse(
          document, [document.replacing("type", of: place, with: property.type == .int ? "6" : "5")]
        )
      ) { later in later.replacing("type", of: place, with: "")?.range }
      let fresh = document.freeUID
      let retire = document.prepending([property.pair.uid], to: "retiredPropertyUids")
      add(
        ModelRule.idReused, retire == nil ? nil : document,
        parse(
          document,
          [
            document.replacing("id", of: place, with: "\"\(property.pair.id):\(fresh)\""),
            retire,
          ])
      ) { later in later.replacing("id", of: place, with: "")?.range }
      if document.model.retiredPropertyUIDs != nil, case .property(let e, let p) = place {
        var without = document.model
        without.entities[e].properties.remove(at: p)
        without.retiredPropertyUIDs?.append(property.pair.uid)
        add(ModelRule.revived, parsed(without), document) { later in
          later.replacing("id", of: place, with: "")?.range
        }
      }
    }
    if let e = document.model.entities.firstIndex(where: { $0.flags == [] }) {
      var later = document.model
      later.entities[e].flags = .syncEnabled
      add(ModelRule.syncChanged, document, parsed(later)) { later in
        later.replacing("flags", of: .entity(e), with: "")?.range
      }
    }
    if document.model.retiredPropertyUIDs?.isEmpty == true {
      var earlier = document.model
      earlier.retiredPropertyUIDs = [document.freeUID]
      let before = parsed(earlier)
      add(
        ModelRule.retirementLost, before, document, at: { root("retiredPropertyUids", $0) },
        mended: before?.bytes)
    }
    return cases
  }

  /// Models that lack one element which was not retired, and the file with it retired.
  private func removals(
    _ document: ModelDocument
  ) -> [(kind: ElementKind, model: Model, mended: [UInt8])] {
    var result: [(ElementKind, Model, [UInt8])] = []
    func add(_ kind: ElementKind, _ without: Model, _ keys: [ElementKey]) {
      guard ElementKind.allCases.allSatisfy({ without[retired: $0] != nil }) else { return }
      var careful = without
      for key in keys { careful[retired: key.kind]?.append(key.uid) }
      result.append((kind, without, document.rendered(careful)))
    }
    let model = document.model
    if model.entities.count > 1, let e = document.unreferencedEntity {
      var without = model
      let gone = without.entities.remove(at: e)
      var keys = [ElementKey(.entity, gone.pair.uid)]
      for property in gone.properties {
        keys.append(ElementKey(.property, property.pair.uid))
        if let index = property.indexID { keys.append(ElementKey(.index, index.uid)) }
      }
      keys += (gone.relations ?? []).map { ElementKey(.relation, $0.pair.uid) }
      add(.entity, without, keys)
    }
    if case (.property(let e, let p), let property)? = document.plainProperties.first {
      var without = model
      without.entities[e].properties.remove(at: p)
      add(.property, without, [ElementKey(.property, property.pair.uid)])
    }
    if case (.property(let e, let p), let property)? = document.properties.first(where: {
      $0.property.indexID != nil
    }), let index = property.indexID {
      var without = model
      without.entities[e].properties[p].indexID = nil
      add(.index, without, [ElementKey(.index, index.uid)])
    }
    if case (.relation(let e, let r), let relation)? = document.relations.first {
      var without = model
      without.entities[e].relations?.remove(at: r)
      add(.relation, without, [ElementKey(.relation, relation.pair.uid)])
    }
    return result
  }

  /// Several elements of one UID, or an id that was given twice before, are not sound start.
  private func isSound(_ document: ModelDocument) -> Bool {
    document.isComplete && !document.check().contains { $0.severity > .note }
  }

  @Test func aBrokenRuleIsFoundAndFixedInWrittenFiles() throws {
    try breakEveryRule(in: Corpus.written)
  }

  @Test(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
  func aBrokenRuleIsFoundAndFixedInRealFiles() throws {
    try breakEveryRule(in: try #require(Corpus.shared).snapshots)
  }

  /// A broken rule is found at its place, and mended.
  private func breakEveryRule(in files: [Corpus.File]) throws {
    var counts: [String: Int] = [:]
    for file in files {
      let document = try #require(file.document, "\(file)")
      guard isSound(document) else { continue }
      for found in cases(document) {
        let issues = found.later.check(against: found.earlier)
        #expect(issues.map(\.rule) == [found.rule], "\(file) \(found.rule.name)")
        guard let issue = issues.first else { continue }
        #expect(
          found.later.line(of: issue.range.lowerBound)
            == found.later.line(of: found.range.lowerBound),
          "\(file) \(found.rule.name)")
        counts[found.rule.id, default: 0] += 1
        guard let mended = found.mended else {
          #expect(issue.fix == nil, "\(file) \(found.rule.name)")
          continue
        }
        let fixed = found.later.fixed { $0.check(against: found.earlier) }
        #expect(fixed.applied == issues, "\(file) \(found.rule.name)")
        #expect(fixed.document.check(against: found.earlier).isEmpty, "\(file) \(found.rule.name)")
        if found.rule == ModelRule.forgotten || found.rule == ModelRule.retirementLost {
          #expect(fixed.document.bytes.elementsEqual(mended), "\(file) \(found.rule.name)")
        }
        if found.rule == ModelRule.lastIDLowered {
          #expect(fixed.document.bytes.elementsEqual(mended), "\(file) \(found.rule.name)")
        }
      }
    }
    // What was lost or begun again is seen in a repository alone.
    let ofRepositories = [ModelRule.lost, ModelRule.begunAgain, ModelRule.reset]
    for rule in ModelRule.all where rule.id > "BOX200" && !ofRepositories.contains(rule) {
      print("\(rule.id) \(rule.name): broken in \(counts[rule.id] ?? 0)")
      #expect(counts[rule.id] ?? 0 > 0, "\(rule.name)")
    }
  }
}

/// The finer points of the comparison, on one small file.
struct CheckAgainstExamples {
  private func model() -> Model {
    TestModel(
      .init(name: "Ant", uid: 1_000, fields: [.init("age", 1_002, .int)]),
      .init(name: "Bear", uid: 2_000, fields: [.init("age", 2_002, .int)])
    ).model
  }

  private func document(_ model: Model) throws -> ModelDocument {
    let empty = try ModelDocument(parsing: Array("{\n  \"entities\": []\n}".utf8))
    return try ModelDocument(parsing: empty.rendered(model))
  }

  private func rules(_ new: Model, against old: Model) throws -> [Rule] {
    try document(new).check(against: document(old)).map(\.rule)
  }

  @Test func growthIsNotAnIssue() throws {
    var new = model()
    new.entities[0].properties.append(
      Property(pair: IDPair(id: 3, uid: 5_000), name: "size", type: .double))
    new.entities[0].lastPropertyID = IDPair(id: 3, uid: 5_000)
    new.entities[1].name = "Panda"
    #expect(try rules(new, against: model()) == [])
  }

  @Test func anEntityIsForgottenOnceWithAllThatItHad() throws {
    var new = model()
    new.entities.remove(at: 0)
    let later = try document(new)
    let earlier = try document(model())
    let issues = later.check(against: earlier)
    #expect(issues.map(\.rule) == [ModelRule.forgotten])
    let fixed = later.fixed { $0.check(against: earlier) }.document.model
    #expect(fixed.retiredEntityUIDs == [1_000])
    #expect(fixed.retiredPropertyUIDs == [1_001, 1_002])
  }

  @Test func membersOfARetiredEntityAreNotAskedFor() throws {
    var new = model()
    new.entities.remove(at: 0)
    new.retiredEntityUIDs = [1_000]
    #expect(try rules(new, against: model()) == [])
  }

  @Test func anOlderVersionIsALoweredLastId() throws {
    var new = model()
    new.entities.remove(at: 1)
    new.lastEntityID = new.entities[0].pair
    #expect(try rules(new, against: model()) == [ModelRule.lastIDLowered])
  }

  @Test func aLastIdThatIsContestedHasNoFix() throws {
    var old = model()
    old.lastEntityID = IDPair(id: 3, uid: 9_000)
    old.retiredEntityUIDs = [9_000]
    var new = model()
    new.retiredEntityUIDs = [9_000]
    new.entities[1].pair.id = 3
    let issues = try document(new).check(against: document(old))
    let lowered = try #require(issues.first { $0.rule == ModelRule.lastIDLowered })
    #expect(lowered.fix == nil)
  }

  @Test func aNewElementMayNotTakeTheIdOfOneThatIsGone() throws {
    var new = model()
    new.entities[1] = Entity(pair: IDPair(id: 2, uid: 7_000), name: "Cat")
    new.lastEntityID = new.entities[1].pair
    new.retiredEntityUIDs = [2_000]
    #expect(try rules(new, against: model()) == [ModelRule.idReused])
  }

  @Test func aModelThatIsReplacedWithCareIsNotRegenerated() throws {
    var new = model()
    new.entities = [Entity(pair: IDPair(id: 3, uid: 7_000), name: "Cat")]
    new.lastEntityID = new.entities[0].pair
    #expect(try rules(new, against: model()) == [ModelRule.regenerated])
    new.retiredEntityUIDs = [1_000, 2_000]
    #expect(try rules(new, against: model()) == [])
    // An entity that begins again under its name is a reset, of which another rule speaks.
    new.entities[0].name = "ant"
    #expect(try rules(new, against: model()) == [])
  }

  @Test func aSwapOfTwoIdsIsTwoChanges() throws {
    var new = model()
    new.entities[0].pair.id = 2
    new.entities[1].pair.id = 1
    #expect(try rules(new, against: model()) == [ModelRule.idChanged, ModelRule.idChanged])
  }
}
