import BoxMerge
import BoxModel
import BoxReport
import TestSupport
import Testing

/// Both sides gave one number: situations 1 to 4, 20 to 22 and 32 of the documentation of merging.
struct ContestedIDTests {
  private let note = Situation.note
  private let user = Situation.user
  private let ant = Situation.entity("Ant", 3, 3000)
  private let bear = Situation.entity("Bear", 3, 4000)

  private var antAndBear: Situation {
    Situation(base: note + user, ours: note + user + ant, theirs: note + user + bear)
  }

  /// Situation 1.
  @Test func theEntityWithTheLowerUIDKeepsAnID() throws {
    try antAndBear.expect(
      note + user + ant + Situation.entity("Bear", 4, 4000),
      ["BOX401 3000", "BOX401 4000", "BOX410 4000"])
  }

  @Test func thePublishedEntityKeepsAnID() throws {
    var situation = antAndBear
    situation.published = [note + user + bear]
    try situation.expect(
      note + user + bear + Situation.entity("Ant", 4, 3000),
      ["BOX401 3000", "BOX401 4000", "BOX410 3000"])
  }

  /// Whichever side has changed it: databases know it.
  @Test func aPublishedIDStays() throws {
    let text = { (id: Int) in
      Situation.entity("Note", 1, 1000) + "  text \(id):1002 string\n"
    }
    let released = text(3) + "  rank 2:1003 int\n  last 3:1002\n" + user
    let moved = text(5) + "  rank 2:1003 int\n  last 5:1002\n" + user
    try Situation(base: released, ours: released, theirs: moved).expect(moved, ["BOX410 1002"])
    try Situation(base: released, ours: released, theirs: moved, published: [released])
      .expect(released, ["BOX410 1002"])
  }

  /// The id of an element that was released and removed since is not given to another one.
  @Test func aDeadPublishedIDIsNotGivenAgain() throws {
    let removed = note + user + "last entity 3:3000\nretired entity 3000\nretired property 3001\n"
    let result =
      note + user + Situation.entity("Bear", 4, 4000)
      + "last entity 4:4000\nretired entity 3000\nretired property 3001\n"
    try Situation(
      base: note + user, ours: removed, theirs: note + user + bear, published: [removed]
    ).expect(result, ["BOX401 4000", "BOX410 4000"])
    // Nor where the branch has seen the removal.
    try Situation(
      base: removed, ours: removed, theirs: removed + bear, published: [removed]
    ).expect(result, ["BOX401 4000", "BOX410 4000"])
  }

  /// Theirs undoes a renumbering, and the former number is another's by now.
  @Test(arguments: [true, false])
  func anUndoneRenumberingDoesNotTakeThePublishedNumber(_ isRankPublished: Bool) throws {
    let start = Situation.entity("Note", 1, 1000)
    let text = { (id: Int) in "  text \(id):1002 string\n" }
    let ours = start + "  rank 2:3001 int\n" + text(3) + user
    try Situation(
      base: start + text(3) + user, ours: ours, theirs: start + text(2) + "  last 3:1002\n" + user,
      published: [isRankPublished ? ours : start + text(3) + user]
    ).expect(
      isRankPublished ? ours : start + "  rank 4:3001 int\n" + text(3) + user,
      ["BOX401 3001", "BOX410 1002"] + (isRankPublished ? [] : ["BOX410 3001"]))
  }

  /// An element that is not published gives way too, and gets its former number, which no one else
  /// has.
  @Test func anUndoneRenumberingGivesNoThirdNumber() throws {
    let start = Situation.entity("Note", 1, 1000)
    let text = { (id: Int) in "  text \(id):3002 string\n" }
    let ours = start + "  rank 2:1003 int\n" + text(3) + user
    try Situation(
      base: start + text(3) + user, ours: ours, theirs: start + text(2) + "  last 3:3002\n" + user
    ).expect(ours, ["BOX401 1003", "BOX410 3002"])
  }

  /// Theirs took a renumbering back; the last number of ours is that of the same element, and nothing is
  /// retired that it could name.
  @Test func aLastNumberGoesBackToItsElement() throws {
    let start = Situation.entity("Note", 1, 1000)
    let ours = start + "  text 3:1002 string\n" + user
    try Situation(
      base: start + "  text 3:1002 string\n  rank 4:4001 int\n" + user, ours: ours,
      theirs: start + "  text 2:1002 string\n  rank 5:4001 int\n" + user
    ).expect(ours, ["BOX410 1002", "BOX421 4001"], bothWays: false)
  }

