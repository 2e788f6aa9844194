extension JSONDocument {
  /// The value of a node with all that it holds.
  ///
  /// An integer is `int` where it fits and `uint` otherwise; a number with a fraction or an exponent
  /// is the nearest `double`.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public func value(of node: JSONNode, _ decoder: JSONValueDecoder = JSONValueDecoder())
    -> JSONValue
  {
    switch kind(of: node) {
    case .null: return .null
    case .bool: return .bool(decoder.bool(node, in: self) ?? false)
    case .string: return .string(decoder.string(node, in: self) ?? "")
    case .number:
      if let integer = decoder.integer(node, in: self, as: Int.self) { return .int(integer) }
      if let integer = decoder.integer(node, in: self, as: UInt64.self) { return .uint(integer) }
      // A number beyond the range of a double is read as infinite, like everywhere else.
      let sign: Double = bytes[range(of: node).lowerBound] == .minus ? -1 : 1
      return .double(decoder.double(node, in: self) ?? sign * .infinity)
    case .array: return .array(elementNodes(of: node).map { value(of: $0, decoder) })
    case .object:
      return .object(
        memberNodes(of: node).map { key, member in
          JSONValue.Member(self.key(key), value(of: member, decoder))
        })
    }
  }
}

extension JSONValue {
  /// The kind of the value.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int, .uint, .double: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The value of a member of an object; nil if there is none, or if the value is no object.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}
