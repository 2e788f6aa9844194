import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// Directories with several files of an entity, and forms of bytes.
struct PartedDumpTests {
  /// A dump in parts is whole, has what one without parts has, and is imported as that is.
  @Test func partsAreOneDump() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_EXPORTS", default: 20) {
      let store = try DumpModel.store(&random, objects: 30)
      defer { store.close() }
      let fixture = try ImportFixture()
      var options = ExportOptions()
      options.shape = .directory
      options.batchSize = random.pick([1, 3, 1024])
      options.compression = random.pick([.none, .zstd])
      options.bytes = random.pick(BytesForm.allCases)
      try fixture.export(store, to: "whole", options)
      let rows = 1 + random.below(9)
      options.rowsPerFile = rows
      let totals = try DumpExporter(store, options).export(
        to: DirectoryOutput(fixture.directory, "parts", isDirectory: true))
      let path = fixture.path("parts")
      let report = try DumpVerifier.verify(path, isDirectory: true)
      #expect(report.problems.isEmpty)
      #expect(report.totals == totals)
      if options.compression == .none {
        let names = fixture.directory.names(in: "parts").filter { $0.hasSuffix(".ndjson") }
        for name in names {
          let lines = try fixture.directory.text(of: "parts/" + name).split(separator: "\n")
          #expect(lines.count <= rows)
        }
        let things = try names.filter { $0.hasPrefix("Thing-") }.sorted()
          .map { try fixture.directory.text(of: "parts/" + $0) }.joined()
        #expect(try things == fixture.directory.text(of: "whole/Thing.ndjson"))
      }
      #expect(fixture.directory.exists("parts/_SUCCESS"))
      let sides = (
        DumpDifference.Side(path, .directory),
        DumpDifference.Side(fixture.path("whole"), .directory)
      )
      #expect(try DumpDifference.between(sides.0, sides.1) { _ in }.isSame)
      #expect(try DumpDifference.between(sides.1, sides.0) { _ in }.isSame)
      let copy = try fixture.open("copy", DumpModel.document())
      try fixture.load(path, into: copy) { $0.batch = 1 + random.below(20) }
      copy.close()
      let stored = DumpDifference.Side(fixture.path("copy"), .store)
      #expect(try DumpDifference.between(sides.0, stored) { _ in }.isSame)
    }
  }

  private static let model = TestModel(
    .init(name: "Thing", uid: 1000, fields: [.init("n", 1002, .int)]))

  /// A store with five objects.
  private static func things() throws -> ObjectStore {
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    try store.write { transaction in
      for number in 0..<5 as Range<Int64> {
        var object = DynamicObject(try store.entity(named: "Thing"))
        object["n"] = .integer(number)
        try transaction.put(object)
      }
    }
    return store
  }

  /// An import that ended within a part continues there.
  @Test func anImportContinuesInAPart() throws {
    let store = try Self.things()
    defer { store.close() }
    let fixture = try ImportFixture()
    var options = ExportOptions()
    (options.shape, options.rowsPerFile) = (.directory, 2)
    let path = try fixture.export(store, to: "parts", options)
    let part = "parts/Thing-00002.ndjson"
    let text = try fixture.directory.text(of: part)
    try fixture.directory.write(text.replacing(":3}", with: ":x}"), to: part)
    let copy = try fixture.open("copy", Self.model.document())
    #expect(throws: ImportIssue.self) { try fixture.load(path, into: copy) { $0.batch = 1 } }
    #expect(try copy.read { try $0.count(copy.entities[0]) } == 3)
    try fixture.directory.write(text, to: part)
    try fixture.load(path, into: copy) {
      $0.batch = 1
      $0.resumes = true
    }
    copy.close()
    #expect(
      try DumpDifference.between(.init(path, .directory), .init(fixture.path("copy"), .store)) {
        _ in
      }
      .isSame)
  }

  /// A part that is missing, cut off or swapped is found.
  @Test func damagedPartsAreFound() throws {
    let store = try Self.things()
    defer { store.close() }
    let fixture = try ImportFixture()
    var options = ExportOptions()
    (options.shape, options.rowsPerFile) = (.directory, 1)
    try fixture.export(store, to: "parts", options)
    let names = fixture.directory.names(in: "parts").filter { $0.hasPrefix("Thing-") }.sorted()
    try #require(names.count == 5)
    let (first, second) = ("parts/" + names[0], "parts/" + names[1])
    let texts = (try fixture.directory.bytes(of: first), try fixture.directory.bytes(of: second))
    func problems() throws -> Int {
      try DumpVerifier.verify(fixture.path("parts"), isDirectory: true).problems.count
    }
    try fixture.directory.write(texts.0.dropLast(3), to: first)
    #expect(try problems() > 0)
    try fixture.directory.write(texts.1, to: first)
    try fixture.directory.write(texts.0, to: second)
    #expect(try problems() == 2)
    try fixture.directory.write(texts.0, to: first)
    try fixture.directory.write(texts.1, to: second)
    #expect(try problems() == 0)
    let manifest = try fixture.directory.text(of: "parts/manifest.json")
    try fixture.directory.write(
      manifest.replacing("\"dump\":2", with: "\"dump\":3"), to: "parts/manifest.json")
    let newer = #expect(throws: DumpError.self) { try problems() }
    #expect(newer?.message == "the dump has format 3; this version reads formats up to 2")
  }

  @Test func bytesAsHexadecimalDigits() throws {
    let fixture = try ImportFixture()
    let model = TestModel(
      .init(name: "E", uid: 1000, fields: [.init("b", 1002, .byteVector)]))
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    defer { store.close() }
    let entity = try store.entity(named: "E")
    let values: [[UInt8]] = [[], [0], [0xC0, 0xFF, 0xEE], Array(repeating: 0xAB, count: 100_000)]
    try store.write { transaction in
      for value in values {
        var object = DynamicObject(entity)
        object["b"] = .bytes(value)
        try transaction.put(object)
      }
    }
    var options = ExportOptions()
    options.bytes = .hex
    try fixture.export(store, to: "hex.ndjson", options)
    let lines = try fixture.directory.text(of: "hex.ndjson").split(separator: "\n")
    #expect(lines[0].contains("\"bytes\":\"hex\""))
    #expect(lines[3] == #"{"E":{"id":3,"b":"\\xc0ffee"}}"#)
    options.table = .csv
    try fixture.export(store, to: "E.csv", options)
    options.table = nil
    options.bytes = .base64
    try fixture.export(store, to: "base64.ndjson", options)
    for name in ["hex.ndjson", "E.csv"] {
      let copy = try fixture.open(name + ".store", model.document())
      try fixture.load(fixture.path(name), into: copy)
      copy.close()
      #expect(
        try DumpDifference.between(
          .init(fixture.path("hex.ndjson"), .file), .init(fixture.path(name + ".store"), .store)
        ) { _ in }.isSame)
    }
    let refusal = #expect(throws: DumpError.self) {
      try DumpDifference.between(
        .init(fixture.path("hex.ndjson"), .file), .init(fixture.path("base64.ndjson"), .file)
      ) { _ in }
    }
    #expect(
      refusal?.message == "the two dumps write bytes in different forms: export one of them again")
    let target = try fixture.open("bad", model.document())
    defer { target.close() }
    for text in [#"\\x0"#, #"\\x0g"#, #"\\X00"#, "x00", #"\\"#] {
      let refused = try fixture.refusal(#"{"E":{"id":1,"b":"\#(text)"}}"#, into: target)
      #expect(refused?.message.contains("expected bytes in base64") == true, "\(text)")
    }
  }

  /// Lines cannot tell an entity from a relation of its name; the other shapes can.
  @Test func anEntityWithTheNameOfARelation() throws {
    let fixture = try ImportFixture()
    let model = TestModel(
      .init(name: "E", uid: 1000, fields: [], relations: [.init("rel", 8001, to: "E")]),
      .init(name: "E.rel", uid: 2000, fields: []))
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    defer { store.close() }
    let (e, other) = (try store.entity(named: "E"), try store.entity(named: "E.rel"))
    try store.write { transaction in
      try transaction.put(DynamicObject(e))
      try transaction.put(DynamicObject(other))
      try transaction.link(e.relations[0], 1, 1)
    }
    let refusal = #expect(throws: DumpError.self) { _ = try DumpExporter(store) }
    #expect(
      refusal?.message
        == "an entity and a relation are both called E.rel, and lines cannot tell them apart")
    #expect(refusal?.remedy == .nameShape)
    var options = ExportOptions()
    options.entities = ["E"]
    _ = try DumpExporter(store, options)
    options.entities = nil
    for shape in [DumpShape.directory, .document] {
      options.shape = shape
      let path = try fixture.export(store, to: "\(shape)", options)
      let report = try DumpVerifier.verify(path, isDirectory: shape == .directory)
      #expect(report.problems.isEmpty)
      let copy = try fixture.open("\(shape).store", model.document())
      try fixture.load(path, into: copy)
      #expect(try copy.read { try $0.targets(copy.entities[0].relations[0], of: 1) } == [1])
      copy.close()
    }
  }

  @Test func filesThatAShapeDoesNotHave() throws {
    var random = TestSeed.next()
    let store = try DumpModel.store(&random)
    defer { store.close() }
    var options = ExportOptions()
    options.rowsPerFile = 5
    #expect(throws: DumpError.self) { _ = try DumpExporter(store, options) }
    options.shape = .directory
    _ = try DumpExporter(store, options)
    options.rowsPerFile = 0
    let refusal = #expect(throws: DumpError.self) { _ = try DumpExporter(store, options) }
    #expect(refusal?.message == "the rows of a file are 0 and have to be 1 or more")
  }
}
