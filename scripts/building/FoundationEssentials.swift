// A stand-in for the module of this name, which scripts/build links in place of Swift's own.
//
// Of that module swift-argument-parser takes an encoder of JSON, for the description of a command that
// its generator of manual pages reads, and a protocol of errors. All else of Foundation would come with
// it: docs/decisions/0043-a-stand-in-for-foundation.md.

/// An error with a description for people.
public protocol LocalizedError: Error {
  /// The description.
  var errorDescription: String? { get }
}

/// Bytes.
public struct Data {
  fileprivate let text: String
}

extension String {
  /// A way to write characters as bytes.
  public enum Encoding {
    /// UTF-8.
    case utf8
  }

  /// Creates the text of bytes.
  public init?(data: Data, encoding: Encoding) { self = data.text }
}

/// Writes values as JSON: with a line for each member, sorted by their names, whatever is asked for.
public final class JSONEncoder {
  /// The layout of the text.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a layout of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A line for each member.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Members in the order of their names.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  /// The layout, which changes nothing here.
  public var outputFormatting: OutputFormatting = []

  /// Creates an encoder.
  public init() {}

  /// Writes a value.
  ///
  /// - Throws: What the value throws while it is encoded.
  public func encode(_ value: some Encodable) throws -> Data {
    let place = Place()
    try value.encode(to: ValueEncoder(place: place))
    return Data(text: place.text(indent: ""))
  }
}

/// A value that is being written.
private final class Place {
  var scalar = "null"
  var items: [Place]?
  var members: [String: Place]?

  func item() -> Place {
    let place = Place()
    items = (items ?? []) + [place]
    return place
  }

  func member(_ key: any CodingKey) -> Place {
    let place = Place()
    members = members ?? [:]
    members?[key.stringValue] = place
    return place
  }

  func text(indent: String) -> String {
    let inner = indent + "  "
    if let members {
      let lines = members.sorted { $0.key < $1.key }.map { key, place in
        "\(inner)\(quoted(key)) : \(place.text(indent: inner))"
      }
      return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    }
    guard let items else { return scalar }
    let lines = items.map { inner + $0.text(indent: inner) }
    return lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
  }
}

private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case ..<" ":
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// The encoder of one value, which is also its container, whichever it asks for.
private struct ValueEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
  let place: Place
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { place.items?.count ?? 0 }
  // In a list each value has a place of its own.
  var isList = false
  private var next: Place { isList ? place.item() : place }

  init(place: Place) { self.place = place }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.members = place.members ?? [:]
    return KeyedEncodingContainer(MemberEncoder(place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.items = place.items ?? []
    var list = self
    list.isList = true
    return list
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    ValueEncoder(place: next).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ValueEncoder(place: next).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { ValueEncoder(place: next) }

  func encodeNil() { next.scalar = "null" }

  func encode<Value: Encodable>(_ value: Value) throws {
    let place = next
    switch value {
    case let text as String: place.scalar = quoted(text)
    case let bool as Bool: place.scalar = "\(bool)"
    case let number as any BinaryInteger: place.scalar = "\(number)"
    case let number as Double where number.isFinite: place.scalar = "\(number)"
    default: try value.encode(to: ValueEncoder(place: place))
    }
  }
}

/// The members of an object.
private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: Place
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { _ = place.member(key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try ValueEncoder(place: place.member(key)).encode(value)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    ValueEncoder(place: place.member(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ValueEncoder(place: place.member(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { ValueEncoder(place: place) }

  func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(place: place.member(key)) }
}
