import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The store equals a model in memory, whatever is done to both.
struct RandomOperationsTests {
  @Test func equalsAModelInMemory() throws {
    var random = TestSeed.next()
    let operations = TestSeed.count("BOXJOINT_SOAK_OPERATIONS", default: 10_000)
    let directory = try TemporaryDirectory()
    var twin = try StoreTwin(directory.path(of: "store"))
    var done = 0
    while done < operations {
      let batch = 1 + random.below(random.oneIn(20) ? 400 : 20)
      try twin.transaction(operations: batch, &random)
      try twin.compare()
      done += batch
      if random.oneIn(40) {
        try twin.reopen()
        try twin.compare()
      }
    }
  }
}

/// A store and the dictionaries that it must equal.
private struct StoreTwin {
  private struct Tag: Equatable {
    var name: String
    var rank: Int64?
    /// The bits tell one zero from the other, and a NaN equals itself.
    private var weightBits: UInt64?
    var label: String?
    var code: String?

    init(name: String) { self.name = name }

    var weight: Double? {
      get { weightBits.map { Double(bitPattern: $0) } }
      set { weightBits = newValue?.bitPattern }
    }
  }

  private struct Note: Equatable {
    var text: String?
    var tag: UInt64
    var day: Int64
  }

  private struct Content: Equatable {
    var tags: [UInt64: Tag] = [:]
    var notes: [UInt64: Note] = [:]
    var links: Set<[UInt64]> = []
    var lastTag: UInt64 = 0
    var lastNote: UInt64 = 0
  }

  private let path: String
  private var store: ObjectStore?
  private var content = Content()
  private let document: ModelDocument

  init(_ path: String) throws {
    self.path = path
    document = try TestModel(
      .init(
        name: "Tag", uid: 300,
        properties: [
          .id(.idSelfAssignable), .init(name: "name", type: .string, flags: [.unique, .indexHash]),
          .init(name: "rank", type: .long, flags: .indexed),
          .init(name: "weight", type: .double, flags: .indexed),
          .init(name: "label", type: .string, flags: .indexed),
          .init(name: "code", type: .string, flags: .indexHash64),
        ]),
      .init(
        name: "Note", uid: 400,
        properties: [
          .id(), .init(name: "text", type: .string),
          .init(
            name: "tag", type: .relation, flags: [.indexed, .indexPartialSkipZero], target: "Tag"),
          .init(
            name: "day", type: .int, flags: [.indexed, .unique, .uniqueOnConflictReplace]),
        ], relations: [.init("tags", to: "Tag")])
    ).document()
    store = try ObjectStore.open(.directory(path), model: document)
  }

  mutating func reopen() throws {
    store = nil
    store = try ObjectStore.open(.directory(path), model: document)
  }

  private var opened: ObjectStore {
    get throws {
      guard let store else { throw TestFailure("the store is not open") }
      return store
    }
  }

  mutating func transaction(operations: Int, _ random: inout SplitMix64) throws {
    var changed = content
    let fails = random.oneIn(10)
    do {
      try opened.write { transaction in
        for _ in 0..<operations { try Self.step(transaction, &changed, &random) }
        if fails { throw TestFailure("on purpose") }
      }
      content = changed
    } catch is TestFailure where fails {
    }
  }

  private static func step(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    switch random.below(20) {
    case 0..<7: try putTag(transaction, &content, &random)
    case 7..<12: try putNote(transaction, &content, &random)
    case 12, 13: try removeTag(transaction, &content, &random)
    case 14: try removeNote(transaction, &content, &random)
    case 15, 16: try link(transaction, &content, &random)
    case 17: try unlink(transaction, &content, &random)
    case 18:
      // A part that is undone leaves nothing.
      var ignored = content
      _ = try? transaction.savepoint {
        for _ in 0..<3 { try putTag(transaction, &ignored, &random) }
        throw TestFailure("on purpose")
      }
    default:
      if random.oneIn(60) {
        try transaction.removeAll(transaction.store.entity(named: "Tag"))
        content.tags = [:]
        content.links = []
      }
      if random.oneIn(4) { try rewriteNotes(transaction, &content, &random) }
      try lookUp(transaction, content, &random)
    }
  }

  private static let letters = ["a", "b", "ä", "z", "Z", "", "\u{0}", "🙂"]

