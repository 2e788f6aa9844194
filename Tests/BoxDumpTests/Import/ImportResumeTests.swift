import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import TestSupport
import Testing

/// An import goes on in the way in which it began.
struct ImportResumeTests {
  private func catalogue(_ values: JSONValue) throws -> Catalogue {
    try Catalogue(["properties": ["Person.name": ["type": "enum", "values": values]]])
  }

  private func fixture() throws -> (ImportFixture, ObjectStore) {
    let fixture = try ImportFixture()
    return (fixture, try fixture.open("store"))
  }

  /// Imports lines, each of which is a batch; why it is not done.
  private func refusal(
    _ lines: [String], _ fixture: ImportFixture, _ store: ObjectStore,
    _ change: (inout ImportOptions) -> Void
  ) throws -> String? {
    let refusal = try fixture.refusal(lines.joined(separator: "\n"), into: store) {
      $0.entity = "Person"
      $0.batch = 1
      change(&$0)
    }
    return refusal?.message
  }

  private let names = [#"{"id":1,"name":"anna"}"#, #"{"id":2,"name":"bert"}"#]

  @Test func withTheSameCatalogue() throws {
    let (fixture, store) = try fixture()
    let first = try catalogue(["anna": "a", "bert": "b"])
    let second = try catalogue(["anna": "x", "bert": "y"])
    #expect(try refusal([names[0], "{"], fixture, store) { $0.catalogue = first } != nil)
    for other in [second, .empty] {
      let message = try refusal(names, fixture, store) {
        $0.catalogue = other
        $0.resumes = true
      }
      #expect(message?.contains("had another catalogue") == true)
    }
    let message = try refusal(names, fixture, store) {
      $0.catalogue = first
      $0.resumes = true
    }
    #expect(message == nil)
    let people = try fixture.people(store)
    #expect(people.map { $0.contains(#""name":"a""#) } == [true, false])
    #expect(people.map { $0.contains(#""name":"b""#) } == [false, true])
  }

  @Test func withoutACatalogueWhereThereWasNone() throws {
    let (fixture, store) = try fixture()
    #expect(try refusal([names[0], "{"], fixture, store) { _ in } != nil)
    let other = try catalogue(["anna": "x", "bert": "y"])
    let message = try refusal(names, fixture, store) {
      $0.catalogue = other
      $0.resumes = true
    }
    #expect(message?.contains("had no catalogue") == true)
    #expect(try refusal(names, fixture, store) { $0.resumes = true } == nil)
  }

  /// Older versions noted the options as a text, which is not read: such an import is refused, with
  /// what to do, and can be discarded.
  @Test func anImportOfAnOlderVersion() throws {
    let (fixture, store) = try fixture()
    let first = try catalogue(["anna": "a", "bert": "b"])
    #expect(try refusal([names[0], "{"], fixture, store) { $0.catalogue = first } != nil)
    let key = Array("import".utf8)
    let note = try #require(try store.read { try $0.checkpoint(key) })
    let document = try JSONDocument(parsing: note)
    guard case .object(let members) = document.value(of: document.root) else {
      throw TestFailure("the note of an import is not an object")
    }
    let text = "--mode insert --ids keep --dangling keep --entity Person"
    let older = members.map { $0.key == "options" ? .init("settings", .string(text)) : $0 }
    #expect(older != members)
    try store.write {
      try $0.setCheckpoint(key, Array(JSONValue.object(older).text(indent: 0).utf8))
    }
    for resumes in [false, true] {
      let refusal = #expect(throws: DumpError.self) {
        try fixture.load(text: names.joined(separator: "\n"), into: store) {
          $0.entity = "Person"
          $0.catalogue = first
          $0.resumes = resumes
        }
      }
      #expect(refusal?.kind == .impossible)
      #expect(refusal?.remedy == .restart)
      #expect(refusal?.message.contains("older version") == true)
    }
    let message = try refusal(names, fixture, store) {
      $0.catalogue = first
      $0.mode = .upsert
      $0.restarts = true
    }
    #expect(message == nil)
    #expect(try fixture.people(store).count == 2)
  }