  /// Some generators leave an index id behind whose UID they do not retire: it was given all the same.
  @Test(arguments: [true, false])
  func aLastNumberThatNothingExplainsStays(_ isIndexNew: Bool) throws {
    let indexed = Situation.entity("Note", 1, 1000) + "  text 2:1002 string INDEXED index=1:5001\n"
    let base = (isIndexNew ? note : indexed) + user
    try Situation(base: base, ours: base + ant, theirs: indexed + user + "last index 5:9000")
      .expect(
        indexed + user + ant + "last index 5:9000",
        isIndexNew ? ["BOX401 3000", "BOX403 1002"] : ["BOX401 3000"])
  }

  /// An entity whose last pair is wrong before the merge is nobody's change.
  @Test func aWrongLastNumberThatNobodyTouchedStays() throws {
    let wrong =
      Situation.entity("Note", 1, 1000)
      + "  text 2:1002 string\n  old 17:1017 string\n  last 2:1002\n" + user
    try Situation(base: wrong, ours: wrong + ant, theirs: wrong).expect(
      wrong + ant, ["BOX401 3000"])
  }

  /// The example of ObjectBox's documentation: Alice adds Ant, Bob adds Bear, and Bob merges what
  /// Alice has published.
  @Test(.promise(129)) func theDocumentedExample() throws {
    let before = Situation.entity("Zebra", 41, 1000)
    let alice = before + Situation.entity("Ant", 42, 12345)
    let bob = before + Situation.entity("Bear", 42, 9876)
    try Situation(base: before, ours: bob, theirs: alice, published: [alice]).expect(
      alice + Situation.entity("Bear", 43, 9876) + "last entity 43:9876",
      ["BOX401 12345", "BOX401 9876", "BOX410 9876"])
  }

  /// Each was released: nobody but the developer knows which databases count more.
  @Test func twoPublishedEntitiesAreAConflict() throws {
    var situation = antAndBear
    situation.published = [note + user + ant, note + user + bear]
    try situation.expectConflicts(
      ["BOX505 3000+4000"], ours: note + user + ant + Situation.entity("Bear", 4, 4000),
      theirs: note + user + bear + Situation.entity("Ant", 4, 3000))
  }

  @Test func aMissingRefMakesContestedIDsConflicts() throws {
    var situation = antAndBear
    situation.missingRefs = ["origin/main"]
    try situation.expectConflicts(
      ["BOX505 3000+4000"], ours: note + user + ant + Situation.entity("Bear", 4, 4000),
      theirs: note + user + bear + Situation.entity("Ant", 4, 3000))
    let help = try situation.input().merged().conflicts.first?.help ?? ""
    #expect(help.contains("origin/main"))
    #expect(help.contains("git fetch origin"))
  }

