import BoxMerge
import BoxModel
import BoxReport
import Testing

/// A UID is live, retired or absent in each of the three versions: the table in the documentation of
/// merging.
struct WhatASideDidTests {
  private let note = Situation.note
  private let user = Situation.user
  private let plainNote = Situation.entity("Note", 1, 1000)

  // MARK: - Replaced, and not

  /// Theirs still has the older property of the name that ours gave to a new one.
  @Test func anElementIsNotReplacedByOneThatHadItsName() throws {
    let ours = plainNote + "  body 2:1002 string\n  text 3:3001 int\n" + user
    try Situation(
      base: note + user, ours: ours,
      theirs: note + "  last 3:3001\n" + user + "retired property 3001"
    ).expect(ours, ["BOX403 1002", "BOX451 3001"])
  }

  /// Theirs retired the one and gave its name to the other.
  @Test func anElementIsReplacedByOneThatGotItsName() throws {
    let theirs = plainNote + "  rank 2:1002 string\n  last 3:3001\n" + user
    try Situation(
      base: note + user, ours: note + "  rank 3:3001 int\n" + user,
      theirs: theirs + "retired property 3001"
    ).expect(theirs + "retired property 3001", ["BOX402 3001", "BOX403 1002"])
  }

  /// A side that retired an entity of the base knows it: it was not newly generated.
  @Test func aSideThatHasAllElseReplacedIsMerged() throws {
    let cat = Situation.entity("Cat", 3, 5000)
    let ours = cat + "retired entity 1000\nretired property 1001 1002\n"
    let input = try Situation(
      base: note + user, ours: ours, theirs: note + "  a 3:4001 int\n" + user
    ).input()
    #expect(try input.merged().conflicts.map(Situation.text) == ["BOX502 1000"])
    #expect(try input.swapped.merged().conflicts.map(Situation.text) == ["BOX502 1000"])
  }

  // MARK: - Live in the base, and absent

  /// A cherry-pick onto a branch that never had `p`: the parent of the commit is the base.
  @Test func whatOursNeverHadStaysOutAndIsNotRetired() throws {
    try Situation(
      base: note + "  p 3:5001 int\n" + user,
      ours: note + "  m 4:4001 int\n" + user,
      theirs: note + "  p 3:5001 int\n  q 4:5002 int\n" + user
    ).expect(
      note + "  m 4:4001 int\n  q 5:5002 int\n" + user,
      ["BOX401 4001", "BOX401 5002", "BOX410 5002", "BOX421 5001"], bothWays: false)
  }

  /// After that pick, all of the branch is merged: `p` comes with its UID, though it was not picked.
  ///
  /// The pick counted past its id, so nobody knows what ours had under it.
  @Test func whatAPickLeftOutComesWithTheMerge() throws {
    try Situation(
      base: note + user,
      ours: note + "  m 4:4001 int\n  q 5:5002 int\n" + user,
      theirs: note + "  p 3:5001 int\n  q 4:5002 int\n" + user
    ).expect(
      note + "  m 4:4001 int\n  q 5:5002 int\n  p 6:5001 int\n" + user,
      ["BOX401 4001", "BOX401 5001", "BOX410 5001", "BOX410 5002"])
  }

  @Test func anEntityThatOursNeverHadStaysOut() throws {
    let situation = Situation(
      base: note + user, ours: note, theirs: note + "  a 3:4001 int\n" + user)
    try situation.expect(
      note + "  a 3:4001 int\n", ["BOX401 4001", "BOX421 2000"], bothWays: false)
  }

  /// Situation 28, a revert: what theirs does not have any more goes.
  @Test func whatTheirsTakesBackIsRetired() throws {
    try Situation(base: note + user, ours: note + "  a 3:4001 int\n" + user, theirs: note).expect(
      note + "  a 3:4001 int\n"
        + "last entity 2:2000\nretired entity 2000\nretired property 2001 2002",
      ["BOX401 4001", "BOX422 2000"], bothWays: false)
  }

