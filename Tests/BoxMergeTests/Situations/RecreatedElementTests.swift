import BoxMerge
import Testing

/// Something was removed and made again on a side, and changed on the other: situation 13 of the
/// documentation of merging.
struct RecreatedElementTests {
  private let note = Situation.note
  private let user = Situation.user
  private let plainNote = Situation.entity("Note", 1, 1000)
  private let again = "  text 3:4002 string\n"
  private let newUser = Situation.entity("User", 3, 4000) + "  name 2:4002 string\n"
  private let retiredUser = "retired entity 2000\nretired property 2001 2002"

  /// The two have different names then, so both can stay.
  @Test func aPropertyMadeAgainHereAndRenamedThere() throws {
    let made = plainNote + again + user + "retired property 1002"
    let renamed = plainNote + "  body 2:1002 string\n" + user
    try Situation(base: note + user, ours: made, theirs: renamed).expectConflicts(
      ["BOX502 1002+4002"],
      ours: plainNote + "  body 3:4002 string\n" + user + "retired property 1002",
      theirs: plainNote + "  body 2:1002 string\n  text 3:4002 string\n" + user)
  }

  @Test func aPropertyMadeAgainHereAndGivenAFlagThere() throws {
    let made = plainNote + again + user + "retired property 1002"
    let flagged = plainNote + "  text 2:1002 string ID_COMPANION\n" + user
    try Situation(base: note + user, ours: made, theirs: flagged).expectConflicts(
      ["BOX502 1002+4002"],
      ours: plainNote + "  text 3:4002 string ID_COMPANION\n" + user + "retired property 1002",
      theirs: plainNote + "  text 2:1002 string ID_COMPANION\n  last 3:4002\n" + user
        + "retired property 4002")
  }

  /// The next build makes the index again.
  @Test func aPropertyMadeAgainHereAndIndexedThere() throws {
    let made = plainNote + again + user + "retired property 1002"
    let indexed = plainNote + "  text 2:1002 string INDEXED index=1:5000\n" + user
    try Situation(base: note + user, ours: made, theirs: indexed).expectConflicts(
      ["BOX502 1002+4002"],
      ours: made + "\nretired index 5000\nlast index 1:5000",
      theirs: plainNote + "  text 2:1002 string INDEXED index=1:5000\n  last 3:4002\n" + user
        + "retired property 4002")
  }

  @Test func aPropertyMadeAgainHereAndLeftAloneThere() throws {
    let made = plainNote + again + user + "retired property 1002"
    try Situation(base: note + user, ours: made, theirs: note + user + "version 2")
      .expect(made + "\nversion 2", ["BOX401 4002", "BOX402 1002"])
  }

  @Test func anEntityMadeAgainHereAndExtendedThere() throws {
    let made = note + newUser + retiredUser
    let extended = note + user + "  age 3:5001 int\n"
    try Situation(base: note + user, ours: made, theirs: extended).expectConflicts(
      ["BOX502 2000+4000+2001+4001+2002+4002"],
      ours: note + newUser + "  age 3:5001 int\n" + retiredUser,
      theirs: extended + "last entity 3:4000\nretired entity 4000\nretired property 4001 4002")
  }

  /// The side that made it again added something too, which stays.
  @Test func anEntityMadeAgainAndExtendedOnBothSides() throws {
    let made = note + newUser + "  size 3:4003 int\n" + retiredUser
    let extended = note + user + "  age 3:5001 int\n"
    try Situation(base: note + user, ours: made, theirs: extended).expectConflicts(
      ["BOX502 2000+4000+2001+4001+2002+4002"],
      ours: note + newUser + "  size 3:4003 int\n  age 4:5001 int\n" + retiredUser,
      theirs: note + user + "  size 3:4003 int\n  age 4:5001 int\n"
        + "last entity 3:4000\nretired entity 4000\nretired property 4001 4002")
  }

  @Test func anEntityMadeAgainHereAndAMemberRenamedThere() throws {
    let made = note + newUser + retiredUser
    let renamed = note + Situation.entity("User", 2, 2000) + "  title 2:2002 string\n"
    try Situation(base: note + user, ours: made, theirs: renamed).expectConflicts(
      ["BOX502 2000+4000+2001+4001+2002+4002"],
      ours: note + Situation.entity("User", 3, 4000) + "  title 2:4002 string\n" + retiredUser,
      theirs: renamed + "last entity 3:4000\nretired entity 4000\nretired property 4001 4002")
  }

