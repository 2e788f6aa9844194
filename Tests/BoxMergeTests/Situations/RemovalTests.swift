import BoxMerge
import BoxModel
import Testing

/// Something is gone on a side: situations 8 to 13 and 28 of the documentation of merging.
struct RemovalTests {
  private let note = Situation.note
  private let user = Situation.user
  private let plainNote = Situation.entity("Note", 1, 1000)
  private let noText = Situation.entity("Note", 1, 1000) + "  last 2:1002\n"
  private let noUser = "last entity 2:2000\nretired entity 2000\nretired property 2001 2002"

  /// Situation 8: a property.
  @Test func aPropertyRemovedHereAndRenamedThere() throws {
    let removed = noText + user + "retired property 1002"
    let renamed = plainNote + "  body 2:1002 string\n" + user
    try Situation(base: note + user, ours: removed, theirs: renamed)
      .expectConflicts(["BOX502 1002"], ours: removed, theirs: renamed)
  }

  /// Situation 8: what is open is not told as decided, nor what was changed as left alone.
  @Test func aRemovalThatIsOpenIsNotDecided() throws {
    var input = try Situation(
      base: note + user, ours: noText + user + "retired property 1002",
      theirs: plainNote + "  body 2:1002 string\n" + user
    ).input()
    #expect(try input.merged().decisions == [])
    #expect(try input.swapped.merged().decisions == [])
    input.favor = .ours
    let decisions = try input.merged().decisions
    let removal = try #require(decisions.first { $0.rule == MergeRule.removed })
    #expect(removal.message.hasSuffix(": ours removed it"))
  }

  /// Situation 8: an entity.
  @Test func anEntityRemovedHereAndChangedThere() throws {
    let removed = note + noUser
    let renamed = note + Situation.entity("Person", 2, 2000) + "  name 2:2002 string\n"
    let flagged =
      note + Situation.entity("User", 2, 2000) + "  name 2:2002 string EXPIRATION_TIME\n"
    for changed in [renamed, flagged] {
      try Situation(base: note + user, ours: removed, theirs: changed)
        .expectConflicts(["BOX502 2000"], ours: removed, theirs: changed)
    }
  }

  /// Situation 8: its last number is that of a side which does not have it any more, and nothing retired could
  /// stand beside it.
  @Test func anEntityRenumberedAndRemovedHereAndChangedThere() throws {
    let removed = note + "last entity 3:2000\nretired entity 2000\nretired property 2001 2002"
    let person = note + Situation.entity("Person", 2, 2000) + "  name 2:2002 string\n"
    try Situation(base: note + user, ours: removed, theirs: person)
      .expectConflicts(["BOX502 2000"], ours: removed, theirs: person)
  }

