import BoxMerge
import BoxModel
import Testing

/// Both sides changed something in place: situations 15 to 17, 19, 23 and 24 of the documentation of
/// merging.
struct FieldTests {
  private let note = Situation.note
  private let user = Situation.user
  private let plainNote = Situation.entity("Note", 1, 1000)

  /// Situation 15.
  @Test func aTypeThatChangedUnderItsUIDIsMergedAndReported() throws {
    let retyped = plainNote + "  text 2:1002 int\n"
    try Situation(
      base: note + user, ours: retyped + user, theirs: note + user + "  age 3:4001 int\n"
    ).expect(retyped + user + "  age 3:4001 int\n", ["BOX401 4001", "BOX403 1002", "BOX460 1002"])
    try Situation(
      base: note + user, ours: retyped + user, theirs: plainNote + "  text 2:1002 date\n" + user
    ).expectConflicts(
      ["BOX501 1002"], ours: retyped + user, theirs: plainNote + "  text 2:1002 date\n" + user)
  }

  private func count(_ flags: String) -> String {
    plainNote + "  count 2:1002 int \(flags)\n" + user
  }

  /// Situation 16.
  @Test func flagsAreMergedBitByBit() throws {
    try Situation(base: count("NOT_NULL"), ours: count("NOT_NULL,UNSIGNED"), theirs: count(""))
      .expect(count("UNSIGNED"), ["BOX403 1002", "BOX403 1002", "BOX440 1002"])
  }

  private func place(_ parameters: String) -> String {
    plainNote + "  place 2:1002 floatVector {\(parameters)}\n" + user
  }

  @Test func theParametersOfAVectorIndexAreMergedOneByOne() throws {
    let (dimensions, distance) = ("\"dimensions\":2", "\"distance-type\":\"Cosine\"")
    let (neighbors, count) = ("\"neighbors-per-node\":40", "\"indexing-search-count\":200")
    try Situation(
      base: place("\(dimensions),\(distance)"),
      ours: place("\(dimensions),\(distance),\(neighbors)"),
      theirs: place("\(count),\(dimensions)")
    ).expect(place("\(dimensions),\(count),\(neighbors)"), ["BOX442 1002"])
    let (more, fewer) = ("\"neighbors-per-node\":50", "\"neighbors-per-node\":20")
    try Situation(
      base: place("\(dimensions),\(neighbors)"), ours: place("\(dimensions),\(more)"),
      theirs: place("\(dimensions),\(fewer)")
    ).expectConflicts(
      ["BOX501 1002"], ours: place("\(dimensions),\(more)"),
      theirs: place("\(dimensions),\(fewer)"))
  }

  /// Places have two dimensions, so that a change of each side is sound, and both are not.
  @Test func parametersThatDoNotFitEachOtherAreAConflict() throws {
    let (two, three) = ("\"dimensions\":2", "\"dimensions\":3")
    let (plain, geo) = ("\"distance-type\":\"Cosine\"", "\"distance-type\":\"Geo\"")
    try Situation(
      base: place("\(two),\(plain)"), ours: place("\(three),\(plain)"),
      theirs: place("\(two),\(geo)")
    ).expectConflicts(
      ["BOX501 1002"], ours: place("\(three),\(plain)"), theirs: place("\(two),\(geo)"))
  }

  /// Situation 16, where one side made an index unique and the other dropped it.
  @Test func flagsThatContradictEachOtherAreAConflict() throws {
    let unique = count("INDEXED,UNIQUE index=1:1003")
    let dropped = count("") + "retired index 1003\nlast index 1:1003"
    try Situation(base: count("INDEXED index=1:1003"), ours: unique, theirs: dropped)
      .expectConflicts(["BOX506 1002"], ours: unique, theirs: dropped)
  }

  /// A side gave the UID of an index to the index of another property.
  @Test func anIndexOfTwoPropertiesIsAConflict() throws {
    func note(_ text: String, _ title: String) -> String {
      plainNote + "  text 2:1002 string \(text)\n  title 3:1004 string \(title)\n"
    }
    let value = "INDEXED index=1:1003"
    let hash = "INDEX_HASH index=1:1003"
    try Situation(base: note(value, ""), ours: note(hash, ""), theirs: note("", value))
      .expectConflicts(
        ["BOX501 1002", "BOX508 1002+1004"], ours: note(hash, ""), theirs: note("", value))
    try Situation(base: note("", ""), ours: note(value, ""), theirs: note("", value))
      .expectConflicts(
        ["BOX508 1002+1004"], ours: note(value, ""), theirs: note("", value))
  }

  /// Without a base, a target that one side does not state is a conflict, and either answer can be given.
  @Test func aTargetCanBeTakenAway() throws {
    func note(_ relation: String) -> String { plainNote + "  \(relation)\n" + user }
    let (with, without) = (note("tags 1:1006 -> 2:2000"), note("tags 1:1006 -> 0:0"))
    try Situation(base: nil, ours: with, theirs: without)
      .expectConflicts(["BOX501 1006"], ours: with, theirs: without)
  }

