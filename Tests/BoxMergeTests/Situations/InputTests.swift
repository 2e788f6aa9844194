import BoxMerge
import BoxModel
import BoxReport
import TestSupport
import Testing

/// The form of the files: situations 25 to 27 and 29 to 31 of the documentation of merging.
struct InputTests {
  private let note = Situation.note
  private let user = Situation.user
  private let ant = Situation.entity("Ant", 3, 3000)
  private let bear = Situation.entity("Bear", 3, 4000)

  /// Situation 25: nothing of how theirs is written comes into the file.
  @Test func filesOfDifferentGeneratorsAreWrittenAsOurs() throws {
    let merged = ModelSketch(note + user + ant + Situation.entity("Bear", 4, 4000)).model
    let dialects: [(TestDialect, TestDialect)] = [(.python, .java), (.go, .dart), (.dart, .go)]
    for (ours, theirs) in dialects {
      let result = try MergeInput(
        base: document(ModelSketch(note + user).model, .java),
        ours: document(ModelSketch(note + user + ant).model, ours),
        theirs: document(ModelSketch(note + user + bear).model, theirs)
      ).merged()
      #expect(
        String(decoding: result.bytes, as: UTF8.self)
          == String(decoding: ours.file(merged), as: UTF8.self), "\(ours) and \(theirs)")
      #expect(
        result.decisions.map(Situation.text).sorted()
          == ["BOX401 3000", "BOX401 4000", "BOX410 4000", "BOX481"], "\(ours) and \(theirs)")
    }
  }

  /// The generator for Go writes an empty target for one that it has not found; a relation without any
  /// would be an error.
  @Test(arguments: [TestDialect.go, .dart])
  func anEmptyTargetStaysEmptyInAFileWithoutOne(_ dialect: TestDialect) throws {
    let users = note + "  users 1:4003 -> 2:2000\n" + user
    let file = String(decoding: TestDialect.go.file(ModelSketch(users).model), as: UTF8.self)
    let theirs = file.replacing("\"targetId\": \"2:2000\"", with: "\"targetId\": \"\"")
    let empty = try ModelDocument(parsing: Array(theirs.utf8))
    #expect(empty.check().map(\.rule).contains(ModelRule.targetUnset))
    let result = try MergeInput(
      base: document(ModelSketch(note + user).model, dialect),
      ours: document(ModelSketch(note + user + ant).model, dialect), theirs: empty
    ).merged()
    #expect(result.isClean)
    let merged = try ModelDocument(parsing: result.bytes)
    #expect(merged.check().filter { $0.severity == .error }.map(\.message) == [])
    #expect(merged.model.entities[0].relations?.map(\.pair.uid) == [4003])
  }

  /// Situations 26 and 27: what both sides have is compared, and contested ids are settled as ever.
  @Test func withoutABaseTheSidesAreCompared() throws {
    try Situation(base: nil, ours: note + user + ant, theirs: note + user + bear).expect(
      note + user + ant + Situation.entity("Bear", 4, 4000), ["BOX410 4000", "BOX480"])
    let renamed = Situation.entity("Note", 1, 1000) + "  title 2:1002 string\n" + user
    try Situation(base: nil, ours: renamed, theirs: note + user)
      .expectConflicts(["BOX501 1002"], ours: renamed, theirs: note + user)
  }

  /// Situation 27.
  @Test func filesWithNothingInCommonAreNotMerged() throws {
    let input = try Situation(base: nil, ours: note, theirs: bear).input()
    #expect(throws: MergeRefusal.unrelated) { try input.merged() }
    #expect(throws: MergeRefusal.unrelated) { try input.swapped.merged() }
  }

  /// Situation 29.
  @Test func aNewlyGeneratedSideIsNotMerged() throws {
    let anew = Situation.entity("Note", 1, 7000) + "  text 2:7002 string\n"
    let input = try Situation(base: note + user, ours: anew, theirs: note + user + ant).input()
    #expect(throws: MergeRefusal.regenerated(.ours)) { try input.merged() }
    #expect(throws: MergeRefusal.regenerated(.theirs)) { try input.swapped.merged() }
  }

  /// Situation 30: the markers are named, so that nobody begins the file anew.
  ///
  /// As a base such a file is none, see situation 26.
  @Test func aFileWithConflictMarkersIsNotAVersion() throws {
    let file = String(decoding: Situation.dialect.file(ModelSketch(note).model), as: UTF8.self)
    let marked = file.replacing(
      "  \"lastEntityId\"",
      with: "<<<<<<< ours\n=======\n>>>>>>> theirs\n  \"lastEntityId\"")
    #expect(marked != file)
    let error = #expect(throws: ModelError.self) {
      try ModelDocument(parsing: Array(marked.utf8))
    }
    #expect(error?.rule.id == "BOX101")
  }

  /// Situation 31: in files that are not ordered by id.
  @Test func newElementsStandWhereTheyWerePut() throws {
    try Situation(base: user + note, ours: user + ant + note, theirs: user + note + bear).expect(
      user + ant + note + Situation.entity("Bear", 4, 4000),
      ["BOX401 3000", "BOX401 4000", "BOX410 4000"])
  }

  /// Situation 31: a file that is ordered by id stays that.
  @Test func orderedFilesStayOrdered() throws {
    try Situation(
      base: note + user, ours: note + user + ant, theirs: note + user + bear,
      published: [note + user + bear]
    ).expect(
      note + user + bear + Situation.entity("Ant", 4, 3000),
      ["BOX401 3000", "BOX401 4000", "BOX410 3000"])
  }
}
