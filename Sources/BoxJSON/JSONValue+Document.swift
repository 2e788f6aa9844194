extension JSONDocument {
  /// The value of a node with all its contents.
  ///
  /// An integer is `int` if it fits and `uint` otherwise; a number with a fraction or an exponent
  /// is the nearest `double`.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func value(of node: JSONNode, _ decoder: JSONValueDecoder = JSONValueDecoder())
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

extension JSONDocument {
  /// The value of a node with all its contents, whose numbers keep their digits.
  ///
  /// A number is an `int`, a `uint` or a `double` if that is written with the same digits, and a
  /// `number` otherwise.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func exactValue(of node: JSONNode) -> JSONValue {
    exactValue(of: node, JSONValueDecoder())
  }

  private func exactValue(of node: JSONNode, _ decoder: JSONValueDecoder) -> JSONValue {
    switch kind(of: node) {
    case .number: return exactNumber(node, decoder)
    case .array: return .array(elementNodes(of: node).map { exactValue(of: $0, decoder) })
    case .object:
      return .object(
        memberNodes(of: node).map { key, member in
          JSONValue.Member(self.key(key), exactValue(of: member, decoder))
        })
    default: return value(of: node, decoder)
    }
  }

  private func exactNumber(_ node: JSONNode, _ decoder: JSONValueDecoder) -> JSONValue {
    let range = range(of: node)
    if isInteger(node) {
      // Nothing but the sign of zero is lost.
      let isNegativeZero = range.count == 2 && bytes[range].elementsEqual("-0".utf8)
      return isNegativeZero ? .number("-0") : value(of: node, decoder)
    }
    let digits = text(of: node)
    // No double is written with more than 24 characters.
    if range.count <= 24, let double = Double(digits), double.isFinite,
      double.description.utf8.elementsEqual(bytes[range])
    {
      return .double(double)
    }
    return .number(digits)
  }
}

extension JSONValue {
  /// The value with each `number` rounded as by ``JSONDocument/value(of:_:)``: to the nearest
  /// `double`, or infinity, unless it is an `int` or `uint`.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  package var rounded: JSONValue {
    switch self {
    case .number(let digits):
      if let integer = Int(digits) { return .int(integer) }
      if let integer = UInt64(digits) { return .uint(integer) }
      return .double(Double(digits) ?? .nan)
    case .array(let elements): return .array(elements.map(\.rounded))
    case .object(let members): return .object(members.map { Member($0.key, $0.value.rounded) })
    default: return self
    }
  }

  /// Whether two values are the same to the bit: texts by their bytes, numbers by their case and bits.
  ///
  /// Such values are written with the same bytes. This differs from `==` for -0.0, for NaN, and for
  /// accents that are composed in only one of the texts.
  ///
  /// - Complexity: O(*n*) in the size of the values.
  package func isIdentical(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)), (.number(let a), .number(let b)):
      a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && zip(a, b).allSatisfy {
          $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isIdentical(to: $1.value)
        }
    default: self == other
    }
  }

  /// The kind of the value.
  package var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int, .uint, .double, .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The value of a member of an object; nil if the member is missing, or if the value is not an object.
  ///
  /// - Complexity: O(*n*) in the number of members.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}