  /// An entity can have one property that orders its changes for Sync.
  @Test func twoSyncClocksAreAConflict() throws {
    let synced = "Note 1:1000 SYNC_ENABLED\n  id 1:1001 long ID\n"
    try Situation(
      base: synced, ours: synced + "  clock 2:3001 long SYNC_CLOCK",
      theirs: synced + "  stamp 2:4001 long SYNC_CLOCK"
    ).expectConflicts(
      ["BOX507 1000+3001+4001"],
      ours: synced + "  clock 2:3001 long SYNC_CLOCK\n  stamp 3:4001 long",
      theirs: synced + "  clock 2:3001 long\n  stamp 3:4001 long SYNC_CLOCK")
  }

  /// Situation 17.
  @Test func oneNameChangedInTwoWaysIsAConflict() throws {
    func named(_ entity: String, _ property: String) -> String {
      note + Situation.entity(entity, 2, 2000) + "  \(property) 2:2002 string\n"
    }
    try Situation(base: note + user, ours: named("Person", "name"), theirs: named("Human", "name"))
      .expectConflicts(
        ["BOX501 2000"], ours: named("Person", "name"), theirs: named("Human", "name"))
    try Situation(base: note + user, ours: named("User", "nick"), theirs: named("User", "alias"))
      .expectConflicts(["BOX501 2002"], ours: named("User", "nick"), theirs: named("User", "alias"))
    try Situation(base: note + user, ours: named("Person", "name"), theirs: named("Person", "nick"))
      .expect(named("Person", "nick"), ["BOX403 2002"])
  }

  /// Situation 19.
  @Test func aNewRelationFollowsTheNewNameOfItsTarget() throws {
    func author(to target: String) -> String {
      "  author 3:4001 relation INDEXED,INDEX_PARTIAL_SKIP_ZERO index=1:4002 to=\(target)\n"
    }
    let person = Situation.entity("Person", 2, 2000) + "  name 2:2002 string\n"
    try Situation(base: note + user, ours: note + person, theirs: note + author(to: "User") + user)
      .expect(note + author(to: "Person") + person, ["BOX401 4001", "BOX403 2000"])
  }

  /// The sources of the other side still have the old name.
  @Test func anEntityRenamedHereAndExtendedThereIsReported() throws {
    let person = Situation.entity("Person", 2, 2000) + "  name 2:2002 string\n"
    try Situation(
      base: note + user, ours: note + person, theirs: note + user + "  age 3:4001 int\n"
    ).expect(
      note + person + "  age 3:4001 int\n", ["BOX401 4001", "BOX403 2000", "BOX470 2000"])
  }

  /// Situation 23.
  @Test func offeredUIDsAreMergedMemberByMember() throws {
    try Situation(
      base: note + user + "pool 5001 5002",
      ours: note + "  a 3:5001 int\n" + user + "pool 5002",
      theirs: note + user + "pool 5001 5002 5003"
    ).expect(note + "  a 3:5001 int\n" + user + "pool 5002 5003", ["BOX401 5001"])
    // Both sides used the one that was on offer, for the same.
    let used = note + "  a 3:5001 int\n" + user
    try Situation(base: note + user + "pool 5001", ours: used, theirs: used).expect(used, [])
  }

  /// Situation 24.
  @Test func theHigherVersionIsTakenWhereBothChangedIt() throws {
    let model = note + user
    try Situation(base: model, ours: model + "version 2", theirs: model + "version 5")
      .expect(model + "version 5", [])
    try Situation(base: model + "version 7", ours: model + "version 2", theirs: model + "version 7")
      .expect(model + "version 2", [])
  }

  /// Values of several lines are told in one.
  @Test func messagesHaveOneLine() throws {
    let model = note + user
    func input(_ number: Int) throws -> ModelDocument {
      let sketch = try Situation(base: model, ours: model + "other custom \(number)", theirs: model)
        .input().ours
      let text = String(decoding: sketch.bytes, as: UTF8.self)
        .replacing(#""custom": \#(number)"#, with: "\"custom\": {\n      \"a\": \(number)\n    }")
      return try ModelDocument(parsing: Array(text.utf8))
    }
    let result = try MergeInput(base: input(1), ours: input(2), theirs: input(3)).merged()
    #expect(result.conflicts.count == 1)
    for conflict in result.conflicts {
      #expect(conflict[.ours].contains(#"{ "a": 2 }"#), "\(conflict[.ours])")
      #expect(conflict[.theirs].contains(#"{ "a": 3 }"#), "\(conflict[.theirs])")
    }
  }

  @Test func unknownKeysAreMerged() throws {
    let model = note + user
    try Situation(base: model, ours: model + "other custom 1", theirs: model)
      .expect(model + "other custom 1", [])
    try Situation(
      base: model + "other custom 1", ours: model + "other custom 2",
      theirs: model + "other custom 3"
    ).expectConflicts(
      ["BOX501 "], ours: model + "other custom 2", theirs: model + "other custom 3")
  }

  /// An id of an index without a flag, as some generators write it for relations.
  @Test func anIndexWithoutFlagsIsNamed() throws {
    let base = "Note 1:1000\n  id 1:1001 long ID\n  count 2:1002 long"
    let situation = Situation(
      base: base + "\n", ours: base + " index=1:1003\n",
      theirs: base + "\n  other 3:1004 long\n")
    let changes = try situation.input().merged().decisions.filter { $0.rule == MergeRule.changed }
    #expect(!changes.isEmpty)
    for change in changes {
      #expect(!change.message.hasSuffix(" to "), "\(change)")
      #expect(!change.message.hasSuffix(" "), "\(change)")
    }
    #expect(changes.contains { $0.message.hasSuffix("changed its index to one without flags") })
  }
}
