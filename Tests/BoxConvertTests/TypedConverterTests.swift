import BoxConvert
import BoxFoundation
import BoxJSON
import BoxModel
import Foundation
import TestSupport
import Testing

enum Role: Int, CaseIterable {
  case standard = 0
  case author = 1
  case admin = 2
}

/// As in the documents: a plain type with two static functions.
class RoleConverter {
  static func convert(_ enumerated: Role) -> Int { enumerated.rawValue }

  static func convert(_ number: Int?) -> Role {
    guard let number else { return .standard }
    return Role(rawValue: number) ?? .standard
  }
}

/// The same with a parameter that is not optional.
enum LengthConverter {
  static func convert(_ text: String) -> Int { text.count }
  static func convert(_ count: Int) -> String { String(repeating: "x", count: count) }
}

struct Permissions: OptionSet, Sendable {
  var rawValue: UInt8
  static let read = Permissions(rawValue: 1)
}

struct TypedConverterTests {
  @Test(.promise(7, 61, 62, 64)) func staticFunctionsAreAConverter() throws {
    let converter = FunctionConverter(store: RoleConverter.convert, load: RoleConverter.convert)
    #expect(try converter.read(.null) == .standard)
    #expect(try converter.read(2) == .admin)
    #expect(try converter.read(7) == .standard)
    #expect(try converter.write(.author) == 1)
    #expect(ConverterLaws.violations(of: converter, domain: Role.allCases) == [])
  }

  @Test(.promise(65)) func aParameterThatIsNotOptionalGetsZero() throws {
    let converter = FunctionConverter<String, Int>(
      store: LengthConverter.convert, load: LengthConverter.convert)
    #expect(try converter.read(.null) == "")
    #expect(try converter.read(3) == "xxx")
    #expect(try converter.write("ab") == 2)
  }

  @Test(.promise(53)) func anEnumNeedsNoStoredType() throws {
    let converter = EnumConverter<Role>(default: .standard)
    #expect(try converter.read(.null) == .standard)
    #expect(try converter.read(1) == .author)
    #expect(try converter.read(300) == .standard)
    #expect(try converter.write(.admin) == .integer(2))
    let strict = EnumConverter<Role>(missing: .use(.author))
    #expect(try strict.read(.null) == .author)
    #expect(throws: ConversionError(.unknown, expected: "a case of Role")) { try strict.read(9) }
  }

  @Test(.promise(59)) func anOptionalEnumIsNilByDefault() throws {
    let converter = OptionalEnumConverter<Role>()
    #expect(try converter.read(.null) == nil)
    #expect(try converter.read(300) == nil)
    #expect(try converter.read(2) == .admin)
    #expect(try converter.write(nil) == .null)
  }

  @Test func anUnknownRawValueIsPreserved() throws {
    let converter = PreservedConverter<Role>(default: .standard)
    #expect(try converter.read(400) == .unknown(400))
    #expect(try converter.write(converter.read(400)) == 400)
    #expect(try converter.read(.null).value == .standard)
    var random = TestSeed.next()
    let samples = ValueSamples(try #require(StoredType(.long)), seeds: [0, 1, 2])
    let values = (0..<10_000).map { _ in samples.next(using: &random) }
    #expect(ConverterLaws.violations(of: converter, stored: values) { $0 != .null } == [])
  }

  @Test func anotherTypeIsMalformed() {
    #expect(throws: ConversionError(.malformed, expected: "Int")) {
      try EnumConverter<Role>(default: .standard).read("x")
    }
    #expect(throws: ConversionError(.malformed, expected: "UInt8")) {
      try OptionSetConverter<Permissions>().read(256)
    }
  }

  @Test func bitsWithoutANameStay() throws {
    let converter = OptionSetConverter<Permissions>()
    #expect(try converter.write(converter.read(.unsigned(0xF1))) == .unsigned(0xF1))
    #expect(try converter.read(.null) == [])
  }

  @Test(.promise(68)) func chainsAndListsAreMadeOfConverters() throws {
    // A text of digits is a number, which is a role.
    let digits = FunctionConverter<Int, String>(
      store: { String($0) }, load: { (text: String?) in text.flatMap { Int($0) } ?? -1 })
    let chain = ChainedConverter(digits, EnumConverter<Role>(default: .standard))
    #expect(try chain.read("2") == .admin)
    #expect(try chain.read("x") == .standard)
    #expect(try chain.read(.null) == .standard)
    #expect(try chain.write(.author) == "1")
    let list = ListConverter(EnumConverter<Role>())
    #expect(try list.read(.integers([0, 2])) == [.standard, .admin])
    #expect(try list.write([.author]) == .integers([1]))
    #expect(try list.read(.null) == [])
    #expect(throws: ConversionError.self) { try list.read(.integers([9])) }
  }

  @Test func aSetIsStoredInOrderAndEachElementOnce() throws {
    let set = SetConverter(EnumConverter<Role>(default: .standard))
    #expect(try set.write([.admin, .standard, .author]) == .integers([0, 1, 2]))
    #expect(try set.write([]) == .integers([]))
    #expect(try set.read(.integers([2, 0, 2])) == [.standard, .admin])
    // An unknown element is the default, which is stored once.
    #expect(try set.write(set.read(.integers([9, 1, 0]))) == .integers([0, 1]))
    #expect(try set.read(.null) == [])
    let kept = SetConverter(PreservedConverter<Role>())
    #expect(try kept.write(kept.read(.integers([9, 1, 9]))) == .integers([1, 9]))
  }
}

