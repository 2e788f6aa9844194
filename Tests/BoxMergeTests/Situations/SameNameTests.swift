import BoxMerge
import Testing

/// One name on both sides: situations 5 to 7, 14 and 18 of the documentation of merging.
struct SameNameTests {
  private let note = Situation.note
  private let user = Situation.user
  private let first = Situation.entity("Ant", 3, 3000)
  private let second = Situation.entity("Ant", 3, 4000)

  private func withA(_ uid: Int, _ type: String = "int") -> String {
    note + "  a 3:\(uid) \(type)\n" + user
  }

  /// Situation 5: what only one of the two had stays too, and counts on.
  @Test func oneEntityAddedTwiceBecomesOne() throws {
    let situation = Situation(
      base: note + user, ours: note + user + first + "  a 2:3002 string\n",
      theirs: note + user + second + "  a 2:4002 string\n  b 3:4003 int\n")
    try situation.expect(
      note + user + first + "  a 2:3002 string\n  b 3:4003 int\n"
        + "retired entity 4000\nretired property 4001 4002",
      ["BOX401 3000", "BOX401 4000", "BOX430 3000", "BOX430 3001", "BOX430 3002"])
  }

  /// Situation 5: the properties of the entity that stays do, also with the higher UIDs.
  @Test func theReportSaysWhyAMemberStays() throws {
    let decisions = try Situation(
      base: note + user, ours: note + user + "Ant 3:3000\n  id 1:5001 long ID\n",
      theirs: note + user + second
    ).input().merged().decisions.filter { $0.rule == MergeRule.unified }
    #expect(decisions.map(Situation.text) == ["BOX430 3000", "BOX430 5001"])
    #expect(decisions.first?.message.contains("it has the lower UID") == true)
    #expect(decisions.last?.message.contains("its entity stays") == true)
  }

  /// Situation 5: what led to the one that gave way leads to the other.
  @Test func relationsFollowToTheEntityThatStays() throws {
    let toAnt = "  ant 3:4010 relation INDEXED,INDEX_PARTIAL_SKIP_ZERO index=1:4011 to=Ant\n"
    let many = "  ants 1:4020 -> 3:"
    try Situation(
      base: note + user, ours: note + user + first,
      theirs: note + toAnt + user + many + "4000\n" + second
    ).expect(
      note + toAnt + user + many + "3000\n" + first + "retired entity 4000\nretired property 4001",
      ["BOX401 3000", "BOX401 4000", "BOX401 4010", "BOX401 4020", "BOX430 3000", "BOX430 3001"])
  }

  @Test func thePublishedEntitySurvives() throws {
    try Situation(
      base: note + user, ours: note + user + first, theirs: note + user + second,
      published: [note + user + second]
    ).expect(
      note + user + second + "retired entity 3000\nretired property 3001",
      ["BOX401 3000", "BOX401 4000", "BOX430 4000", "BOX430 4001"])
  }

  @Test func twoPublishedEntitiesOfOneNameAreAConflict() throws {
    try Situation(
      base: note + user, ours: note + user + first, theirs: note + user + second,
      published: [note + user + first, note + user + second]
    ).expectConflicts(
      ["BOX504 3000+4000"],
      ours: note + user + first + "retired entity 4000\nretired property 4001",
      theirs: note + user + second + "retired entity 3000\nretired property 3001")
  }

  /// On each side a person decided for one of the two, so neither is simply new; also without a base.
  @Test(arguments: [true, false]) func twoThatEachSideDecidedAgainstAreAConflict(
    hasBase: Bool
  ) throws {
    let (ours, theirs) = (withA(5001), withA(6001))
    var situation = Situation(
      base: note + user, ours: ours + "retired property 6001",
      theirs: theirs + "retired property 5001")
    if !hasBase { situation.base = nil }
    try situation.expectConflicts(
      ["BOX504 5001+6001"], ours: ours + "retired property 6001",
      theirs: theirs + "retired property 5001")
  }

  /// An entity that is synchronized is another thing than one that is not.
  @Test func entitiesWithDifferentFlagsAreAConflict() throws {
    let synchronized = "ant 3:4000 SYNC_ENABLED\n  id 1:4001 long ID\n"
    try Situation(
      base: note + user, ours: note + user + first, theirs: note + user + synchronized
    ).expectConflicts(
      ["BOX504 3000+4000"],
      ours: note + user + first + "retired entity 4000\nretired property 4001",
      theirs: note + user + synchronized + "retired entity 3000\nretired property 3001")
  }

