/// A set of bytes.
struct ByteSet: Hashable, Sendable {
  private var members = [Bool](repeating: false, count: 256)

  /// The set of the bytes that a test accepts.
  init(_ isMember: (UInt8) -> Bool = { _ in false }) {
    for byte in UInt8.min ... .max where isMember(byte) { members[Int(byte)] = true }
  }

  func contains(_ byte: UInt8) -> Bool { members[Int(byte)] }

  mutating func formUnion(_ isMember: (UInt8) -> Bool) {
    for byte in UInt8.min ... .max where isMember(byte) { members[Int(byte)] = true }
  }
}

/// A reader of the part of a file pattern after its first special character.
struct FileTokens {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  /// Whether a byte of a pattern stands for something else.
  static func isSpecial(_ byte: UInt8) -> Bool { "*?[\\".utf8.contains(byte) }

  /// Reads the tokens; nil if a set has no end or an unknown class, as git then matches nothing.
  mutating func all() -> [FileMatcher.Token]? {
    var tokens: [FileMatcher.Token] = []
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "*"): tokens.append(stars())
      case UInt8(ascii: "?"):
        tokens.append(.set(ByteSet { $0 != UInt8(ascii: "/") }))
        position += 1
      case UInt8(ascii: "["):
        guard let set = set() else { return nil }
        tokens.append(.set(set))
      default:
        tokens.append(.byte(bytes[position]))
        position += 1
      }
    }
    return tokens
  }

  /// Reads one star or several.
  private mutating func stars() -> FileMatcher.Token {
    let start = position
    while position < bytes.count, bytes[position] == UInt8(ascii: "*") { position += 1 }
    let isAlone = start == 0 || bytes[start - 1] == UInt8(ascii: "/")
    if position - start == 1 || !isAlone { return .name }
    if position == bytes.count { return .anything }
    if bytes[position] != UInt8(ascii: "/") { return .name }
    position += 1
    return .directories
  }

  /// Reads a set such as `[a-z]`, which never contains a slash; nil if it is not one.
  private mutating func set() -> ByteSet? {
    position += 1
    let isNegated = [UInt8(ascii: "!"), UInt8(ascii: "^")].contains(byte(position))
    if isNegated { position += 1 }
    var set = ByteSet()
    let start = position
    // The byte before, if a range can start with it.
    var lower: UInt8?
    while let next = byte(position), next != UInt8(ascii: "]") || position == start {
      if next == UInt8(ascii: "-"), let low = lower, let high = byte(position + 1),
        high != UInt8(ascii: "]")
      {
        set.formUnion { $0 >= low && $0 <= high }
        (lower, position) = (nil, position + 2)
      } else if next == UInt8(ascii: "["), byte(position + 1) == UInt8(ascii: ":") {
        guard let end = bytes[(position + 2)...].firstIndex(of: UInt8(ascii: "]")) else {
          return nil
        }
        if end > position + 2, bytes[end - 1] == UInt8(ascii: ":") {
          let name = String(decoding: bytes[(position + 2)..<(end - 1)], as: UTF8.self)
          guard let isMember = Self.classes[name] else { return nil }
          set.formUnion(isMember)
          (lower, position) = (nil, end + 1)
        } else {
          set.formUnion { $0 == next }
          (lower, position) = (next, position + 1)
        }
      } else {
        set.formUnion { $0 == next }
        (lower, position) = (next, position + 1)
      }
    }
    if position >= bytes.count { return nil }
    position += 1
    return ByteSet { $0 != UInt8(ascii: "/") && set.contains($0) != isNegated }
  }

  private func byte(_ position: Int) -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  /// The classes of characters in sets, of ASCII alone, as git knows them.
  private static let classes: [String: @Sendable (UInt8) -> Bool] = [
    "alnum": { isLetter($0) || isDigit($0) }, "alpha": isLetter,
    "blank": { $0 == 0x20 || $0 == 0x09 }, "cntrl": { $0 < 0x20 || $0 == 0x7F },
    "digit": isDigit, "graph": { (0x21...0x7E).contains($0) }, "lower": isLower,
    "print": { (0x20...0x7E).contains($0) },
    "punct": { (0x21...0x7E).contains($0) && !isLetter($0) && !isDigit($0) },
    "space": { [0x20, 0x09, 0x0A, 0x0D].contains($0) },
    "upper": { isLetter($0) && !isLower($0) },
    "xdigit": { isDigit($0) || (0x41...0x46).contains($0 & 0xDF) },
  ]

  @Sendable private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  @Sendable private static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
  @Sendable private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