struct FoundationConverterTests {
  @Test func datesComeBackToTheMillisecond() throws {
    var random = TestSeed.next()
    let converter = DateConverter()
    let count = TestSeed.count("BOXJOINT_SOAK_CONVERSIONS", default: 20_000)
    // To the year 9999 a Double has digits to spare for milliseconds.
    let values = (0..<count).lazy.map { _ in
      Value.integer(Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random))
    }
    #expect(ConverterLaws.violations(of: converter, stored: values) == [])
    #expect(try converter.read(1500) == Date(timeIntervalSince1970: 1.5))
    #expect(throws: ConversionError(.missing, expected: "a date")) { try converter.read(.null) }
    #expect(throws: ConversionError.self) {
      try converter.write(.init(timeIntervalSince1970: .nan))
    }
    #expect(throws: ConversionError.self) {
      try converter.write(.init(timeIntervalSince1970: 1e30))
    }
  }

  @Test func identifiersComeBack() throws {
    var random = TestSeed.next()
    let uuids = (0..<1000).map { _ in
      withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
    #expect(ConverterLaws.violations(of: UUIDBytesConverter(), domain: uuids) == [])
    #expect(ConverterLaws.violations(of: UUIDTextConverter(), domain: uuids) == [])
    #expect(throws: ConversionError.self) { try UUIDBytesConverter().read(.bytes([1])) }
    #expect(throws: ConversionError.self) { try URLConverter().read("a b") }
    for text in ["https://x.org/a%20b?", "mailto:a@x.org", "../a"] {
      #expect(try URLConverter().write(URLConverter().read(.string(text))) == .string(text))
    }
  }

  @Test func decimalsComeBack() throws {
    var random = TestSeed.next()
    let values = (0..<1000).map { _ in
      Decimal(Int64.random(in: .min ... .max, using: &random)) / 1000
    }
    #expect(ConverterLaws.violations(of: DecimalConverter(), domain: values) == [])
    #expect(try DecimalConverter().read("-12.50") == Decimal(string: "-12.5"))
    for text in ["", "x", "1 2", "NaN", String(repeating: "1", count: 39)] as [String] {
      #expect(throws: ConversionError.self) { try DecimalConverter().read(.string(text)) }
    }
  }

  @Test func codableValuesAreJSON() throws {
    let converter = CodableConverter<[String: Int]>()
    #expect(try converter.write(["b": 1, "a": 2]) == #"{"a":2,"b":1}"#)
    #expect(try converter.read(#"{"x":1}"#) == ["x": 1])
    #expect(throws: ConversionError.self) { try converter.read("[") }
  }
}

struct ConverterScopeTests {
  /// Says whether the mark was set while it ran.
  private struct Probe: JSONConverter {
    func json(_ stored: Value) throws(ConversionError) -> JSONValue {
      .bool(ConverterScope.isActive)
    }

    func stored(_ json: JSONValue) throws(ConversionError) -> Value {
      .bool(ConverterScope.isActive)
    }
  }

  @Test func theMarkIsSetWhileAConverterRuns() throws {
    let function = FunctionConverter<Bool, Bool>(
      store: { _ in ConverterScope.isActive }, load: { (_: Bool?) in ConverterScope.isActive })
    #expect(!ConverterScope.isActive)
    #expect(try function.read(false) == true)
    #expect(try function.write(false) == true)
    #expect(!ConverterScope.isActive)
    var registry = ConverterRegistry()
    registry["probe"] = Probe()
    let catalogue = try Catalogue(
      ["properties": ["E.p": ["type": "registered", "name": "probe"]]], registry: registry)
    let converter = try #require(
      try catalogue.converter(entity: "E", property: "p", type: .bool, flags: []))
    #expect(try converter.json(false) == true)
    #expect(try converter.stored(false) == true)
    #expect(!ConverterScope.isActive)
  }
}
