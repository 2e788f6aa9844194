import TestSupport

/// Makes JSON texts of every shape, and breaks them.
struct JSONTextGenerator {
  var random: SplitMix64
  private var text: [UInt8] = []

  init(random: SplitMix64) { self.random = random }

  /// A well-formed text.
  mutating func document() -> [UInt8] {
    text = []
    whiteSpace()
    value(depth: 0)
    whiteSpace()
    return text
  }

  /// A text with one to four random changes, which may or may not leave it well-formed.
  mutating func mutated(_ document: [UInt8]) -> [UInt8] {
    var result = document
    for _ in 0...random.below(4) { mutate(&result) }
    return result
  }

  private mutating func mutate(_ text: inout [UInt8]) {
    let place = random.below(text.count + 1)
    let end = min(text.count, place + 1 + random.below(random.oneIn(4) ? 20 : 3))
    switch random.below(8) {
    case 0: text.removeSubrange(place..<end)
    case 1: text.insert(contentsOf: text[place..<end], at: random.below(text.count + 1))
    case 2: if place < text.count { text[place] = UInt8(truncatingIfNeeded: random.next()) }
    case 3: if place < text.count { text[place] ^= 1 << UInt8(random.below(8)) }
    case 4: text.removeSubrange((random.oneIn(3) ? place : end)...)
    case 5: text.replaceSubrange(place..<end, with: random.pick(Self.fragments))
    default: text.insert(contentsOf: random.pick(Self.fragments), at: place)
    }
  }

  private mutating func value(depth: Int) {
    switch random.below(depth > 5 ? 7 : 10) {
    case 0: append(random.pick(["null", "true", "false"]))
    case 1...3: number()
    case 4...6: string()
    case 7: array(depth: depth)
    default: object(depth: depth)
    }
  }

  private mutating func array(depth: Int) {
    append("[")
    whiteSpace()
    for index in 0..<random.below(6) {
      if index > 0 { separator(",") }
      value(depth: depth + 1)
    }
    whiteSpace()
    append("]")
  }

  private mutating func object(depth: Int) {
    append("{")
    whiteSpace()
    let count = random.below(random.oneIn(30) ? 40 : 6)
    for index in 0..<count {
      if index > 0 { separator(",") }
      // Mostly different keys: an index in front.
      if random.oneIn(20) {
        string()
      } else {
        append(#""\#(index)"#)
        for _ in 0..<random.below(3) { append(random.pick(Self.characters)) }
        append("\"")
      }
      separator(":")
      value(depth: depth + 1)
    }
    whiteSpace()
    append("}")
  }

  private mutating func number() {
    if random.oneIn(4) {
      append(random.pick(Self.numbers))
      return
    }
    let isNegative = random.oneIn(3)
    if isNegative { append("-") }
    append(String(random.next() >> UInt64((isNegative ? 1 : 0) + random.below(63))))
    if random.oneIn(3) { append(".\(random.next() >> UInt64(random.below(64)))") }
    if random.oneIn(4) {
      append(random.pick(["e", "E", "e+", "E-", "e-"]))
      append(String(random.below(random.oneIn(3) ? 400 : 20)))
    }
  }

  private mutating func string() {
    append("\"")
    for _ in 0..<random.below(random.oneIn(5) ? 40 : 6) { append(random.pick(Self.characters)) }
    append("\"")
  }

  private mutating func separator(_ mark: String) {
    whiteSpace()
    append(mark)
    whiteSpace()
  }

  private mutating func whiteSpace() {
    guard random.oneIn(3) else { return }
    append(random.pick([" ", "\n", "\r\n", "\t", "\r", "\n          ", "  \n\n "]))
  }

  private mutating func append(_ piece: String) { text.append(contentsOf: piece.utf8) }

  /// The content between quotes, as written.
  static let characters = [
    "a", "b", "name", "0", " ", "/", "é", "ß", "€", "語", "😀", "\u{7F}", "\u{2028}", "\u{FEFF}",
    "\u{E000}", "\u{10FFFF}", #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#,
    #"\u0000"#, #"\u001f"#, #"\u00e9"#, #"\u20AC"#, #"\ud83d\ude00"#, #"\uDBFF\uDFFF"#, #"\uFFFF"#,
    #"\ud836\udc00"#, "\u{1D800}",
    "<", "&", "'", "[", "}", ":", "e\u{301}",
  ]

  static let numbers = [
    "0", "-0", "1", "-1", "0.0", "-0.0", "0e0", "-0e-0", "0.1", "1e5", "1E+05", "1e-7", "5e-324",
    "2e-324", "1.7976931348623157e308", "1e400", "-1e400", "9007199254740993",
    "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "18446744073709551615",
    "0.1000000000000000055511151231257827021181583404541015625",
    "123456789012345678901234567890e-5",
    "1e999999999999999999999",
  ]

  /// The fragments that mutations insert: pieces that are wrong somewhere, and bytes that are wrong
  /// everywhere.
  static let fragments: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "-", "+", ".", "e", "E", "1.", ".5", "00",
      "01",
      "-01", "1e", "1e+", "--1", "NaN", "nan", "Infinity", "-Infinity", "inf", "null", "Null",
      "TRUE",
      "true", "nul", "/**/", "//x\n", "'a'", "\t", "\r", "\n", "\u{0}", "\u{1}", "\u{1F}", "\u{B}",
      "\u{C}", " ", "\u{A0}", "\u{2028}", "\u{FEFF}", #"\ud800"#, #"\udc00"#, #"\ud800\u0041"#,
      #"\u12"#, #"\u12G4"#, #"\x"#, #"\a"#, #"\'"#, #"\U0041"#, "99999999999999999999",
      "18446744073709551616", "-9223372036854775809", "[[[[[[[[", #"{"a":1,"a":2}"#,
      #"{"a":1,"\u0061":2}"#, #"{"a\u0000b":1,"a":2}"#, #"{"":0,"":1}"#, "<<<<<<< a\n", "=======\n",
      "[1,]", "{,}", #"{"a":1,}"#, #"{"a"}"#, "{1:2}", "{'a':1}", "{'", "',", "':", "0x10", "1_000",
      "undefined", "\u{1B}[31m",
    ].map { Array($0.utf8) } + [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF],
      [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ]
}