  /// Only a version that had the property has its UID in the last pair.
  @Test func whatTheLastPairOfOursNamesWasLost() throws {
    try Situation(
      base: note + user, ours: plainNote + "  last 2:1002\n" + user,
      theirs: note + "  a 3:4001 int\n" + user
    ).expect(
      plainNote + "  a 3:4001 int\n" + user + "retired property 1002",
      ["BOX401 4001", "BOX420 1002"], bothWays: false)
  }

  /// "Take it in" and "leave it out"; the latter retires nothing, and takes nothing of theirs.
  @Test func whatOursNeverHadAndTheirsExtendsIsAQuestion() throws {
    let extended = user + "  age 3:4001 int INDEXED index=1:4002\n"
    let situation = Situation(base: note + user, ours: note, theirs: note + extended)
    try situation.expectConflicts(
      ["BOX502 2000"], ours: note, theirs: note + extended, bothWays: false)
    let conflict = try #require(try situation.input().merged().conflicts.first)
    #expect(conflict.message == "User is not in ours, and theirs added User.age in it")
    #expect(conflict.ours.hasPrefix("leave it out"))
    #expect(conflict.theirs.hasPrefix("take it in"))
  }

  /// A relation of theirs to an entity that ours never had.
  @Test func aRelationToWhatOursNeverHadIsAQuestion() throws {
    let toMany = "  users 1:4003 -> 2:2000\n"
    try Situation(base: note + user, ours: note, theirs: note + toMany + user)
      .expectConflicts(
        ["BOX503 4003+2000"], ours: note, theirs: note + toMany + user, bothWays: false)
  }

  // MARK: - Absent from the base

