internal import BoxJSON
internal import BoxModel

/// Bytes as text: in base64, in hexadecimal digits, or as the UTF-8 that they are.
struct BytesForm: StrictForm {
  let kinds: Set<JSONKind> = [.string]
  let result = StoredType(.string)
  let encoding: BytesEncoding

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard case .bytes(let bytes) = stored else { throw .malformed("bytes") }
    switch encoding {
    case .base64: return .string(Base64.text(bytes))
    case .hex: return .string(Hexadecimal.text(bytes))
    case .text:
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed("UTF-8") }
      return .string(text)
    }
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard case .string(let text) = json else { throw .malformed("a text") }
    switch encoding {
    case .base64:
      guard let bytes = Base64.bytes(text) else { throw .malformed("base64 with padding") }
      return .bytes(bytes)
    case .hex:
      guard let bytes = Hexadecimal.bytes(text.utf8) else {
        throw .malformed("two hexadecimal digits for each byte")
      }
      return .bytes(bytes)
    case .text: return .bytes(Array(text.utf8))
    }
  }
}

/// The encoding in which bytes are shown.
public enum BytesEncoding: String, Hashable, Sendable, CaseIterable {
  /// RFC 4648 with padding.
  case base64
  /// Two digits for each byte.
  case hex
  /// The bytes are UTF-8.
  case text
}

/// A UUID that is stored as 16 bytes.
struct UUIDBytesForm: StrictForm {
  let kinds: Set<JSONKind> = [.string]
  let result = StoredType(.string)
  let isUppercase: Bool

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard case .bytes(let bytes) = stored, bytes.count == 16 else { throw .malformed("16 bytes") }
    let text = UUIDText.text(bytes)
    return .string(isUppercase ? text.uppercased() : text)
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard case .string(let text) = json, let bytes = UUIDText.bytes(text) else {
      throw .malformed(UUIDText.expected)
    }
    return .bytes(bytes)
  }
}

/// The 36 characters of a UUID.
enum UUIDText {
  static let expected = "a UUID, as 123e4567-e89b-12d3-a456-426614174000"

  /// The positions of the hyphens.
  private static let hyphens: [Int] = [8, 13, 18, 23]

  /// The text of 16 bytes, in lower case.
  static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for (index, byte) in bytes.prefix(16).enumerated() {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        text[place] = Hexadecimal.digit(byte >> 4)
        text[place + 1] = Hexadecimal.digit(byte & 15)
        place += 2
      }
      return place
    }
  }

  /// The 16 bytes of a text in any case; nil for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { text in
      guard text.count == 36 else { return nil }
      for place in hyphens where text[place] != UInt8(ascii: "-") { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(16)
      var place = 0
      while place < 36 {
        if text[place] == UInt8(ascii: "-") && hyphens.contains(place) {
          place += 1
          continue
        }
        guard let high = Hexadecimal.value(text[place]),
          let low = Hexadecimal.value(text[place + 1])
        else { return nil }
        bytes.append(high << 4 | low)
        place += 2
      }
      return bytes
    }
  }
}
