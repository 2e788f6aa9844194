internal import BoxJSON
internal import BoxModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A form of stored values that knows no policy: what it does not know is an error.
///
/// The policies are round it, in ``BoundConverter``. A null never gets here.
protocol StrictForm: Sendable {
  /// The kinds of JSON that the form has: what is kept as it is stored must not look like them.
  var kinds: Set<JSONKind> { get }
  /// The type of what a second converter of a chain gets; nil where there can be none.
  var result: StoredType? { get }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue
  func stored(_ json: JSONValue) throws(ConversionError) -> Value
  /// What is wrong with a stored value, be it with a part of it only.
  func problem(_ stored: Value) -> ConversionError?
}

extension StrictForm {
  var result: StoredType? { nil }

  func problem(_ stored: Value) -> ConversionError? {
    do throws(ConversionError) {
      _ = try json(stored)
      return nil
    } catch {
      return error
    }
  }
}

/// A text by its bytes: Swift takes two spellings of one accent for equal, and a store does not.
struct ExactText: Hashable, Sendable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  func hasSameBytes(as other: String) -> Bool {
    var (text, other) = (self, other)
    return text.withUTF8 { a in
      other.withUTF8 { b in
        guard a.count == b.count, let start = a.baseAddress, let other = b.baseAddress else {
          return a.count == b.count
        }
        return memcmp(start, other, a.count) == 0
      }
    }
  }
}

extension ConversionError {
  static func malformed(_ expected: String) -> ConversionError {
    ConversionError(.malformed, expected: expected)
  }
}
