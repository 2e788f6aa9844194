import BoxDump
import BoxEngine
import BoxModel
import TestSupport
import Testing

/// Input that wants to do harm is one clear error, and costs little memory.
struct HostileInputTests {
  private func person(
    _ text: String, _ fixture: ImportFixture, _ store: ObjectStore
  ) throws -> ImportFixture.Refusal? {
    try fixture.refusal(text, into: store) { $0.entity = "Person" }
  }

  @Test(arguments: [
    (#"{"id":-1}"#, 7, "expected an id from 1"),
    (#"{"id":0}"#, 7, "expected an id from 1"),
    (#"{"id":9223372036854775808}"#, 7, "expected an id from 1"),
    (#"{"id":1,"age":NaN}"#, 15, "expected an integer from -2147483648"),
    (#"{"id":1,"age":2147483648}"#, 15, "found 2147483648"),
    (
      #"{"id":1,"age":4294967295}"#, 15,
      "found 4294967295; if the app has it unsigned, write -1, or bind Person.age to the converter 'unsigned'"
    ), (#"{"id":1,"age":4294967296}"#, 15, "found 4294967296"),
    (#"{"id":1,"age":1e999}"#, 15, "found 1e999"),
    (#"{"id":1,"age":01}"#, 15, "found 01"),
    (#"{"id":1,"age":"1"}"#, 15, #"found "1""#),
    (#"{"id":1,"name":7}"#, 16, "expected a string, found 7"),
    (#"{"id":1,"name":"\ud800"}"#, 17, "surrogate"),
    (#"{"id":1,"name":"\q"}"#, 17, "no such escape"),
    (#"{"id":1,"name":"x}"#, 19, "without its closing quote"),
    ("{\"id\":1,\"name\":\"\u{1}\"}", 17, "control character"),
    (#"{"id":1,"id":2}"#, 9, "twice"),
    (#"{"id":1,"nme":"x"}"#, 9, #"no property "nme""#),
    (#"{"id":1,"name":"x"} 7"#, 21, "an object"),
    (#"{"id":1,"name":"x",}"#, 20, "a key in quotes"),
    (#"{"id":1"#, 8, "a comma or the end"),
    ("{", 2, "a key in quotes"),
    ("[]]", 3, "something follows"),
    ("17", 1, "expected a dump"),
  ])
  func oneElement(_ text: String, _ column: Int, _ message: String) throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let refusal = try #require(try person(text, fixture, store))
    #expect(refusal.message.contains(message), "\(text): \(refusal.message)")
    #expect(refusal.line == 1)
    #expect(refusal.column == column, "\(text): \(refusal.message)")
  }

  @Test(arguments: ["NaN", "tru", "[1,NaN]", "01", "-"])
  func anIgnoredInvalidValue(_ value: String) throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let refusal = try fixture.refusal("{\"id\":1,\"other\":\(value)}", into: store) {
      $0.entity = "Person"
      $0.unknown = .ignore
    }
    #expect(refusal != nil, "\(value)")
    #expect(refusal?.message.contains("expected ,") == false, "\(refusal?.message ?? "")")
  }

  @Test func deepNesting() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let deep = String(repeating: "[", count: 1_000_000)
    let inLine = try fixture.refusal(#"{"id":1,"other":"# + deep, into: store) {
      $0.entity = "Person"
      $0.unknown = .ignore
    }
    #expect(inLine?.message.contains("nested deeper than 128") == true)
    let inArray = try person("[{\"id\":1,\"x\":" + deep, fixture, store)
    #expect(inArray?.message.contains("nested deeper than 128") == true)
  }

  @Test func aLongLine() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let text = #"{"id":1,"name":""# + String(repeating: "x", count: 3 << 20) + #""}"#
    for text in [text, "[" + text + "]"] {
      let refusal = try fixture.refusal(text, into: store) {
        $0.entity = "Person"
        $0.maximumElement = 1 << 20
      }
      #expect(refusal?.message.contains("is longer than 1048576 bytes") == true)
    }
    try fixture.load(text: text, into: store) { $0.entity = "Person" }
  }

  @Test func aZipBomb() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    for compression in [Compression.gzip, .zstd] {
      var bytes: [UInt8] = []
      let compressor = try Compressor(compression)
      let block = [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 20)
      for _ in 0..<200 {
        try block.withUnsafeBytes { block in
          try compressor.compress(block) { bytes += Array($0) }
        }
      }
      try compressor.finish { bytes += Array($0) }
      let refusal = try fixture.refusal(bytes, into: store) {
        $0.entity = "Person"
        $0.maximumElement = 1 << 20
      }
      #expect(refusal != nil)
      let cut = try fixture.refusal(Array(bytes.dropLast(9)), into: store) {
        $0.entity = "Person"
        $0.maximumElement = 1 << 30
      }
      #expect(cut != nil)
    }
  }

  @Test func aMillionColumns() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let columns = (0..<1_000_000).map { "\"c\($0)\":\($0)" }.joined(separator: ",")
    let text = "{\"id\":1,\(columns),\"email\":\"a\"}"
    #expect(try person(text, fixture, store)?.message.contains("no property") == true)
    try fixture.load(text: text, into: store) {
      $0.entity = "Person"
      $0.unknown = .ignore
    }
    #expect(try fixture.people(store).count == 1)
  }

  @Test func halfACharacterAtTheEndOfABlock() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    // Blocks have powers of two bytes: the characters lie across all of them in one of the files.
    for shift in 0..<4 {
      let name = String(repeating: "x", count: shift) + String(repeating: "🙂", count: 200_000)
      try fixture.load(
        text: "{\"id\":\(shift + 1),\"name\":\"\(name)\"}\n", into: store
      ) { $0.entity = "Person" }
      let value = try store.read { try $0.get(store.entity(named: "Person"), UInt64(shift + 1)) }
      #expect(value?["name"] == .string(name))
    }
    var bytes = Array(#"{"id":9,"name":"ab"}"#.utf8)
    bytes[17] = 0xF0
    let refusal = try fixture.refusal(bytes, into: store) { $0.entity = "Person" }
    #expect(refusal?.message.contains("not valid UTF-8") == true)
    let end = try fixture.refusal(
      Array(#"{"id":9,"name":"ab"#.utf8) + [0xF0, 0x9F], into: store
    ) { $0.entity = "Person" }
    #expect(end != nil)
  }

  @Test func pathsThatLeaveTheDirectory() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    var options = ExportOptions()
    options.shape = .directory
    try fixture.export(store, to: "dump", options)
    let manifest = try fixture.directory.text(of: "dump/manifest.json")
    for path in ["../secret", "/etc/passwd", "..", "a/b", ".hidden"] {
      let changed = manifest.replacing("\"Person.ndjson\"", with: "\"\(path)\"")
      #expect(changed != manifest)
      try fixture.directory.write(changed, to: "dump/manifest.json")
      let refusal = try fixture.refusal(path: fixture.path("dump"), into: store)
      #expect(refusal?.message.contains("not a plain name") == true, "\(path)")
    }
  }

  /// Any byte of a dump that is changed or missing is noticed, and nothing crashes.
  @Test(arguments: DumpShape.allCases)
  func changedBytes(_ shape: DumpShape) throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    var generated = GeneratedStore(
      store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
    try generated.fill(objects: 12)
    var options = ExportOptions()
    options.shape = shape
    try fixture.export(generated.store, to: "dump", options)
    let name = shape == .directory ? "dump/Person.ndjson" : "dump"
    let bytes = try fixture.directory.bytes(of: name)
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_CHANGED_DUMPS", default: 20) {
      var changed = bytes
      if random.oneIn(3) {
        changed.removeLast(2 + random.below(bytes.count - 2))
      } else {
        // The last line has the checksum, and is not under it.
        changed[random.below(bytes.count - 300)] ^= 1 << UInt8(random.below(8))
      }
      try fixture.directory.write(changed, to: name)
      let store = try fixture.open("b\(round)")
      #expect(try fixture.refusal(path: fixture.path("dump"), into: store) != nil)
    }
  }
}
