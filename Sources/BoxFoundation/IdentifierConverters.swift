public import BoxConvert
public import Foundation

/// Converts UUIDs to their 16 bytes.
public struct UUIDBytesConverter: ValueConverter {
  /// Creates the converter.
  public init() {}

  /// The UUID of 16 bytes.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` for a missing value and another number of bytes.
  public func domain(_ stored: [UInt8]?) throws(ConversionError) -> UUID {
    guard let stored else { throw ConversionError(.missing, expected: "a UUID") }
    guard stored.count == 16 else { throw ConversionError(.malformed, expected: "16 bytes") }
    return stored.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The bytes.
  public func stored(_ domain: UUID) throws(ConversionError) -> [UInt8]? {
    withUnsafeBytes(of: domain.uuid) { Array($0) }
  }
}

/// Converts UUIDs to their text, in lower case.
public struct UUIDTextConverter: ValueConverter {
  /// Creates the converter.
  public init() {}

  /// The UUID of a text in any case.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` for a missing value and another text.
  public func domain(_ stored: String?) throws(ConversionError) -> UUID {
    guard let stored else { throw ConversionError(.missing, expected: "a UUID") }
    guard let uuid = UUID(uuidString: stored) else {
      throw ConversionError(.malformed, expected: "a UUID")
    }
    return uuid
  }

  /// The text.
  public func stored(_ domain: UUID) throws(ConversionError) -> String? {
    domain.uuidString.lowercased()
  }
}

/// Converts URLs to their text.
public struct URLConverter: ValueConverter {
  /// Creates the converter.
  public init() {}

  /// The URL of a text.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` for a missing value and a text that is not a URL.
  public func domain(_ stored: String?) throws(ConversionError) -> URL {
    guard let stored else { throw ConversionError(.missing, expected: "a URL") }
    // Without encoding: what is stored is not to become another text.
    guard let url = URL(string: stored, encodingInvalidCharacters: false) else {
      throw ConversionError(.malformed, expected: "a URL")
    }
    return url
  }

  /// The text.
  public func stored(_ domain: URL) throws(ConversionError) -> String? { domain.absoluteString }
}