  private static func text(_ random: inout SplitMix64) -> String {
    // Some are longer than an index key, and differ only behind what is in it.
    let prefix = random.oneIn(4) ? String(repeating: "x", count: 505 + random.below(10)) : ""
    return prefix + (0..<random.below(4)).map { _ in random.pick(letters) }.joined()
  }

  private static func putTag(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    let entity = try transaction.store.entity(named: "Tag")
    var tag = Tag(name: text(&random) + String(random.below(300)))
    if !random.oneIn(5) { tag.rank = Int64(random.below(20)) - 10 }
    if !random.oneIn(5) { tag.weight = random.pick([0.0, -0.0, .nan, 1.5, -2.5, .infinity]) }
    if !random.oneIn(5) { tag.label = text(&random) }
    if !random.oneIn(5) { tag.code = text(&random) }
    let id =
      random.oneIn(3)
      ? 0 : UInt64(random.below(random.oneIn(30) ? 3000 : 200))
    var object = DynamicObject(entity, id: id)
    object["name"] = .string(tag.name)
    object["rank"] = tag.rank.map { .integer($0) } ?? .null
    object["weight"] = tag.weight.map { .double($0) } ?? .null
    object["label"] = tag.label.map { .string($0) } ?? .null
    object["code"] = tag.code.map { .string($0) } ?? .null
    let holder = content.tags.first { $0.value.name == tag.name && $0.key != id }?.key
    do throws(any Error) {
      let given = try transaction.put(object)
      #expect(holder == nil)
      #expect(given == (id == 0 ? content.lastTag + 1 : id))
      content.lastTag = max(content.lastTag, given)
      content.tags[given] = tag
    } catch StoreError.uniqueViolation(_, let property, let value, let existing) {
      #expect(property == "name")
      #expect(value == .string(tag.name))
      #expect(existing == holder)
    }
  }

  private static func putNote(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    let entity = try transaction.store.entity(named: "Note")
    let note = Note(
      text: random.oneIn(3) ? nil : text(&random), tag: UInt64(random.below(50)),
      day: Int64(random.below(400)))
    let id = random.oneIn(2) ? 0 : UInt64(random.below(Int(content.lastNote) + 2))
    var object = DynamicObject(entity, id: id)
    object["text"] = note.text.map { .string($0) } ?? .null
    object["tag"] = .unsigned(note.tag)
    object["day"] = .integer(note.day)
    do throws(any Error) {
      let given = try transaction.put(object)
      #expect(given == (id == 0 ? content.lastNote + 1 : id))
      content.lastNote = max(content.lastNote, given)
      for replaced in content.notes.filter({ $0.value.day == note.day && $0.key != given }).keys {
        content.notes[replaced] = nil
        content.links = content.links.filter { $0[0] != replaced }
      }
      content.notes[given] = note
    } catch StoreError.idNotGiven(_, let refused, let last) {
      #expect(refused == id)
      #expect(last == content.lastNote)
      #expect(id > content.lastNote)
    }
  }

  /// Changes notes on a walk, in length too, some of which replace others.
  private static func rewriteNotes(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    let entity = try transaction.store.entity(named: "Note")
    guard let text = entity.property(named: "text"), let tag = entity.property(named: "tag"),
      let day = entity.property(named: "day")
    else { throw TestFailure("a property is missing") }
    var next = UInt64(random.below(Int(content.lastNote) + 2))
    var change: (id: UInt64, note: Note)?
    func settle() {
      guard let (id, note) = change else { return }
      for replaced in content.notes.filter({ $0.value.day == note.day && $0.key != id }).keys {
        content.notes[replaced] = nil
        content.links = content.links.filter { $0[0] != replaced }
      }
      content.notes[id] = note
      change = nil
    }
    try transaction.rewrite(entity, from: next) { id, record, writer in
      settle()
      #expect(id == content.notes.keys.filter { $0 >= next }.min())
      next = id + 1
      var note = Note(
        text: record.string(text.slot), tag: record.uint64(tag.slot) ?? 0,
        day: Int64(record.int32(day.slot) ?? 0))
      #expect(note == content.notes[id])
      if random.oneIn(3) { return random.oneIn(10) ? .stop : .keep }
      if random.oneIn(2) { note.text = random.oneIn(5) ? nil : Self.text(&random) }
      if random.oneIn(4) { note.day = Int64(random.below(400)) }
      if let changed = note.text { writer.set(text.slot, changed) }
      writer.set(tag.slot, note.tag)
      writer.set(day.slot, Int32(truncatingIfNeeded: note.day))
      change = (id, note)
      return .replace
    }
    settle()
  }

