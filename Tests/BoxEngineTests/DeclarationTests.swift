import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The declarations that a store keeps about the relations of its model.
struct DeclarationTests {
  private let fixture: StoreFixture
  private let document: ModelDocument

  init() throws {
    fixture = try StoreFixture()
    document = try PeopleModel.document()
  }

  private static func options(_ declarations: Declarations?) -> StoreOptions {
    var options = StoreOptions()
    options.declarations = declarations
    return options
  }

  private static let favourite = RelationDeclaration(
    relation: PeopleModel.favourite, name: "Person.favourite", targetRemoved: .deny)
  private static let friends = RelationDeclaration(
    relation: PeopleModel.friends, name: "Person.friends", sourceRemoved: .cascade)
  /// In the order of their UIDs.
  private static let both = Declarations(
    relations: [favourite, friends].sorted { $0.relation < $1.relation })

  private func generation() throws -> Int { try fixture.with { $0.schema.catalog.generation } }

  @Test func aStoreWithoutDeclarationsStaysAsItIs() throws {
    try fixture.with(document) { try PeopleModel.fill($0) }
    let before = try fixture.dataFile()
    for declarations in [nil, Declarations()] {
      try fixture.with(document, Self.options(declarations)) { store in
        #expect(store.declarations.isEmpty)
        #expect(store.schema.catalog.format == 1)
      }
      #expect(try fixture.dataFile() == before)
    }
  }