  /// Situation 6.
  @Test func onePropertyAddedTwiceBecomesOne() throws {
    var situation = Situation(base: note + user, ours: withA(3001), theirs: withA(4001))
    try situation.expect(
      withA(3001) + "retired property 4001", ["BOX401 3001", "BOX401 4001", "BOX430 3001"])
    situation.published = [withA(4001)]
    try situation.expect(
      withA(4001) + "retired property 3001", ["BOX401 3001", "BOX401 4001", "BOX430 4001"])
    situation.published.append(withA(3001))
    try situation.expectConflicts(
      ["BOX504 3001+4001"], ours: withA(3001) + "retired property 4001",
      theirs: withA(4001) + "retired property 3001")
  }

  /// Situation 6, where it is not the same thing.
  @Test func propertiesOfDifferentTypesAreAConflict() throws {
    try Situation(base: note + user, ours: withA(3001), theirs: withA(4001, "string"))
      .expectConflicts(
        ["BOX504 3001+4001"], ours: withA(3001) + "retired property 4001",
        theirs: withA(4001, "string") + "retired property 3001")
  }

  @Test func oneRelationAddedTwiceBecomesOne() throws {
    func withMany(_ uid: Int, _ target: String) -> String {
      note + "  many 1:\(uid) -> \(target)\n" + user
    }
    try Situation(
      base: note + user, ours: withMany(3001, "2:2000"), theirs: withMany(4001, "2:2000")
    ).expect(
      withMany(3001, "2:2000") + "retired relation 4001",
      ["BOX401 3001", "BOX401 4001", "BOX430 3001"])
    try Situation(
      base: note + user, ours: withMany(3001, "2:2000"), theirs: withMany(4001, "1:1000")
    ).expectConflicts(
      ["BOX504 3001+4001"], ours: withMany(3001, "2:2000") + "retired relation 4001",
      theirs: withMany(4001, "1:1000") + "retired relation 3001")
  }

  private func indexed(_ flags: String, _ uid: Int) -> String {
    Situation.entity("Note", 1, 1000) + "  text 2:1002 string \(flags) index=1:\(uid)\n" + user
  }

  /// Situation 7.
  @Test func onePropertyIndexedTwiceHasOneIndex() throws {
    var situation = Situation(
      base: note + user, ours: indexed("INDEXED", 3001), theirs: indexed("INDEXED", 4001))
    try situation.expect(indexed("INDEXED", 3001) + "retired index 4001", ["BOX431 1002"])
    situation.published = [indexed("INDEXED", 4001)]
    try situation.expect(indexed("INDEXED", 4001) + "retired index 3001", ["BOX431 1002"])
  }

  /// Situation 7, where the indexes are of different kinds.
  @Test func onePropertyIndexedInTwoWaysIsAConflict() throws {
    try Situation(
      base: note + user, ours: indexed("INDEXED", 3001), theirs: indexed("INDEX_HASH", 4001)
    ).expectConflicts(
      ["BOX501 1002"], ours: indexed("INDEXED", 3001) + "retired index 4001",
      theirs: indexed("INDEX_HASH", 4001) + "retired index 3001")
  }

  private func reset(_ uid: Int, _ type: String) -> String {
    Situation.entity("Note", 1, 1000) + "  text 3:\(uid) \(type)\n" + user
  }

  /// Situation 14.
  @Test func aPropertyResetOnBothSides() throws {
    let gone = "retired property 1002"
    try Situation(
      base: note + user, ours: reset(3001, "int") + gone, theirs: reset(4001, "int") + gone
    ).expect(reset(3001, "int") + gone + " 4001", ["BOX401 3001", "BOX401 4001", "BOX430 3001"])
    try Situation(
      base: note + user, ours: reset(3001, "int") + gone, theirs: reset(4001, "date") + gone
    ).expectConflicts(
      ["BOX504 3001+4001"], ours: reset(3001, "int") + gone + " 4001",
      theirs: reset(4001, "date") + gone + " 3001")
  }

  /// Situation 18.
  @Test func aNameThatOneSideRenamedToAndTheOtherAdded() throws {
    let renamed = Situation.entity("Note", 1, 1000) + "  title 2:1002 string\n"
    let added = note + "  Title 3:4001 string\n"
    try Situation(base: note + user, ours: renamed + user, theirs: added + user)
      .expectConflicts(
        ["BOX504 1002+4001"], ours: renamed + "  last 3:4001\n" + user + "retired property 4001",
        theirs: added + user)
  }

  /// Situation 18: what belongs to the entity that gives way is not part of the other.
  @Test func anEntityRenamedHereToOneAddedThere() throws {
    let renamed = Situation.entity("Ant", 2, 2000) + "  name 2:2002 string\n"
    let added = user + first + "  a 2:3002 string INDEXED index=1:3003\n"
    try Situation(base: note + user, ours: note + renamed, theirs: note + added)
      .expectConflicts(
        ["BOX504 2000+3000"],
        ours: note + renamed + "last entity 3:3000\nlast index 1:3003\n"
          + "retired entity 3000\nretired property 3001 3002\nretired index 3003",
        theirs: note + added)
  }
}
