public import BoxJSON

/// A path into a JSON value as of RFC 6901, such as `/name/common`.
public struct JSONPointer: Hashable, Sendable {
  /// The keys and positions on the way, with escapes resolved.
  public let parts: [String]

  /// Reads a pointer; nil if the text is neither empty nor begins with a slash, or has a tilde that 0 or 1
  /// does not follow.
  public init?(_ text: String) {
    if text.isEmpty {
      parts = []
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    var parts: [String] = []
    for part in text.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in part {
        if isEscaped {
          guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
          bytes.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
          isEscaped = false
        } else if byte == UInt8(ascii: "~") {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      if isEscaped { return nil }
      parts.append(String(decoding: bytes, as: UTF8.self))
    }
    self.parts = parts
  }

  /// Whether two pointers have the same parts, compared by their bytes.
  public static func == (a: JSONPointer, b: JSONPointer) -> Bool {
    a.parts.elementsEqual(b.parts) { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the bytes of the parts.
  public func hash(into hasher: inout Hasher) {
    for part in parts { hasher.combine(ExactText(part)) }
  }

  /// The pointer with these keys and positions.
  package init(parts: [String]) { self.parts = parts }

  /// The pointer to a member.
  public init(member: String) { parts = [member] }

  /// The value at the pointer; nil if it does not exist.
  ///
  /// - Complexity: O(*n*) in the members of the objects on the way.
  public func value(in json: JSONValue) -> JSONValue? {
    var current = json
    for part in parts {
      guard let next = current.value(at: part) else { return nil }
      current = next
    }
    return current
  }
}

extension JSONValue {
  /// The value at a part of a pointer; nil if it does not exist.
  fileprivate func value(at part: String) -> JSONValue? {
    switch self {
    case .object(let members): return members.first { $0.key.hasSameBytes(as: part) }?.value
    case .array(let elements):
      // Positions are written without leading zeros.
      guard let index = Int(part), String(index).hasSameBytes(as: part),
        elements.indices.contains(index)
      else { return nil }
      return elements[index]
    default: return nil
    }
  }
}

/// The values at pointers into one document, of which large objects are not searched for each pointer.
struct PointedValues {
  private let document: JSONValue
  /// The members of large objects, by the pointers to these.
  private var tables: [JSONPointer: [ExactText: Int]] = [:]
  /// Objects with more members get a table.
  private static let searchedUpTo = 32

  init(_ document: JSONValue) { self.document = document }

  /// The value at a pointer; nil if it does not exist.
  ///
  /// - Complexity: O(*n*) in the length of the pointer, and in the members of an object that is large when it is met
  ///   first.
  mutating func value(at pointer: JSONPointer) -> JSONValue? {
    var current = document
    for (depth, part) in pointer.parts.enumerated() {
      if case .object(let members) = current, members.count > Self.searchedUpTo {
        guard let position = position(of: part, in: members, at: pointer.parts[..<depth]) else {
          return nil
        }
        current = members[position].value
      } else {
        guard let next = current.value(at: part) else { return nil }
        current = next
      }
    }
    return current
  }

  private mutating func position(
    of key: String, in members: [JSONValue.Member], at path: ArraySlice<String>
  ) -> Int? {
    let place = JSONPointer(parts: Array(path))
    if tables[place] == nil {
      tables[place] = Dictionary(zip(members.lazy.map { ExactText($0.key) }, 0...)) { first, _ in
        first
      }
    }
    return tables[place]?[ExactText(key)]
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The pointer as text.
  public var description: String {
    parts.map { part in
      var text = "/"
      for scalar in part.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
      return text
    }.joined()
  }
}
