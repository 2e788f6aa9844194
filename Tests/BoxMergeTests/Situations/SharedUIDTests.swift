import BoxMerge
import Testing

/// Both sides took one UID from those on offer: situation 23 of the documentation of merging.
struct SharedUIDTests {
  private let start = Situation.entity("Note", 1, 1000)
  private let base =
    Situation.entity("Note", 1, 1000) + "  a 2:1002 int\n  b 3:1003 int\npool 7000\n"

  @Test func twoPropertiesAreResetWithOneUID() throws {
    let ours = start + "  a 2:1002 int\n  b 4:7000 int\nretired property 1003\n"
    let theirs = start + "  b 3:1003 int\n  a 4:7000 int\nretired property 1002\n"
    try Situation(base: base, ours: ours, theirs: theirs)
      .expectConflicts(["BOX508 7000+1002+1003"], ours: ours, theirs: theirs)
  }

  /// Only one of the two was there before.
  @Test func aPropertyIsResetAndAnotherAddedWithOneUID() throws {
    let ours = start + "  a 2:1002 int\n  b 4:7000 string\nretired property 1003\n"
    let theirs = start + "  a 2:1002 int\n  b 3:1003 int\n  c 4:7000 int\n"
    try Situation(base: base, ours: ours, theirs: theirs).expectConflicts(
      ["BOX508 7000+1003"], ours: ours, theirs: theirs)
  }

  @Test func twoEntitiesAreResetWithOneUID() throws {
    let ours =
      Situation.user + "Note 3:7000\n  id 1:7001 long ID\n  text 2:7002 string\n"
      + "retired entity 1000\nretired property 1001 1002"
    let theirs =
      Situation.note + "User 3:7000\n  id 1:8001 long ID\n  name 2:8002 string\n"
      + "retired entity 2000\nretired property 2001 2002"
    try Situation(base: Situation.base + "pool 7000\n", ours: ours, theirs: theirs)
      .expectConflicts(
        ["BOX508 7000+1000+2000"], ours: ours + " 8001 8002", theirs: theirs + " 7001 7002")
  }

  /// One side took the reset over from the other, and renamed the property.
  @Test func oneElementUnderTwoNamesIsNotTwo() throws {
    let ours = start + "  a 2:1002 int\n  b 4:7000 int\nretired property 1003\n"
    let theirs = start + "  a 2:1002 int\n  c 4:7000 int\nretired property 1003\n"
    try Situation(base: base, ours: ours, theirs: theirs)
      .expectConflicts(["BOX501 7000"], ours: ours, theirs: theirs)
  }

  /// The last number is of a property that gives way, and cannot be retired: another retired UID stands beside it.
  @Test func aPropertyOfAnEntityAddedTwiceAndAnEntityHaveOneUID() throws {
    let property = "  k 2:7000 int\n"
    let bear = Situation.entity("Bear", 3, 7000)
    let ours = start + Situation.entity("Ant", 2, 4000) + property
    let ant = start + Situation.entity("Ant", 2, 3000)
    let retired = "retired entity 4000\nretired property 4001"
    try Situation(base: start, ours: ours, theirs: ant + bear).expectConflicts(
      ["BOX508 7000+7000"], ours: ant + property + "last entity 3:4000\n" + retired + " 7001",
      theirs: ant + "  last 2:4001\n" + bear + retired)
  }
}