  private static func removeTag(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    let id = UInt64(random.below(200))
    let wasThere = try transaction.remove(transaction.store.entity(named: "Tag"), id)
    #expect(wasThere == (content.tags.removeValue(forKey: id) != nil))
    content.links = content.links.filter { $0[1] != id }
  }

  private static func removeNote(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    let id = random.oneIn(3) ? 7 : content.notes.keys.min() ?? 1
    let wasThere = try transaction.remove(transaction.store.entity(named: "Note"), id)
    #expect(wasThere == (content.notes.removeValue(forKey: id) != nil))
    content.links = content.links.filter { $0[0] != id }
  }

  private static func relation(_ transaction: Transaction) throws -> RelationSchema {
    guard let relation = try transaction.store.entity(named: "Note").relation(named: "tags") else {
      throw TestFailure("the relation is missing")
    }
    return relation
  }

  private static func link(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    let source = content.notes.keys.sorted().first { _ in random.oneIn(3) } ?? 1
    let target = content.tags.keys.sorted().first { _ in random.oneIn(3) } ?? 1
    do throws(any Error) {
      let isNew = try transaction.link(relation(transaction), source, target)
      #expect(isNew == content.links.insert([source, target]).inserted)
      #expect(content.notes[source] != nil)
      #expect(content.tags[target] != nil)
    } catch StoreError.notFound {
      #expect(content.notes[source] == nil || content.tags[target] == nil)
    }
  }

  private static func unlink(
    _ transaction: Transaction, _ content: inout Content, _ random: inout SplitMix64
  ) throws {
    let link = content.links.sorted { $0.lexicographicallyPrecedes($1) }.first ?? [1, 1]
    let wasThere = try transaction.unlink(relation(transaction), link[0], link[1])
    #expect(wasThere == (content.links.remove(link) != nil))
  }

