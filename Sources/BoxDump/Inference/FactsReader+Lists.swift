internal import BoxConvert
internal import BoxEngine
internal import BoxJSON

/// Lists, and the strings in them.
extension FactsReader {
  func list(_ facts: inout ListFacts, depth: Int) throws(ScanFailure) {
    tokens.index += 1
    tokens.skipSpace()
    var count = 0
    if byte == .rightBracket {
      tokens.index += 1
    } else {
      while true {
        facts.kinds.insert(try element(&facts, depth: depth))
        count += 1
        tokens.skipSpace()
        let byte = byte
        tokens.index += 1
        if byte == .rightBracket { break }
        if byte != .comma {
          tokens.index -= 1
          throw tokens.unexpected("a comma or the end")
        }
        tokens.skipSpace()
      }
    }
    facts.minimumCount = min(facts.minimumCount, count)
    facts.maximumCount = max(facts.maximumCount, count)
  }

  private func extended(
    _ value: ExtendedJSON, _ facts: inout ListFacts
  ) throws(ScanFailure) -> ValueKinds {
    switch value {
    case .text, .date: return .string
    case .special:
      facts.numbers.hasSpecial = true
      return .fraction
    case .number:
      var numbers = facts.numbers
      let kind = try tokens.reading(value) { () throws(ScanFailure) -> ValueKinds in
        guard let value = shortInteger() else { return try longNumber(&numbers) }
        numbers.add(value)
        return .integer
      }
      facts.numbers = numbers
      return kind
    }
  }

  private func element(_ facts: inout ListFacts, depth: Int) throws(ScanFailure) -> ValueKinds {
    switch byte {
    case .quote:
      tokens.side.removeAll()
      let start = tokens.index
      try tokens.string(into: 0)
      if unsafe !isUTF8(tokens.bytes(of: tokens.values[0])) { throw tokens.notUTF8(start) }
      return .string
    case .minus, 0x30...0x39:
      guard let value = shortInteger() else { return try longNumber(&facts.numbers) }
      facts.numbers.add(value)
      return .integer
    case UInt8(ascii: "n"):
      try tokens.word("null")
      return .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      try tokens.skipValue(depth: depth)
      return .bool
    case .leftBracket:
      try tokens.skipValue(depth: depth)
      return .array
    case .leftBrace:
      if let value = try tokens.extended() { return try extended(value, &facts) }
      if let nested = facts.nested {
        try object(nested, depth: depth)
      } else {
        try tokens.skipValue(depth: depth)
      }
      return .object
    default: throw tokens.unexpected("a value")
    }
  }
}
