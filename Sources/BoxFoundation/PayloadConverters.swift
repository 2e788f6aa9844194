public import BoxConvert
public import Foundation

/// Converts decimal numbers to their digits.
public struct DecimalConverter: ValueConverter {
  private static let locale = Locale(identifier: "en_US_POSIX")

  /// Creates the converter.
  public init() {}

  /// The number of a text.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` for a missing value, another text, and more digits than a
  ///   `Decimal` has.
  public func domain(_ stored: String?) throws(ConversionError) -> Decimal {
    guard let stored else { throw ConversionError(.missing, expected: "a decimal number") }
    let isNumber = stored.utf8.allSatisfy {
      (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0)
    }
    let digits = stored.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
      .count { (0x30...0x39).contains($0) }
    guard isNumber, (1...38).contains(digits),
      let number = Decimal(string: stored, locale: Self.locale), number.isFinite
    else {
      throw ConversionError(.malformed, expected: "a decimal number of at most 38 digits")
    }
    return number
  }

  /// The digits.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` of kind `malformed` for what is not a number.
  public func stored(_ domain: Decimal) throws(ConversionError) -> String? {
    guard domain.isFinite else { throw ConversionError(.malformed, expected: "a number") }
    return domain.description
  }
}

/// Converts `Data` to bytes.
public struct DataConverter: ValueConverter {
  /// Creates the converter.
  public init() {}

  /// The data of bytes; empty where they are missing.
  public func domain(_ stored: [UInt8]?) throws(ConversionError) -> Data { Data(stored ?? []) }

  /// The bytes.
  public func stored(_ domain: Data) throws(ConversionError) -> [UInt8]? { Array(domain) }
}

/// Converts what is `Codable` to JSON text, with sorted keys so that equal values have equal texts.
public struct CodableConverter<Domain: Codable & Sendable>: ValueConverter {
  private let missing: Domain?

  /// Creates a converter.
  ///
  /// - Parameter missing: The value where nothing is stored; nil to fail.
  public init(missing: Domain? = nil) { self.missing = missing }

  /// The value of a JSON text.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` for a missing value, and a text that does not decode.
  public func domain(_ stored: String?) throws(ConversionError) -> Domain {
    guard let stored else {
      guard let missing else { throw ConversionError(.missing, expected: "JSON") }
      return missing
    }
    do {
      return try JSONDecoder().decode(Domain.self, from: Data(stored.utf8))
    } catch {
      throw ConversionError(.malformed, expected: "JSON of \(Domain.self)")
    }
  }

  /// The JSON text of a value.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` of kind `malformed` for what does not encode.
  public func stored(_ domain: Domain) throws(ConversionError) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(domain), as: UTF8.self)
    } catch {
      throw ConversionError(.malformed, expected: "a value that can be JSON")
    }
  }
}