  /// Relations follow the entity that stays.
  @Test func theTargetOfARelationIsMadeAgain() throws {
    let toOne = "  author 3:5001 relation INDEXED,INDEX_PARTIAL_SKIP_ZERO index=1:5002 to=User\n"
    let made = note + newUser + retiredUser
    let extended = note + toOne + user + "  age 3:5003 int\n"
    try Situation(base: note + user, ours: made, theirs: extended).expectConflicts(
      ["BOX502 2000+4000+2001+4001+2002+4002"],
      ours: note + toOne + newUser + "  age 3:5003 int\n" + retiredUser,
      theirs: extended + "last entity 3:4000\nretired entity 4000\nretired property 4001 4002")
  }

  /// The new one has a relation to it, which is not asked about by itself.
  @Test func anEntityMadeAgainAndReferredToHereAndExtendedThere() throws {
    let toUser = "  user 1:5001 -> "
    let made = note + toUser + "3:4000\n" + newUser + retiredUser
    let extended = user + "  age 3:5002 int\n"
    try Situation(base: note + user, ours: made, theirs: note + extended).expectConflicts(
      ["BOX502 2000+4000+2001+4001+2002+4002"],
      ours: note + toUser + "3:4000\n" + newUser + "  age 3:5002 int\n" + retiredUser,
      theirs: note + toUser + "2:2000\n" + extended
        + "last entity 3:4000\nretired entity 4000\nretired property 4001 4002")
  }

  /// A member that the side added which made it again has a number of the new one, which the old one gave before.
  @Test func anEntityMadeAgainWithANumberOfWhatIsGone() throws {
    let made = note + newUser + "  size 3:4003 int\n"
    let extended = note + user + "  tag 4:5001 int\n"
    try Situation(
      base: note + user + "  age 3:2003 int\n", ours: made + retiredUser + " 2003",
      theirs: extended + "retired property 2003"
    ).expectConflicts(
      ["BOX502 2000+4000+2001+4001+2002+4002"],
      ours: made + "  tag 4:5001 int\n" + retiredUser + " 2003",
      theirs: extended + "  size 5:4003 int\n"
        + "last entity 3:4000\nretired entity 4000\nretired property 2003 4001 4002")
  }

  // MARK: - Made again here, and the new one retired there

  /// Both sides met the question before, and answered it differently; what is published does not matter.
  @Test func aPropertyThatEachSideReplacedWithTheOther() throws {
    let kept = plainNote + "  text 2:1002 string\n  last 3:4002\n" + user + "retired property 4002"
    let made = plainNote + again + user + "retired property 1002"
    var situation = Situation(base: note + user, ours: made, theirs: kept)
    try situation.expectConflicts(["BOX502 1002+4002"], ours: made, theirs: kept)
    for published in [made, kept] {
      situation.published = [published]
      let conflicts = try situation.input().merged().conflicts
      #expect(conflicts.map(Situation.text) == ["BOX502 1002+4002"])
    }
  }

  /// With another type too: only one of the two can have the name.
  @Test func aPropertyThatEachSideReplacedWithAnotherType() throws {
    let kept =
      plainNote + "  text 2:1002 string ID_COMPANION\n  last 3:4002\n" + user
      + "retired property 4002"
    let made = plainNote + "  text 3:4002 int\n" + user + "retired property 1002"
    try Situation(base: note + user, ours: made, theirs: kept).expectConflicts(
      ["BOX502 1002+4002"],
      ours: plainNote + "  text 3:4002 int ID_COMPANION\n" + user + "retired property 1002",
      theirs: kept)
  }

  @Test func anEntityThatEachSideReplacedWithTheOther() throws {
    let kept = note + user + "last entity 3:4000\nretired entity 4000\nretired property 4001 4002"
    let made = note + newUser + retiredUser
    try Situation(base: note + user, ours: made, theirs: kept).expectConflicts(
      ["BOX502 2000+4000+2001+4001+2002+4002"], ours: made, theirs: kept)
  }

  /// As after a stash: the side with the new one does not mention the old one.
  @Test func aPropertyThatOneSideReplacedAndTheOtherLacks() throws {
    let kept =
      plainNote + "  text 2:1002 string\n  last 3:4002\n" + user + "retired property 4002"
    let lacking = plainNote + again + user
    try Situation(base: note + user, ours: kept, theirs: lacking).expectConflicts(
      ["BOX502 1002+4002"], ours: kept, theirs: lacking + "retired property 1002",
      bothWays: false)
    try Situation(base: note + user, ours: lacking, theirs: kept).expectConflicts(
      ["BOX502 1002+4002"], ours: lacking, theirs: kept, bothWays: false)
  }

  /// A side that left the other's decision as the base has it has made none.
  @Test func aPropertyMadeAgainThatTheBaseRefused() throws {
    let kept = plainNote + "  text 2:1002 string\n  last 3:4002\n" + user + "retired property 4002"
    let made = plainNote + again + user + "retired property 1002"
    try Situation(base: kept, ours: made, theirs: kept + "\nversion 2")
      .expect(made + "\nversion 2", ["BOX402 1002", "BOX451 4002"])
  }
}
