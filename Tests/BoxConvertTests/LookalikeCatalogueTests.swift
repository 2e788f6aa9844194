import BoxJSON
import BoxModel
import TestSupport
import Testing

@testable import BoxConvert

/// Names that look alike are two names of a catalogue and of its lock.
struct LookalikeCatalogueTests {
  /// Properties, types and cases with the names.
  private func catalogue(_ names: (first: String, second: String)) throws -> Catalogue {
    func values(_ number: Int) -> JSONValue {
      .object([
        .init("type", "enum"),
        .init(
          "values",
          .object([.init(names.first, .int(number)), .init(names.second, .int(number + 1))])),
      ])
    }
    return try Catalogue(
      .object([
        .init("types", .object([.init(names.first, values(1)), .init(names.second, values(3))])),
        .init(
          "properties",
          .object([
            .init("E." + names.first, .string(names.first)),
            .init("E." + names.second, .string(names.second)),
          ])),
      ]))
  }

  @Test func aCatalogueAndItsLockComeBack() throws {
    var random = TestSeed.next()
    for _ in 0..<300 {
      let names = Lookalikes.pair(&random)
      let catalogue = try catalogue(names)
      for (number, name) in [names.first, names.second].enumerated() {
        let binding = try #require(catalogue.binding(entity: "e", property: name), "\(names)")
        #expect(binding.property.hasSameBytes(as: name))
        let converter = try #require(
          try catalogue.converter(entity: "E", property: name, type: .int, flags: []))
        let raw = 1 + 2 * number
        #expect(try converter.json(.integer(Int64(raw))).isIdentical(to: .string(names.first)))
        #expect(try converter.json(.integer(Int64(raw + 1))).isIdentical(to: .string(names.second)))
        #expect(try converter.stored(.string(names.second)) == .integer(Int64(raw + 1)))
      }
      #expect(try Catalogue(catalogue.json).json.isIdentical(to: catalogue.json))
      let lock = ConverterLock(catalogue)
      #expect(lock.properties.count == 2)
      let read = try ConverterLock(parsing: Array(lock.json.text().utf8))
      #expect(read.json.isIdentical(to: lock.json))
      #expect(read.positions.count == 2)
      #expect(ConverterLock(catalogue).completed(by: read).json.isIdentical(to: lock.json))
    }
  }

  /// The reproduction of a catalogue that was refused.
  @Test func aPropertyMayBeginWithAnAccent() throws {
    let catalogue = try Catalogue(["properties": ["E.\u{301}x": "json"]])
    #expect(catalogue.binding(entity: "E", property: "\u{301}x") != nil)
  }
}