  /// After a counter has given the highest number, no element can get another one.
  @Test(arguments: [
    (4_294_967_295, ""),
    (3, "last entity 4294967295:9000\nretired entity 9000\n"),
  ])
  func withoutAFreeNumberItIsAConflict(_ id: Int, _ rest: String) throws {
    let before = note + user
    let ant = Situation.entity("Ant", id, 3000)
    let bear = Situation.entity("Bear", id, 4000)
    let situation = Situation(
      base: before + rest, ours: before + ant + rest, theirs: before + bear + rest)
    try situation.expectConflicts(
      ["BOX509 4000"], ours: before + ant + rest, theirs: before + bear + rest)
    #expect(
      try situation.input().merged().conflicts.map(\.message) == [
        "Bear of theirs needs another id than \(id), but no id is free above 4294967295"
      ])
  }

  /// Nothing says who keeps the number, until somebody does: not the lower UID.
  @Test func anOpenContestIsNotDecided() throws {
    var situation = antAndBear
    situation.missingRefs = ["origin/main"]
    var input = try situation.input()
    let open = try input.merged().decisions
    #expect(open.map(Situation.text).sorted() == ["BOX401 3000", "BOX401 4000"])
    input.favor = .theirs
    let decisions = try input.merged().decisions
    let renumbered = try #require(decisions.first { $0.rule == MergeRule.renumbered })
    #expect(renumbered.message.hasSuffix(": Bear of theirs is to keep it"))
  }

  /// Situation 2.
  @Test(.promise(126)) func propertiesOfOneEntity() throws {
    try Situation(
      base: note + user, ours: note + "  a 3:3001 int\n" + user,
      theirs: note + "  b 3:4001 string\n" + user
    ).expect(
      note + "  a 3:3001 int\n  b 4:4001 string\n" + user,
      ["BOX401 3001", "BOX401 4001", "BOX410 4001"])
  }

  /// Situation 3: nothing but lastIndexId conflicts in the text.
  @Test func indexesOfDifferentEntities() throws {
    let plainNote = Situation.entity("Note", 1, 1000)
    let plainUser = Situation.entity("User", 2, 2000)
    let indexedNote = plainNote + "  text 2:1002 string INDEXED index=1:3001\n"
    try Situation(
      base: note + user, ours: indexedNote + user,
      theirs: note + plainUser + "  name 2:2002 string INDEXED index=1:4001\n"
    ).expect(
      indexedNote + plainUser + "  name 2:2002 string INDEXED index=2:4001\nlast index 2:4001",
      ["BOX403 1002", "BOX403 2002", "BOX410 4001"])
  }

  /// Situation 4.
  @Test func relationsOfDifferentEntities() throws {
    try Situation(
      base: note + user, ours: note + "  users 1:3001 -> 2:2000\n" + user,
      theirs: note + user + "  notes 1:4001 -> 1:1000\n"
    ).expect(
      note + "  users 1:3001 -> 2:2000\n" + user + "  notes 2:4001 -> 1:1000\nlast relation 2:4001",
      ["BOX401 3001", "BOX401 4001", "BOX410 4001"])
  }

  /// Situation 20.
  @Test(.promise(128)) func relationsFollowARenumberedTarget() throws {
    try Situation(
      base: note + user, ours: note + user + ant,
      theirs: note + "  bears 1:4010 -> 3:4000\n" + user + bear
    ).expect(
      note + "  bears 1:4010 -> 4:4000\n" + user + ant + Situation.entity("Bear", 4, 4000),
      ["BOX401 3000", "BOX401 4000", "BOX401 4010", "BOX410 4000"])
  }

  /// Situation 21: what was given and removed again is not given once more.
  @Test(.promise(127)) func theNextIDIsAboveBothLastOnes() throws {
    let removed = "last entity 4:3100\nretired entity 3100\nretired property 3101\n"
    try Situation(
      base: note + user, ours: note + user + ant + removed, theirs: note + user + bear
    ).expect(
      note + user + ant + Situation.entity("Bear", 5, 4000) + removed + "last entity 5:4000",
      ["BOX401 3000", "BOX401 4000", "BOX410 4000"])
    try Situation(
      base: note + user, ours: note + user + ant + removed,
      theirs: note + user + "  age 3:4001 int\n"
    ).expect(
      note + user + "  age 3:4001 int\n" + ant + removed, ["BOX401 3000", "BOX401 4001"])
  }

  /// Situation 22.
  @Test func anIDOfWhatIsGoneIsNotGivenAgain() throws {
    let gone = "retired entity 3000\nretired property 3001\n"
    var situation = Situation(
      base: note + user, ours: note + user + "last entity 3:3000\n" + gone,
      theirs: note + user + bear)
    let result = note + user + Situation.entity("Bear", 4, 4000) + gone
    try situation.expect(result, ["BOX401 4000", "BOX410 4000"])
    situation.published = [note + user + ant]
    try situation.expect(result, ["BOX401 4000", "BOX410 4000"])
    // Databases in the field have Bear under the number.
    situation.published = [note + user + bear]
    try situation.expect(note + user + bear + gone, ["BOX401 4000"])
  }

  /// Databases of the side that retired it know it by the number that this side gave it.
  @Test func anElementThatASideRetiredKeepsItsNumber() throws {
    let gone = "retired entity 3000\nretired property 3001\n"
    try Situation(
      base: note + user, ours: note + user + "last entity 3:3000\n" + gone,
      theirs: note + user + ant
    ).expect(note + user + ant, ["BOX451 3000"])
  }

  /// Situation 22, where both are gone.
  @Test func ofTwoThatAreGoneThePublishedIsTheLast() throws {
    let removedAnt = "last entity 3:3000\nretired entity 3000\nretired property 3001\n"
    let removedBear = "last entity 3:4000\nretired entity 4000\nretired property 4001\n"
    let gone = "retired entity 3000 4000\nretired property 3001 4001\n"
    var situation = Situation(
      base: note + user, ours: note + user + removedAnt, theirs: note + user + removedBear)
    try situation.expect(note + user + gone + "last entity 3:3000", [])
    situation.published = [note + user + bear]
    try situation.expect(note + user + gone + "last entity 3:4000", [])
  }

  /// The base is another commit than the one that the sides come from, and has given the same number.
  @Test func ofTwoThatAreGoneTheLowerUIDIsTheLast() throws {
    let removedAnt = "last entity 3:3000\nretired entity 3000\nretired property 3001\n"
    let removedBear = "last entity 3:4000\nretired entity 4000\nretired property 4001\n"
    try Situation(
      base: note + Situation.entity("User", 3, 2000) + "  name 2:2002 string\n",
      ours: note + user + removedAnt, theirs: note + user + removedBear
    ).expect(
      note + user + "retired entity 3000 4000\nretired property 3001 4001\nlast entity 3:3000", [])
  }

  /// Theirs gave 3 to what stays out; 2 is that of something that ours has lost.
  @Test func aLastNumberIsNotLowerThanInOurs() throws {
    let relation = "  many 1:5001 -> 1:1000\n"
    let ours = note + relation + "last relation 2:5002\n"
    let extended = note + relation + user + "  many 3:6001 -> 1:1000\n"
    try Situation(base: note + relation + user, ours: ours, theirs: extended)
      .expectConflicts(["BOX502 2000"], ours: ours, theirs: extended, bothWays: false)
  }

  /// Situation 32.
  @Test func theReportSaysWhatARenumberedEntityMeans() throws {
    func consequence(_ situation: Situation) throws -> String {
      try situation.input().merged().decisions.first { $0.rule == MergeRule.renumbered }?
        .consequence ?? ""
    }
    #expect(try consequence(antAndBear).contains("databases made by builds of theirs"))
    var synchronized = antAndBear
    synchronized.theirs = note + user + "Bear 3:4000 SYNC_ENABLED\n  id 1:4001 long ID\n"
    try synchronized.expect(
      note + user + ant + "Bear 4:4000 SYNC_ENABLED\n  id 1:4001 long ID\n",
      ["BOX401 3000", "BOX401 4000", "BOX410 4000"])
    #expect(try consequence(synchronized).contains("client and server"))
  }

  /// Client and server do not name the indexes of a synchronized entity.
  @Test func anIndexIsNotSynchronized() throws {
    func note(_ name: String, _ id: Int) -> String {
      "Note 1:1000 SYNC_ENABLED\n  id 1:1001 long ID\n"
        + "  \(name) 2:\(id) long INDEXED index=1:\(id + 1)\n"
    }
    let situation = Situation(
      base: "Note 1:1000 SYNC_ENABLED\n  id 1:1001 long ID\n", ours: note("a", 3000),
      theirs: note("b", 4000))
    let decisions = try situation.input().merged().decisions.filter {
      $0.rule == MergeRule.renumbered
    }
    let index = try #require(decisions.first { $0.element?.kind == .index })
    #expect(index.consequence?.contains("synchronized") == false, "\(index)")
    #expect(
      index.consequence?.hasSuffix("\"Incoming index ID … does not match existing UID\"") == true)
    let property = try #require(decisions.first { $0.element?.kind == .property })
    #expect(property.consequence?.contains("client and server") == true)
  }

  /// Somebody mended a conflict by hand.
  @Test func whatOneSideRenumberedStands() throws {
    let renumbered = Situation.entity("User", 3, 2000) + "  name 2:2002 string\n"
    try Situation(
      base: note + user, ours: note + renumbered, theirs: note + "  a 3:4001 int\n" + user
    ).expect(note + "  a 3:4001 int\n" + renumbered, ["BOX401 4001", "BOX410 2000"])
  }

  /// Both sides took over one commit, at different numbers.
  @Test func theHigherOfTwoNumbersOfAnEntityIsKept() throws {
    // Theirs gave 3 to Bear first.
    try Situation(
      base: note + user, ours: note + user + ant,
      theirs: note + user + bear + Situation.entity("Ant", 4, 3000)
    ).expect(
      note + user + bear + Situation.entity("Ant", 4, 3000), ["BOX401 4000", "BOX410 3000"])
    // Theirs gave 3 to something that is gone, which nothing but its last id shows.
    let gone = "retired entity 4000\nretired property 4001\n"
    let later = note + user + Situation.entity("Ant", 4, 3000) + gone
    var situation = Situation(base: note + user, ours: note + user + ant, theirs: later)
    try situation.expect(later, ["BOX410 3000"])
    // The number that is published stands; what was given last is then what is gone.
    situation.published = [note + user + ant]
    try situation.expect(note + user + ant + gone + "last entity 4:4000", ["BOX410 3000"])
  }
}
