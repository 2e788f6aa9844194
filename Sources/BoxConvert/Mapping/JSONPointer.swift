public import BoxJSON

/// A path into a JSON value as of RFC 6901, such as `/name/common`.
public struct JSONPointer: Hashable, Sendable {
  /// The keys and positions on the way, with escapes resolved.
  public let parts: [String]

  /// Reads a pointer; nil if the text is neither empty nor begins with a slash, or has a tilde
  /// without 0 or 1 behind it.
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

  /// The value at the pointer; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the members of the objects on the way.
  public func value(in json: JSONValue) -> JSONValue? {
    var current = json
    for part in parts {
      switch current {
      case .object(let members):
        guard let member = members.first(where: { $0.key.hasSameBytes(as: part) }) else {
          return nil
        }
        current = member.value
      case .array(let elements):
        // Positions are written without leading zeros.
        guard let index = Int(part), String(index).hasSameBytes(as: part),
          elements.indices.contains(index)
        else { return nil }
        current = elements[index]
      default: return nil
      }
    }
    return current
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
