import BoxConvert
import BoxFoundation
import BoxJSON
import BoxModel
import Foundation
import TestSupport
import Testing

/// A catalogue and a typed converter of one property: they store the same for the same value.
struct TypedCatalogueLawTests {
  private static let count = TestSeed.count("BOXJOINT_SOAK_CONVERSIONS", default: 1000)

  private enum Rank: Int, CaseIterable, Sendable {
    case reader = 0
    case author = 1
    case admin = 200
  }

  private enum Genre: String, CaseIterable, Sendable {
    case novel = "n"
    case poem = "p\u{301}"
  }

  private struct Rights: OptionSet, Sendable {
    var rawValue: Int32
    static let names = ["read", "write", "share"]
  }

  private static let ranks: JSONValue = [
    "type": "enum", "values": ["reader": 0, "author": 1, "admin": 200],
  ]
  private static let genres: JSONValue = [
    "type": "enum", "values": ["novel": "n", "poem": "p\u{301}"],
  ]

  /// Holds both to one stored value, and to the JSON that a person would write for it.
  ///
  /// - Parameters:
  ///   - converter: The typed converter.
  ///   - definition: The converter in a catalogue.
  ///   - type: The type of the property.
  ///   - shown: The JSON of a value.
  ///   - values: Values of the application.
  ///   - isEqual: Whether two of them are the same.
  /// - Throws: The error of a converter.
  private func agree<Converter: ValueConverter>(
    _ converter: Converter, _ definition: JSONValue, _ type: PropertyType,
    _ shown: (Converter.Domain) -> JSONValue, _ values: [Converter.Domain],
    isEqual: (Converter.Domain, Converter.Domain) -> Bool = { $0 == $1 }
  ) throws where Converter.Domain: Equatable {
    let catalogue = try Catalogue(["properties": ["E.p": definition]])
    let named = try #require(
      try catalogue.converter(entity: "E", property: "p", type: type, flags: []))
    for value in values {
      let stored = try converter.write(value)
      let json = shown(value)
      #expect(try named.stored(json).isIdentical(to: stored), "\(value) as \(json.text(indent: 0))")
      #expect(try named.json(stored).text(indent: 0) == json.text(indent: 0), "\(value)")
      let read = try converter.read(named.stored(json))
      #expect(isEqual(read, value), "\(json.text(indent: 0))")
    }
  }

  @Test func enumsAreStoredAsTheirRawValues() throws {
    var random = TestSeed.next()
    let ranks = Rank.allCases
    try agree(EnumConverter<Rank>(), Self.ranks, .int, { .string("\($0)") }, ranks)
    try agree(EnumConverter<Genre>(), Self.genres, .string, { .string("\($0)") }, Genre.allCases)
    try agree(
      OptionalEnumConverter<Rank>(), Self.ranks, .long,
      { $0.map { .string("\($0)") } ?? .null }, ranks + [nil])
    try agree(
      ListConverter(EnumConverter<Rank>()), ["type": "list", "of": Self.ranks], .longVector,
      { .array($0.map { .string("\($0)") }) },
      (0..<Self.count).map { _ in
        (0..<Int.random(in: 0..<5, using: &random)).compactMap { _ in
          ranks.randomElement(using: &random)
        }
      })
  }

  /// Both keep what a version of the app does not know.
  @Test func unknownRawValuesAreKept() throws {
    var random = TestSeed.next()
    let numbers = (0..<Self.count).map { _ in Int.random(in: -300...300, using: &random) }
    try agree(
      PreservedConverter<Rank>(), Self.ranks, .int,
      { $0.value.map { .string("\($0)") } ?? .int($0.rawValue) },
      numbers.map { Preserved<Rank>(rawValue: $0) })
    let texts = (0..<Self.count).map { _ in
      (0..<Int.random(in: 0..<3, using: &random)).reduce(into: "") { text, _ in
        text += ["n", "p", "\u{301}"].randomElement(using: &random) ?? ""
      }
    }
    try agree(
      PreservedConverter<Genre>(), Self.genres, .string,
      { $0.value.map { .string("\($0)") } ?? ["raw": .string($0.rawValue)] },
      texts.map { Preserved<Genre>(rawValue: $0) })
  }

  @Test func bitsAreStoredAsOneNumber() throws {
    try agree(
      OptionSetConverter<Rights>(),
      ["type": "options", "values": ["read": 1, "write": 2, "share": 4]], .int,
      { rights in
        .array(
          Rights.names.enumerated().filter { rights.rawValue >> Int32($0.offset) & 1 == 1 }
            .map { .string($0.element) })
      }, (0..<8).map { Rights(rawValue: $0) })
    try agree(BoolConverter<Int>(), "boolean", .int, { .bool($0) }, [true, false])
  }

  @Test func datesAreStoredAsCounts() throws {
    var random = TestSeed.next()
    func shown(_ date: Date, _ perSecond: Int64, digits: Int) -> JSONValue {
      let count = Int64((date.timeIntervalSince1970 * Double(perSecond)).rounded())
      let rest = String((count % perSecond + perSecond) % perSecond)
      let fraction = String(repeating: "0", count: digits - rest.count) + rest
      let seconds = (count - (count % perSecond + perSecond) % perSecond) / perSecond
      let text = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
      return .string("\(text.dropLast()).\(fraction)Z")
    }
    // From 1900 to 2200.
    let milliseconds = (0..<Self.count).map { _ in
      Int64.random(in: -2_208_988_800_000...7_258_118_400_000, using: &random)
    }
    try agree(
      DateConverter(), "date", .date, { shown($0, 1000, digits: 3) },
      milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) })
    // Whole seconds: a date lacks the last digits of nanoseconds.
    try agree(
      DateConverter(.nanoseconds), "date", .dateNano, { shown($0, 1_000_000_000, digits: 9) },
      milliseconds.map { Date(timeIntervalSince1970: Double($0 / 1000)) },
      isEqual: { abs($0.timeIntervalSince($1)) < 1e-5 })
  }

  @Test func identifiersAreStoredAsBytesOrTexts() throws {
    var random = TestSeed.next()
    let uuids = (0..<Self.count).map { _ in
      withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
    func shown(_ uuid: UUID) -> JSONValue { .string(uuid.uuidString.lowercased()) }
    try agree(UUIDBytesConverter(), "uuid", .byteVector, shown, uuids)
    try agree(UUIDTextConverter(), "uuid", .string, shown, uuids)
    try agree(
      URLConverter(), "url", .string, { .string($0.absoluteString) },
      uuids.compactMap { URL(string: "https://example.org/\($0.uuidString)/a%20b?c=d#e") })
  }

  @Test func numbersAndObjectsAreStoredAsTexts() throws {
    var random = TestSeed.next()
    let numbers = (0..<Self.count).map { _ in Int64.random(in: .min ... .max, using: &random) }
    try agree(
      DecimalConverter(), "decimal", .string, { .string("\($0)") },
      numbers.map { Decimal($0) / 1000 })
    try agree(
      CodableConverter<[String: Int64]>(), "json", .string,
      {
        .object($0.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .int(Int($0.value))) })
      },
      numbers.map { ["a/b": $0, "é\n": $0 / 2, "\"": 0] })
  }
}