  /// Looks up in the middle of a transaction, where entries may be held back.
  private static func lookUp(
    _ transaction: Transaction, _ content: Content, _ random: inout SplitMix64
  ) throws {
    let entity = try transaction.store.entity(named: "Tag")
    let rank = Int64(random.below(20)) - 10
    guard let property = entity.property(named: "rank"),
      let label = entity.property(named: "label")
    else { throw TestFailure("a property is missing") }
    #expect(
      try transaction.ids(entity, where: property, equals: .integer(rank))
        == content.tags.filter { $0.value.rank == rank }.keys.sorted())
    let text = content.tags.values.first { $0.label != nil }?.label ?? "a"
    #expect(
      try transaction.ids(entity, where: label, equals: .string(text))
        == content.tags.filter { $0.value.label == text }.keys.sorted())
  }

  // MARK: - Comparison

  /// Compares everything that can be read.
  func compare() throws {
    let store = try opened
    let (tags, notes) = (try store.entity(named: "Tag"), try store.entity(named: "Note"))
    try store.read { transaction in
      try compareObjects(transaction, tags, notes)
      try compareIndex(transaction, tags, "name") { .string($0.name) }
      try compareIndex(transaction, tags, "rank") { $0.rank.map { .integer($0) } }
      try compareIndex(transaction, tags, "weight") { $0.weight.map { .double($0) } }
      try compareIndex(transaction, tags, "label") { $0.label.map { .string($0) } }
      try compareIndex(transaction, tags, "code") { $0.code.map { .string($0) } }
      try compareOrder(transaction, tags)
      try compareRelations(transaction, notes)
    }
  }

  /// Unlike `#expect` it does not take its parts apart, which would take most of the time.
  private func same<T: Equatable>(_ found: T, _ expected: T, _ what: @autoclosure () -> String) {
    if found != expected { Issue.record("\(what()): \(found) instead of \(expected)") }
  }

  private func compareObjects(
    _ transaction: Transaction, _ tags: EntitySchema, _ notes: EntitySchema
  ) throws {
    var foundTags: [UInt64: Tag] = [:]
    try transaction.visitObjects(tags) { object in
      var tag = Tag(name: "")
      if case .string(let name) = object["name"] { tag.name = name }
      if case .integer(let rank) = object["rank"] { tag.rank = rank }
      if case .double(let weight) = object["weight"] { tag.weight = weight }
      if case .string(let label) = object["label"] { tag.label = label }
      if case .string(let code) = object["code"] { tag.code = code }
      foundTags[object.id] = tag
      return .next
    }
    same(foundTags, content.tags, "tags")
    same(try transaction.count(tags), content.tags.count, "count of tags")
    var foundNotes: [UInt64: Note] = [:]
    for id in content.notes.keys {
      guard let object = try transaction.get(notes, id), case .integer(let day) = object["day"]
      else { continue }
      var note = Note(tag: 0, day: day)
      // A relation to nothing is null, also where an earlier version wrote 0.
      if object["tag"] != .null {
        guard case .unsigned(let tag) = object["tag"], tag != 0 else { continue }
        note.tag = tag
      }
      if case .string(let text) = object["text"] { note.text = text }
      foundNotes[id] = note
    }
    same(foundNotes, content.notes, "notes")
    same(try transaction.count(notes), content.notes.count, "count of notes")
  }

  private func compareRelations(_ transaction: Transaction, _ notes: EntitySchema) throws {
    guard let toOne = notes.property(named: "tag") else { throw TestFailure("tag") }
    var byTag: [UInt64: [UInt64]] = [:]
    for (id, note) in content.notes where note.tag != 0 { byTag[note.tag, default: []].append(id) }
    for (tag, ids) in byTag {
      same(try transaction.sources(notes, toOne, of: tag), ids.sorted(), "notes of tag \(tag)")
    }
    let relation = try Self.relation(transaction)
    var (targets, sources) = ([UInt64: [UInt64]](), [UInt64: [UInt64]]())
    for link in content.links {
      targets[link[0], default: []].append(link[1])
      sources[link[1], default: []].append(link[0])
    }
    for id in content.notes.keys {
      same(
        try transaction.targets(relation, of: id), (targets[id] ?? []).sorted(), "targets of \(id)")
    }
    for id in content.tags.keys {
      same(
        try transaction.sources(relation, of: id), (sources[id] ?? []).sorted(), "sources of \(id)")
    }
  }

  private func compareIndex(
    _ transaction: Transaction, _ entity: EntitySchema, _ name: String,
    _ value: (Tag) -> Value?
  ) throws {
    guard let property = entity.property(named: name) else { throw TestFailure(name) }
    var expected: [Value: [UInt64]] = [:]
    for (id, tag) in content.tags {
      guard var value = value(tag) else { continue }
      if case .double(let number) = value {
        // In an index every NaN is one value, and so are both zeros.
        value = number.isNaN ? .string("NaN") : .double(number == 0 ? 0 : number)
      }
      expected[value, default: []].append(id)
    }
    for (value, ids) in expected {
      let wanted: Value = value == .string("NaN") && name == "weight" ? .double(.nan) : value
      same(
        try transaction.ids(entity, where: property, equals: wanted), ids.sorted(),
        "\(name) \(wanted)")
    }
    // No entry that no object has.
    guard let index = property.index else { throw TestFailure("\(name) has no index") }
    same(
      try transaction.reading().statistics(index.space).entries,
      expected.values.reduce(0) { $0 + $1.count }, "entries of \(name)")
  }

  private func compareOrder(_ transaction: Transaction, _ entity: EntitySchema) throws {
    guard let rank = entity.property(named: "rank") else { return }
    var found: [UInt64] = []
    try transaction.visitIDs(entity, orderedBy: rank) { id in
      found.append(id)
      return .next
    }
    let expected = content.tags.compactMap { id, tag in tag.rank.map { ($0, id) } }
      .sorted { $0 < $1 }.map(\.1)
    same(found, expected, "order of ranks")
    var backward: [UInt64] = []
    try transaction.visitIDs(entity, orderedBy: rank, .backward) { id in
      backward.append(id)
      return .next
    }
    same(backward, expected.reversed(), "order of ranks, backward")
  }
}