  @Test func whatIsGivenIsKeptUntilAnotherSetIsGiven() throws {
    try fixture.with(document, Self.options(Self.both)) { store in
      #expect(store.declarations == Self.both)
      #expect(store.schema.declarations == Self.both)
      #expect(store.schema.catalog.features == [.rules])
      #expect(store.schema.catalog.format == 2)
    }
    let first = try generation()
    let before = try fixture.dataFile()
    // The same set, and none, change nothing.
    for declarations in [Self.both, nil] {
      try fixture.with(document, Self.options(declarations)) {
        #expect($0.declarations == Self.both)
      }
      try fixture.with(nil, Self.options(declarations)) { #expect($0.declarations == Self.both) }
    }
    #expect(try fixture.dataFile() == before)
    try fixture.with(document, Self.options(Declarations(relations: [Self.friends]))) { store in
      #expect(store.declarations.relations == [Self.friends])
    }
    #expect(try generation() == first + 1)
    // Without a model too.
    try fixture.with(nil, Self.options(Declarations())) { store in
      #expect(store.declarations.isEmpty)
      #expect(store.schema.catalog.format == 1)
    }
    #expect(try generation() == first + 2)
    try fixture.with { #expect($0.schema.catalog.features.isEmpty) }
  }

  @Test func othersNoticeAnotherSet() throws {
    try fixture.with(document, Self.options(Self.both)) { (store) throws in
      try PeopleModel.fill(store)
      for (declarations, isRefused) in [(Self.both, false), (Declarations(), true)] {
        let options = Self.options(declarations)
        _ = try StoreOpening(store.location, document, options).write(store.storage, document)
        if isRefused {
          #expect(throws: StoreError.modelChangedElsewhere) { try store.write { _ in } }
        } else {
          try store.write { _ in }
        }
        // Reading means the same.
        #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
      }
    }
  }

  /// The names are for readers, and follow the model.
  @Test func namesDoNotCount() throws {
    try fixture.with(document, Self.options(Self.both)) { _ in }
    let before = try fixture.dataFile()
    var other = Self.both
    for position in other.relations.indices { other.relations[position].name = "Old.name" }
    try fixture.with(document, Self.options(other)) { #expect($0.declarations == Self.both) }
    #expect(try fixture.dataFile() == before)
    let renamed = try document.changed {
      try $0.change("Person", "favourite") { $0.name = "best" }
    }
    try fixture.with(renamed) { store in
      #expect(store.declarations.relation(PeopleModel.favourite)?.name == "Person.best")
      #expect(store.schema.declarations.relation(PeopleModel.favourite)?.targetRemoved == .deny)
    }
  }

  @Test func hiddenElementsTakeTheirDeclarationsWithThem() throws {
    try fixture.with(document, Self.options(Self.both)) { try PeopleModel.fill($0) }
    let without = try document.changed { model in
      try model.change("Person") { $0.relations = [] }
      model.retiredRelationUIDs = [PeopleModel.friends]
    }
    try fixture.with(without) { store in
      #expect(store.declarations == Self.both)
      #expect(store.schema.declarations.relations == [Self.favourite])
    }
    try fixture.with(document) { #expect($0.schema.declarations == Self.both) }
    try fixture.with(without) { _ in }
    try ObjectStore.compact(fixture.path)
    try fixture.with { #expect($0.declarations == Self.both) }
    try ObjectStore.compact(fixture.path, purge: true)
    try fixture.with { #expect($0.declarations.relations == [Self.favourite]) }
    try fixture.with(document) { #expect($0.declarations.relations == [Self.favourite]) }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  @Test func aStoreThatIsBuiltAgainKeepsThem() throws {
    try fixture.with(document, Self.options(Self.both)) { try PeopleModel.fill($0) }
    try ObjectStore.rebuild(fixture.path, model: document) { _, _ in }
    try fixture.with { #expect($0.declarations == Self.both) }
    let favourite = Declarations(relations: [Self.favourite])
    try ObjectStore.rebuild(fixture.path, model: document, options: Self.options(favourite)) {
      _, _ in
    }
    try fixture.with { #expect($0.declarations == favourite) }
    // A relation that became a number has none.
    let number = try document.changed { model in
      try model.change("Person", "favourite") {
        ($0.type, $0.relationTarget, $0.flags) = (.long, nil, .indexed)
      }
    }
    try ObjectStore.rebuild(fixture.path, model: number) { _, _ in }
    try fixture.with { #expect($0.declarations.isEmpty) }
  }

  @Test func aBackupHasThem() throws {
    try fixture.with(document, Self.options(Self.both)) { try PeopleModel.fill($0) }
    let target = fixture.directory.path(of: "copy")
    try BackupSession(of: fixture.path, to: target).run()
    let copy = try ObjectStore.open(.directory(target))
    #expect(copy.declarations == Self.both)
  }

  @Test func whatIsNoRelationIsRefused() throws {
    let wrong = Declarations(relations: [
      RelationDeclaration(relation: PeopleModel.age, name: "Person.age", targetRemoved: .deny)
    ])
    let findings = try fixture.refusal(document, Self.options(wrong))
    #expect(findings.map(\.rule.id) == ["BOX613"])
    #expect(
      findings.map(\.message) == [
        "a rule about removals: \(PeopleModel.age) is the property Person.age"
      ])
    #expect(!fixture.directory.exists("store"))
  }

  /// A version that does not know the feature names it.
  @Test func theCatalogNamesTheFeature() throws {
    var catalog = Catalog()
    catalog.declarations = Self.both
    let text = String(decoding: catalog.encoded(), as: UTF8.self)
    #expect(text.hasPrefix("{\"format\":2,\"features\":[\"rules\"],"))
    #expect(try Catalog(decoding: Array(text.utf8)) == catalog)
    for (old, new, error) in [
      ("\"deny\"", "\"later\"", StoreError.newerFormat("the rule later")),
      ("[\"rules\"]", "[\"later\"]", StoreError.newerFormat("the feature later")),
    ] {
      let changed = text.split(separator: old, omittingEmptySubsequences: false).joined(
        separator: new)
      #expect(throws: error) { try Catalog(decoding: Array(changed.utf8)) }
    }
  }

  // MARK: - Law

  /// The UIDs of two relations to one and a relation to many of each entity.
  private static let all: [UID] = [110, 120, 130, 210, 220, 230, 310, 320, 330]

  /// The model of a state: which relations it has.
  private static func document(_ shown: Set<UID>, renamed: Bool) throws -> ModelDocument {
    let entities = (0..<3).map { position -> TestModel.Entity in
      let uid = UID(100 * (position + 1))
      let name = renamed ? "Renamed\(position)" : "E\(position)"
      let fields = [uid + 10, uid + 20].filter(shown.contains).map {
        TestModel.Property(
          name: "r\($0)", type: .relation, flags: [.indexed, .indexPartialSkipZero], target: name,
          uid: $0)
      }
      let relations = [uid + 30].filter(shown.contains).map {
        TestModel.Relation("m\($0)", $0, to: name)
      }
      return TestModel.Entity(name: name, uid: uid, fields: fields, relations: relations)
    }
    var model = TestModel()
    model.entities = entities
    let hidden = all.filter { !shown.contains($0) }
    let properties = hidden.filter { $0 % 100 != 30 }
    model.retired = [
      .property: properties, .index: properties.map { $0 + 500_000 },
      .relation: hidden.filter { $0 % 100 == 30 },
    ]
    return try model.document()
  }

  /// A store has what the last opening that gave a set said, by UID; a dictionary is the oracle.
  @Test func theLastSetThatWasGivenHolds() throws {
    var random = TestSeed.next()
    let all = Self.all
    typealias Rules = [DeleteRule?]
    var counts = (given: 0, empty: 0, absent: 0)
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RULES", default: 200) {
      let fixture = try StoreFixture()
      var stored: [UID: Rules] = [:]
      var known: Set<UID> = []
      var shown: Set<UID> = []
      for opening in 0..<3 + random.below(6) {
        if random.oneIn(2) || opening == 0 { shown = Set(all.filter { _ in !random.oneIn(4) }) }
        known.formUnion(shown)
        var options = StoreOptions()
        options.acceptsRegeneratedModel = true
        if random.oneIn(3) {
          counts.absent += 1
        } else {
          stored = [:]
          for uid in all where !random.oneIn(3) && random.oneIn(2) {
            let target = random.pick(DeleteRule.allCases + [nil])
            stored[uid] = [
              target == nil ? .cascade : random.pick(DeleteRule.allCases + [nil]), target,
            ]
          }
          if random.oneIn(4) { stored = [:] }
          if stored.isEmpty { counts.empty += 1 } else { counts.given += 1 }
          options.declarations = Declarations(
            relations: stored.sorted { $0.key < $1.key }.map {
              RelationDeclaration(
                relation: $0, name: random.pick(["a", "b"]), sourceRemoved: $1[0],
                targetRemoved: $1[1])
            })
        }
        let document = try Self.document(shown, renamed: random.oneIn(2))
        func rules(_ declarations: Declarations) -> [UID: Rules] {
          Dictionary(
            uniqueKeysWithValues: declarations.relations.map {
              ($0.relation, [$0.sourceRemoved, $0.targetRemoved])
            })
        }
        try fixture.with(document, options) { (store) throws in
          #expect(rules(store.declarations) == stored)
          #expect(rules(store.schema.declarations) == stored.filter { shown.contains($0.key) })
          #expect(store.schema.catalog.format == (stored.isEmpty ? 1 : 2))
          #expect(try store.verify().isEmpty)
        }
        try fixture.with { #expect(rules($0.declarations) == stored) }
        if random.oneIn(4) {
          let purges = random.oneIn(2)
          try ObjectStore.compact(fixture.path, purge: purges)
          if purges {
            stored = stored.filter { shown.contains($0.key) || !known.contains($0.key) }
            known = shown
          }
          try fixture.with { #expect(rules($0.declarations) == stored) }
        }
        if random.oneIn(6) {
          try ObjectStore.rebuild(fixture.path, model: document) { _, _ in }
          known = shown
          try fixture.with { #expect(rules($0.declarations) == stored) }
        }
      }
    }
    print("openings: \(counts)")
    #expect(counts.given > 0 && counts.empty > 0 && counts.absent > 0)
  }
}
