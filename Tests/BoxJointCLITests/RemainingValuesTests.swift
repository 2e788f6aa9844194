import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxModelTool

/// The values that files still hold: bytes that are searched in each kind of copy.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct RemainingValuesTests {
  private let directory: TemporaryDirectory

  /// People with a note, which no index has, and a name, which has one by value.
  private static let model = """
    {"entities":[{"id":"1:1001","lastPropertyId":"3:2003","name":"Person","properties":[
    {"id":"1:2001","name":"id","type":6,"flags":129},
    {"id":"2:2002","name":"note","type":9},
    {"id":"3:2003","name":"name","type":9,"flags":8,"indexId":"1:3001"}],
    "relations":[]}],"lastEntityId":"1:1001","lastIndexId":"1:3001","lastRelationId":"0:0",
    "modelVersion":5,"modelVersionParserMinimum":5,"version":1}
    """
  /// The model without the note.
  private static let without = model.replacing(
    #"{"id":"2:2002","name":"note","type":9},"#, with: "")

  /// Makes a store in which values were given, overwritten and removed, each in its transaction.
  init() async throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.model, to: "model.json")
    try directory.write(Self.without, to: "without.json")
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: try ModelDocument(parsing: Array(Self.model.utf8))
    )
    let entity = try store.entity(named: "Person")
    func put(_ word: String, _ length: Int) throws {
      try store.write { transaction in
        for id in 1...800 {
          var person = DynamicObject(entity)
          person["id"] = .integer(Int64(id))
          person["name"] = .string("\(word)-name-\(id).")
          person["note"] = .string("\(word)-note-\(id)" + String(repeating: "x", count: length))
          try transaction.put(person)
        }
      }
    }
    // Shorter each time, so that the place of a value is not filled by the next one.
    try put("first", 60)
    try put("second", 30)
    try put("third", 0)
    try store.write { transaction in
      for id in 701...800 { _ = try transaction.remove(entity, UInt64(id)) }
    }
  }

  private func run(_ arguments: String...) async throws {
    let run = try await runTool(arguments, in: directory.path)
    #expect(run.status == 0, "\(arguments): \(run.messages)")
  }

  /// The number of occurrences of a text in a file.
  private func count(_ text: String, in file: String) throws -> Int {
    try directory.bytes(of: file).places(of: Array(text.utf8)).count
  }

  /// The words that are in a file.
  private func words(_ file: String, of kind: String = "note") throws -> [String] {
    try ["first", "second", "third"].filter { try count("\($0)-\(kind)-", in: file) > 0 }
  }

  @Test func aBackupHasNoValuesThatWereOverwrittenOrRemoved() async throws {
    #expect(try words("data/data.mdb") == ["first", "second", "third"])
    for (options, copy) in [([], "copy"), (["--compact"], "old-script")] {
      let run = try await runTool(["store", "backup", "data", copy] + options, in: directory.path)
      #expect(run.status == 0, "\(run.messages)")
      #expect(try words(copy + "/data.mdb") == ["third"])
      #expect(try words(copy + "/data.mdb", of: "name") == ["third"])
      #expect(try count("third-note-800", in: copy + "/data.mdb") == 0)
      #expect(try count("third-note-700", in: copy + "/data.mdb") == 1)
    }
  }

  @Test func aCopyOfPagesHasWhatTheFileHas() async throws {
    try await run("store", "backup", "data", "copy", "--pages")
    #expect(try words("copy/data.mdb") == ["first", "second", "third"])
    #expect(try count("third-note-800", in: "copy/data.mdb") > 0)
    let both = try await runTool(
      ["store", "backup", "data", "other", "--pages", "--compact"], in: directory.path)
    #expect(both.status == 64)
  }

  /// A property that the model lacks is hidden: its values stay in the records.
  @Test func hiddenValuesStayUntilAPurge() async throws {
    try await run("store", "compact", "data")
    #expect(try words("data/data.mdb") == ["third"])
    try await run("migrate", "--store", "data", "--to", "without.json", "--yes")
    try await run("store", "backup", "data", "before")
    #expect(try words("before/data.mdb") == ["third"])
    try await run("store", "compact", "data")
    #expect(try words("data/data.mdb") == ["third"])
    // A dump has what the model has.
    try await run("export", "--store", "data", "--output", "dump.ndjson")
    #expect(try words("dump.ndjson", of: "name") == ["third"])
    #expect(try words("dump.ndjson") == [])
    try await run("store", "compact", "data", "--purge")
    #expect(try words("data/data.mdb") == [])
    #expect(try words("data/data.mdb", of: "name") == ["third"])
    for option in [[], ["--pages"]] {
      let copy = "after" + option.joined()
      let run = try await runTool(["store", "backup", "data", copy] + option, in: directory.path)
      #expect(run.status == 0, "\(run.messages)")
      #expect(try words(copy + "/data.mdb") == [])
    }
  }

  /// The upper levels of a tree keep keys of entries that are gone; a new store has none of them.
  @Test func keysOfAnIndexMayOutliveTheirEntries() async throws {
    do {
      let store = try ObjectStore.open(.directory(directory.path(of: "data")))
      let entity = try store.entity(named: "Person")
      try store.write { transaction in
        for id in stride(from: 1, through: 700, by: 3) {
          var person = DynamicObject(entity)
          person["id"] = .integer(Int64(id))
          person["name"] = .string("fourth-name-\(id).")
          try transaction.put(person)
        }
      }
    }
    try await run("store", "compact", "data", "--purge")
    /// The third names that are in a file, of people who have another.
    func old(_ file: String) throws -> Int {
      let bytes = try directory.bytes(of: file)
      let start = Array("third-name-".utf8)
      return bytes.places(of: start).count { place in
        let digits = bytes[(place + start.count)...].prefix { (48...57).contains($0) }
        // Parts of names that were moved are left in unused space.
        guard bytes[digits.endIndex...].first == UInt8(ascii: ".") else { return false }
        return (Int(String(decoding: digits, as: UTF8.self)) ?? 0) % 3 == 1
      }
    }
    #expect(try words("data/data.mdb") == ["third"])
    let left = try old("data/data.mdb")
    #expect(left > 0, "\(left)")
    #expect(left < 100, "\(left)")
    try await run("export", "--store", "data", "--output", "dump.ndjson")
    try await run("import", "--store", "new", "dump.ndjson")
    #expect(try old("new/data.mdb") == 0)
  }

  @Test func aMigrationBacksUpWithoutOldValues() async throws {
    try await run("migrate", "--store", "data", "--to", "without.json", "--yes", "--backup")
    let copy = try #require(directory.names().first { $0.hasPrefix("data-") })
    #expect(try words(copy + "/data.mdb") == ["third"])
  }
}

extension [UInt8] {
  /// The offsets at which a byte sequence begins in these bytes.
  fileprivate func places(of text: [UInt8]) -> [Int] {
    let first = text[0]
    return indices.filter { self[$0] == first && self[$0...].starts(with: text) }
  }
}
