import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// Names of the greatest length that a model may have.
@Suite struct LongNameTests {
  private static func name(_ letter: String) -> String {
    String(repeating: letter, count: 1024)
  }

  private static func document() throws -> ModelDocument {
    try TestModel(
      .init(
        name: name("E"), uid: 100,
        fields: [.init(name("p"), 1002, .string), .init("number", 1003, .long)],
        relations: [.init(name("r"), 8001, to: name("E"))])
    ).document()
  }

  @Test(arguments: DumpShape.allCases) func areExportedAndImported(_ shape: DumpShape) throws {
    let fixture = try ImportFixture()
    let model = try Self.document()
    let store = try fixture.open("a", model)
    let entity = try #require(store.entities.first)
    let relation = try #require(entity.relations.first)
    try store.write { transaction in
      for number in 1...3 {
        var object = DynamicObject(entity)
        object.values[1] = .string("text \(number)")
        object.values[2] = .integer(Int64(number))
        try transaction.put(object)
      }
      try transaction.link(relation, 1, 2)
      try transaction.link(relation, 3, 1)
    }
    var options = ExportOptions()
    options.shape = shape
    options.batchSize = 2
    let path = try fixture.export(store, to: "dump", options)
    let isDirectory = shape == .directory
    let report = try DumpVerifier.verify(path, isDirectory: isDirectory)
    let (problems, objects) = (report.problems.count, report.totals.objects)
    #expect(problems == 0)
    #expect(objects == 3)
    let copy = try fixture.open("b", model)
    try fixture.load(path, into: copy)
    try fixture.export(copy, to: "again", options)
    let files = isDirectory ? fixture.directory.names(in: "dump").map { "/" + $0 } : [""]
    for file in files {
      // Without the two in the message: they have millions of bytes.
      let isSame =
        try fixture.directory.bytes(of: "dump" + file)
        == fixture.directory.bytes(of: "again" + file)
      #expect(isSame, "\(shape)")
    }
    let imported = try #require(copy.entities.first)
    let last = try copy.read { try $0.get(imported, 3)?.values[1] }
    #expect(last == .string("text 3"))
  }
}
