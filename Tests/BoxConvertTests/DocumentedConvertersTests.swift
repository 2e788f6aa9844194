import BoxConvert
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// The examples of docs/converters.md.
struct DocumentedConvertersTests {
  enum Role: Int { case reader = 0, author = 1, admin = 200 }

  enum Celsius {
    static func convert(_ degrees: Double) -> Int { Int((degrees * 10).rounded()) }
    static func convert(_ tenths: Int?) -> Double { Double(tenths ?? 0) / 10 }
  }

  @Test func typedConverters() throws {
    let role = EnumConverter<Role>(default: .reader)
    #expect(try role.read(.null) == .reader)
    #expect(try role.read(7) == .reader)
    let kept = PreservedConverter<Role>(default: .reader)
    #expect(try kept.read(7) == .unknown(7))
    #expect(try kept.write(kept.read(7)) == 7)
    let celsius = FunctionConverter(store: Celsius.convert, load: Celsius.convert)
    #expect(try celsius.write(21.5) == 215)
    #expect(try celsius.read(.null) == 0)
  }

  @Test func registeredConverters() throws {
    let celsius = FunctionConverter(store: Celsius.convert, load: Celsius.convert)
    var registry = ConverterRegistry()
    registry["celsius"] = JSONAdapter(celsius, json: { .double($0) }) { json in
      guard case .double(let degrees) = json else { return nil }
      return degrees
    }
    let catalogue = try Catalogue(
      ["properties": ["Reading.degrees": ["type": "registered", "name": "celsius"]]],
      registry: registry)
    let converter = try catalogue.converter(
      entity: "Reading", property: "degrees", type: .long, flags: [])
    #expect(try converter?.json(215) == 21.5)
    #expect(try converter?.stored(21.5) == 215)
    #expect(throws: ConversionError.self) { try converter?.stored("warm") }
    #expect(try converter?.stored(["raw": 215]) == 215)
    // Without the application the values are shown raw.
    let without = try Catalogue(catalogue.json)
    #expect(
      try without.converter(entity: "Reading", property: "degrees", type: .long, flags: []) == nil)
  }

  @Test func laws() throws {
    let kept = PreservedConverter<Role>(default: .reader)
    var random = TestSeed.next()
    let samples = ValueSamples(try #require(StoredType(.long)), seeds: [0, 1, 200])
    let values = (0..<10_000).map { _ in samples.next(using: &random) }
    #expect(ConverterLaws.violations(of: kept, stored: values) { $0 != .null } == [])
  }
}
