import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// Dumps of stores whose objects have values that their records do not.
struct ConstantDumpTests {
  private static let types: [(PropertyType, PropertyFlags, Value)] = [
    (.long, [], .integer(-5)), (.int, .unsigned, .unsigned(7)), (.bool, [], .bool(true)),
    (.double, [], .double(-1.5)), (.string, .indexed, .string("ä\"\n")),
    (.byteVector, [], .bytes([0, 255])), (.stringVector, [], .strings(["", "b"])),
    (.date, .indexed, .integer(1_700_000_000_000)), (.char, [], .unsigned(65)),
  ]

  private func document(_ count: Int) throws -> ModelDocument {
    let fields = Self.types.prefix(count).enumerated().map { position, type in
      TestModel.Property(
        name: "p\(position)", type: type.0, flags: type.1, uid: UID(500 + position))
    }
    return try TestModel(.init(name: "A", uid: 100, fields: fields)).document()
  }

  /// Each object of a dump has its value, and the header says which values came from the store.
  @Test func aDumpHasTheValuesAndNamesTheConstants() throws {
    let fixture = try ImportFixture()
    let location = StorageLocation.directory(fixture.path("store"))
    let (first, second) = (try document(1), try document(Self.types.count))
    let old = try ObjectStore.open(location, model: first)
    try old.write { transaction in
      for number in 0..<3 {
        var object = DynamicObject(try old.entity(named: "A"))
        object["p0"] = .integer(Int64(number))
        try transaction.put(object)
      }
    }
    old.close()
    var options = StoreOptions()
    options.constants = Dictionary(
      uniqueKeysWithValues: Self.types.enumerated().dropFirst().map {
        (UID(500 + $0.offset), $0.element.2)
      })
    let store = try ObjectStore.open(location, model: second, options: options)
    defer { store.close() }
    let output = MemoryOutput()
    try DumpExporter(store).export(to: output)
    let text = output.text()
    let header = try #require(text.split(separator: "\n").first)
    #expect(
      header.contains(
        #""constants":{"A.p1":"7","A.p2":"true","A.p3":"-1.5","A.p4":"#), "\(header)")

    // What is imported has all of it, needs no constant, and gives the same objects.
    let copy = try fixture.open("imported", second)
    defer { copy.close() }
    try fixture.load(text: text, into: copy)
    let again = MemoryOutput()
    try DumpExporter(copy).export(to: again)
    #expect(!again.text().contains("\"constants\""))
    let (left, right) = (text.split(separator: "\n"), again.text().split(separator: "\n"))
    #expect(left.dropFirst().dropLast() == right.dropFirst().dropLast())
    let entity = try copy.entity(named: "A")
    try copy.read { transaction in
      for id in UInt64(1)...3 {
        let object = try #require(try transaction.get(entity, id))
        #expect(object["p0"] == .integer(Int64(id) - 1))
        for (position, type) in Self.types.enumerated().dropFirst() {
          #expect(object["p\(position)"] == type.2)
        }
      }
    }
  }
}