  @Test func withMembersThatArePassedOver() throws {
    let (fixture, store) = try fixture()
    let lines = [#"{"id":1,"x":1}"#, #"{"id":2,"x":1}"#]
    #expect(try refusal([lines[0], "{"], fixture, store) { $0.unknown = .ignore } != nil)
    let message = try refusal(lines, fixture, store) { $0.resumes = true }
    #expect(message?.contains("another treatment of unknown members (ignore)") == true)
    let done = try refusal(lines, fixture, store) {
      $0.unknown = .ignore
      $0.resumes = true
    }
    #expect(done == nil)
    #expect(try fixture.people(store).count == 2)
  }

  /// After a member ended the import, a resumed import may ignore such members: those before had
  /// none.
  @Test func withMembersThatEndedIt() throws {
    let (fixture, store) = try fixture()
    let lines = [#"{"id":1}"#, #"{"id":2,"x":1}"#, #"{"id":3}"#]
    let stop = try refusal(lines, fixture, store) { _ in }
    #expect(stop?.contains("no property") == true)
    let done = try refusal(lines, fixture, store) {
      $0.unknown = .ignore
      $0.resumes = true
    }
    #expect(done == nil)
    #expect(try fixture.people(store).count == 3)
  }

  @Test func withMembersThatWereRejected() throws {
    let (fixture, store) = try fixture()
    let lines = [#"{"id":1,"x":1}"#, #"{"id":2}"#, #"{"id":3,"age":"a"}"#]
    #expect(try refusal(lines, fixture, store) { $0.maximumErrors = 1 } != nil)
    let message = try refusal(lines, fixture, store) {
      $0.maximumErrors = 2
      $0.unknown = .ignore
      $0.resumes = true
    }
    #expect(message?.contains("another treatment of unknown members (fail)") == true)
    let done = try refusal(lines, fixture, store) {
      $0.maximumErrors = 2
      $0.resumes = true
    }
    #expect(done == nil)
    #expect(try fixture.people(store).count == 1)
  }

  /// In a script that is repeated: it begins, goes on, or has nothing to do, and never imports twice.
  @Test(arguments: DumpShape.allCases, Compression.allCases)
  func resumingIsSafeToRepeat(_ shape: DumpShape, _ compression: Compression) throws {
    let (fixture, source) = try fixture()
    try fixture.load(
      text: (1...20).map { #"{"id":\#($0),"email":"\#($0)"}"# }.joined(separator: "\n"),
      into: source
    ) { $0.entity = "Person" }
    var options = ExportOptions()
    (options.shape, options.compression) = (shape, compression)
    let dump = try fixture.export(source, to: "dump", options)
    for defers in [false, true] {
      let name = "store \(defers)"
      for round in 0..<3 {
        try withExtendedLifetime(fixture.open(name, defersIndexes: defers)) { store in
          let summary = try fixture.load(dump, into: store) { $0.resumes = true }
          #expect(summary.wasComplete == (round > 0))
          #expect(summary.objects == (round == 0 ? 20 : 0))
          #expect(try !Importer.isInterrupted(in: store))
        }
      }
      // Anything else has not been imported yet.
      let store = try fixture.open(name)
      let more = try fixture.load(text: #"{"id":21,"email":"21"}"#, into: store) {
        $0.entity = "Person"
        $0.resumes = true
      }
      #expect(more.objects == 1)
      let again = try fixture.load(dump, into: store) { $0.resumes = true }
      #expect(again.wasComplete, "other imports do not make it undone")
      let replaced = try fixture.load(dump, into: store) {
        $0.resumes = true
        $0.mode = .replace
      }
      #expect(replaced.objects == 20, "with other options it is another import")
    }
  }

  /// Of an import that was interrupted only its own input goes on, longer or shorter ones do not.
  @Test func anotherInputIsRefusedWithOneKindOfError() throws {
    let (fixture, store) = try fixture()
    _ = try fixture.refusal(
      #"{"id":1,"email":"a"}"# + "\n" + #"{"id":2,"email":"b"}"# + "\n{", into: store
    ) {
      $0.entity = "Person"
      $0.batch = 1
    }
    for other in ["", "{}\n", #"{"id":1,"email":"b"}"# + "\n" + #"{"id":2,"email":"b"}"# + "\n"] {
      let error = #expect(throws: DumpError.self) {
        try fixture.load(text: other, into: store) {
          $0.entity = "Person"
          $0.resumes = true
        }
      }
      #expect(error?.kind == .impossible, "\(error.map { "\($0)" } ?? "none")")
      #expect(error?.message.contains("is not the input of the interrupted import") == true)
    }
  }
}