  /// Situation 9: ours took the last number of what comes back with it, and databases know that.
  @Test func anEntityComesBackWithItsPublishedLastNumber() throws {
    let removed = note + noUser + " 6001"
    let extended = note + user + "  age 3:4001 int\n"
    var situation = Situation(base: note + user, ours: removed, theirs: extended)
    situation.published = [note + user + "  size 5:6001 int\n"]
    let result = try situation.input().merged()
    let kept = try ModelDocument(parsing: #require(result.resolved[.theirs])).model
    #expect(kept.entities[1].lastPropertyID == IDPair(id: 6, uid: 4001))
    situation.theirs = note + Situation.entity("Person", 2, 2000) + "  name 2:2002 string\n"
    let renamed = try situation.input().merged()
    let back = try ModelDocument(parsing: #require(renamed.resolved[.theirs])).model
    #expect(back.entities[1].lastPropertyID == IDPair(id: 5, uid: 6001))
  }

  /// Situation 8: a merge gives ids, so another id is not a change.
  @Test func somethingRemovedHereAndRenumberedThere() throws {
    try Situation(
      base: note + user, ours: noText + user + "retired property 1002",
      theirs: plainNote + "  text 3:1002 string\n" + user
    ).expect(plainNote + "  last 3:1002\n" + user + "retired property 1002", ["BOX402 1002"])
    let renumbered = Situation.entity("User", 2, 2000) + "  name 3:2002 string\n"
    try Situation(base: note + user, ours: note + noUser, theirs: note + renumbered)
      .expect(note + noUser, ["BOX402 2000"])
  }

  /// Situation 9: what was added goes with its entity, and is retired.
  @Test func anEntityRemovedHereAndExtendedThere() throws {
    let extended = note + user + "  age 3:4001 int INDEXED index=1:4002\n  many 1:4003 -> 1:1000\n"
    try Situation(base: note + user, ours: note + noUser, theirs: extended).expectConflicts(
      ["BOX502 2000"],
      ours: note + noUser + " 4001\nretired index 4002\nretired relation 4003\n"
        + "last index 1:4002\nlast relation 1:4003",
      theirs: extended)
  }

  /// Situation 10.
  @Test func aTargetRemovedHereAndARelationToItAddedThere() throws {
    let toOne = "  author 3:4001 relation INDEXED,INDEX_PARTIAL_SKIP_ZERO index=1:4002 to=User\n"
    try Situation(base: note + user, ours: note + noUser, theirs: note + toOne + user)
      .expectConflicts(
        ["BOX503 4001+2000"],
        ours: note + "  last 3:4001\n" + noUser + " 4001\nretired index 4002\nlast index 1:4002",
        theirs: note + toOne + user)
    let toMany = "  users 1:4003 -> 2:2000\n"
    try Situation(base: note + user, ours: note + noUser, theirs: note + toMany + user)
      .expectConflicts(
        ["BOX503 4003+2000"], ours: note + noUser + "\nretired relation 4003\nlast relation 1:4003",
        theirs: note + toMany + user)
  }

  /// Situation 11.
  @Test func theSameRemovedOnBothSidesIsRetiredOnce() throws {
    let removed = noText + user + "retired property 1002"
    try Situation(base: note + user, ours: removed, theirs: removed).expect(removed, [])
    try Situation(
      base: note + user, ours: removed,
      theirs: plainNote + "  a 3:4001 int\n" + user
        + "retired property 1002"
    ).expect(plainNote + "  a 3:4001 int\n" + user + "retired property 1002", ["BOX401 4001"])
  }

  /// Situation 12.
  @Test func differentThingsRemovedAreBothRetired() throws {
    let noName = Situation.entity("User", 2, 2000) + "  last 2:2002\n"
    try Situation(
      base: note + user, ours: noText + user + "retired property 1002",
      theirs: note + noName + "retired property 2002"
    ).expect(
      noText + noName + "retired property 1002 2002", ["BOX402 1002", "BOX402 2002"])
  }

  /// Situation 13.
  @Test func aPropertyResetHereAndIndexedThere() throws {
    let reset = plainNote + "  text 3:3001 int\n" + user + "retired property 1002"
    let indexed = plainNote + "  text 2:1002 string INDEXED index=1:4001\n"
    try Situation(base: note + user, ours: reset, theirs: indexed + user).expectConflicts(
      ["BOX502 1002", "BOX504 1002+3001"],
      ours: reset + "\nretired index 4001\nlast index 1:4001",
      theirs: indexed + "  last 3:3001\n" + user + "retired property 3001")
  }

  /// Situation 13, where nothing speaks for two properties of one name.
  @Test func aPropertyResetHereAndRenamedThere() throws {
    let reset = plainNote + "  text 3:3001 int\n"
    let renamed = plainNote + "  body 2:1002 string\n"
    try Situation(
      base: note + user, ours: reset + user + "retired property 1002", theirs: renamed + user
    ).expectConflicts(
      ["BOX502 1002"], ours: reset + user + "retired property 1002",
      theirs: renamed + "  text 3:3001 int\n" + user)
  }

  /// The number 4 is that of what ours added and removed.
  @Test func aLastNumberIsOfWhatIsYoung() throws {
    let theirs = note + "  rank 3:4002 int\n" + user
    let ours = note + "  rank 4:4002 int\nlast entity 2:2000\n"
    var retired = Situation(
      base: note + user,
      ours: ours + "retired entity 2000\nretired property 2001 2002 4001", theirs: theirs)
    retired.published = [theirs]
    try retired.expect(
      note + "  rank 3:4002 int\n  last 4:4001\nlast entity 2:2000\nretired entity 2000\n"
        + "retired property 2001 2002 4001", ["BOX402 2000", "BOX410 4002"])
  }
}