  @Test func whatOneSideRetiredAndTheOtherBringsStays() throws {
    let situation = Situation(
      base: note + user, ours: note + "  last 3:5001\n" + user + "retired property 5001",
      theirs: note + "  p 3:5001 int\n" + user)
    try situation.expect(note + "  p 3:5001 int\n" + user, ["BOX451 5001"])
    let decision = try situation.input().merged().decisions.first
    #expect(
      decision?.message
        == "Note.p stays: ours retired it, and the sources of theirs bring it; remove it there if it "
        + "should go")
    #expect(decision?.rule.severity == .warning)
  }

  @Test func anEntityThatOneSideRetiredStaysWithWhatItHas() throws {
    let ant = Situation.entity("Ant", 3, 3000)
    try Situation(
      base: note + user,
      ours: note + user + "last entity 3:3000\nretired entity 3000\nretired property 3001",
      theirs: note + user + ant
    ).expect(note + user + ant, ["BOX451 3000"])
  }

  /// Both took over `p`, and ours reset it since.
  @Test func aResetStaysIfTheOtherSideBringsTheElement() throws {
    let reset = note + "  p 4:6001 string\n" + user + "retired property 5001"
    try Situation(base: note + user, ours: reset, theirs: note + "  p 3:5001 int\n" + user)
      .expect(reset, ["BOX401 6001", "BOX402 5001"])
  }

  /// Both took over `p` with its index; ours built the index again since.
  @Test func anIndexThatOneSideReplacedIsReplaced() throws {
    let replaced = note + "  p 3:5001 int INDEXED index=2:6002\n" + user + "retired index 5002"
    try Situation(
      base: note + user, ours: replaced,
      theirs: note + "  p 3:5001 int INDEXED index=1:5002\n" + user
    ).expect(replaced, [])
  }

  /// Both took over `p`; theirs indexed it since.
  @Test func anIndexThatOnlyOneSideHasIsAdded() throws {
    let indexed = note + "  p 3:5001 int INDEXED,UNIQUE index=1:5002\n" + user
    try Situation(base: note + user, ours: note + "  p 3:5001 int\n" + user, theirs: indexed)
      .expect(indexed, [])
  }

  /// Ours took a reset back, theirs made it: each decided for one of the two.
  @Test func twoElementsDoNotTakeEachOtherAway() throws {
    let kept = note + "  p 3:5001 int\n  last 4:6001\n" + user + "retired property 6001"
    let reset = note + "  p 4:6001 int\n" + user + "retired property 5001"
    try Situation(base: note + "  p 3:5001 int\n" + user, ours: kept, theirs: reset)
      .expectConflicts(["BOX502 5001+6001"], ours: kept, theirs: reset)
  }

  /// The same without either of them in the base: somebody says which of the two it is.
  @Test func twoResetsOfEachOtherAreAConflict() throws {
    let input = try Situation(
      base: note + user,
      ours: note + "  p 3:5001 int\n  last 4:6001\n" + user + "retired property 6001",
      theirs: note + "  p 4:6001 int\n" + user + "retired property 5001"
    ).input()
    for input in [input, input.swapped] {
      let result = try input.merged()
      #expect(result.conflicts.map(Situation.text) == ["BOX504 5001+6001"])
      for side in [Resolution.ours, .theirs] {
        let merged = try ModelDocument(parsing: #require(result.resolved[side])).model
        #expect(merged.entities[0].properties.count { $0.name == "p" } == 1)
      }
    }
  }

  /// Ours took over an entity and reset it; what theirs added to it is never added alone.
  @Test func anElementIsNotAddedWithoutItsEntity() throws {
    let reset =
      note + user + "Ant 4:6000\n  id 1:6001 long ID\n"
      + "retired entity 3000\nretired property 3001"
    let situation = Situation(
      base: note + user, ours: reset,
      theirs: note + user + Situation.entity("Ant", 3, 3000) + "  q 2:3002 int\n")
    let conflicts = try situation.input().merged().conflicts
    #expect(conflicts.map(Situation.text).contains("BOX502 3000"))
  }

  // MARK: - Retired in the base

  /// A revert of a removal: the sources have it again.
  @Test func whatWasRetiredAndIsBackLives() throws {
    let gone = plainNote + "  last 2:1002\n" + user + "retired property 1002"
    try Situation(
      base: gone, ours: note + user,
      theirs: plainNote + "  a 3:4001 int\n" + user + "retired property 1002"
    ).expect(note + "  a 3:4001 int\n" + user, ["BOX401 4001", "BOX451 1002"])
  }

  // MARK: - Last ids

  /// Theirs gave nothing since the base: what it had given before is none of ours.
  @Test func theirsRaisesALastIDOnlyByWhatItGave() throws {
    try Situation(
      base: note + user + "last entity 7:9000\nretired entity 9000\n", ours: note + user,
      theirs: note + "  a 3:4001 int\n" + user + "last entity 7:9000\nretired entity 9000\n"
    ).expect(
      note + "  a 3:4001 int\n" + user + "retired entity 9000\n", ["BOX401 4001"], bothWays: false)
  }

  // MARK: - Moves and kinds

  /// The UID of `name` is in another entity by now, with a number that ours gave to `owner` there.
  @Test func aMovedPropertyHasNoNumberInItsNewEntity() throws {
    let moved = Situation.entity("User", 2, 2000) + "  b 3:2003 int\n"
    try Situation(
      base: note + user + "  b 3:2003 int\n",
      ours: note + "  owner 3:5001 string\n" + user + "  b 3:2003 int\n",
      theirs: note + "  name 3:2002 string\n" + moved
    ).expect(
      note + "  name 3:2002 string\n  owner 4:5001 string\n" + moved,
      ["BOX401 5001", "BOX410 5001", "BOX411 2002"])
  }

  @Test func aMovedPropertyGivesWayToThePublished() throws {
    let moved = Situation.entity("User", 2, 2000) + "  b 3:2003 int\n"
    let ours = note + "  owner 3:5001 string\n" + user + "  b 3:2003 int\n"
    try Situation(
      base: note + user + "  b 3:2003 int\n", ours: ours,
      theirs: note + "  name 3:2002 string\n" + moved, published: [ours]
    ).expect(
      note + "  owner 3:5001 string\n  name 4:2002 string\n" + moved,
      ["BOX401 5001", "BOX410 2002", "BOX411 2002"])
  }

  @Test func oneUIDForTwoKindsIsAConflict() throws {
    let indexed = plainNote + "  text 2:1002 string INDEXED index=1:5004\n" + user
    let flex = note + "  flex 3:5004 int\n" + user
    try Situation(
      base: note + "  r 1:5004 -> 1:1000\n" + user, ours: indexed, theirs: flex
    ).expectConflicts(
      ["BOX508 5004+5004"],
      ours: plainNote + "  text 2:1002 string INDEXED index=1:5004\n"
        + user, theirs: flex + "last index 1:5004", bothWays: false)
  }

  @Test func aRelationWithoutATargetIsMerged() throws {
    func model(_ sketch: String) throws -> ModelDocument {
      var model = ModelSketch(sketch).model
      (model.modelVersion, model.modelVersionParserMinimum) = (4, 4)
      return try document(model, Situation.dialect)
    }
    let bare = "  many 1:5001 -> 0:0\n"
    let result = try MergeInput(
      base: model(note + user), ours: model(note + "  a 3:4001 int\n" + user),
      theirs: model(note + bare + user)
    ).merged()
    #expect(result.conflicts == [])
    let merged = try ModelDocument(parsing: result.bytes).model
    #expect(merged.entities[0].relations?.map(\.pair) == [IDPair(id: 1, uid: 5001)])
    #expect(merged.entities[0].relations?.first?.target.isUnset == true)
  }

  // MARK: - Flags that builds write

  @Test func nullabilityIsNeverAConflict() throws {
    func withP(_ flags: String) -> String { note + "  p 3:5001 int \(flags)\n" + user }
    var situation = Situation(base: note + user, ours: withP("NOT_NULL"), theirs: withP(""))
    try situation.expect(withP("NOT_NULL"), ["BOX441 5001"])
    situation.published = [withP("")]
    try situation.expect(withP(""), ["BOX441 5001"])
    let twin = note + "  p 3:6001 int\n" + user
    try Situation(base: note + user, ours: withP("NOT_NULL"), theirs: twin).expect(
      withP("NOT_NULL") + "retired property 6001",
      ["BOX401 5001", "BOX401 6001", "BOX430 5001", "BOX441 5001"])
    let removed = plainNote + "  last 2:1002\n" + user + "retired property 1002"
    try Situation(
      base: note + user, ours: removed,
      theirs: plainNote + "  text 2:1002 string NOT_NULL\n" + user
    ).expect(removed, ["BOX402 1002"])
  }

  // MARK: - The report

  @Test func theReportSaysWhatTheFileHas() throws {
    var input = try Situation(
      base: note + user,
      ours: plainNote + "  text 2:1002 string INDEX_HASH index=1:4001\n" + user,
      theirs: plainNote + "  text 2:1002 int\n" + user
    ).input()
    input.favor = .ours
    let result = try input.merged()
    #expect(result.decisions.map(Situation.text) == ["BOX403 1002", "BOX490 1002"])
    #expect(result.decisions.first?.message == "Note.text: ours changed its index to INDEX_HASH")
    let merged = try ModelDocument(parsing: result.bytes).model
    #expect(merged.entities[0].properties[1].type == .string)
  }

  /// Without a merged model, the conflict names the reason and the element.
  @Test func aConflictOfTheWholeModelNamesItsReason() throws {
    let last = 4_294_967_295
    let conflict = try #require(
      try Situation(
        base: note + user, ours: note + user + Situation.entity("Ant", last, 3000),
        theirs: note + user + Situation.entity("Bear", last, 4000)
      ).input().merged().conflicts.first)
    #expect(conflict.rule == MergeRule.wholeModel)
    #expect(conflict.elements == [ElementKey(.entity, 4000)])
    #expect(conflict.label == "Bear")
  }
}
