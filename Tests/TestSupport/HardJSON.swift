/// Makes JSON texts whose numbers no type of number holds, and the same texts in other spellings.
public struct HardJSON: Sendable {
  /// The spelling of a text.
  public enum Spelling: CaseIterable, Sendable {
    /// Without white space, with an escape only where there has to be one, and the shortest.
    case usual
    /// With white space between the tokens, round the whole text at least.
    case spaced
    /// With escapes where there have to be none, one in the text at least.
    case escaped
  }

  private var random: SplitMix64
  /// For what a spelling adds, so that the text of one seed says the same in every spelling.
  private var noise: SplitMix64
  private let spelling: Spelling
  private var text = ""

  private init(seed: UInt64, _ spelling: Spelling) {
    random = SplitMix64(seed: seed)
    noise = SplitMix64(seed: ~seed)
    self.spelling = spelling
  }

  /// An array or an object; texts of one seed differ by their spelling only.
  public static func text(seed: UInt64, _ spelling: Spelling = .usual) -> String {
    var maker = HardJSON(seed: seed, spelling)
    maker.addSpace(atLeast: 1)
    // One text in fifty is deep, though not too deep.
    let depth = maker.random.oneIn(50) ? maker.random.below(112) : 0
    for _ in 0..<depth { maker.add("[") }
    maker.addContainer(depth: 0)
    for _ in 0..<depth { maker.add("]") }
    return maker.text
  }

  /// Numbers of RFC 8259 that are hard to keep.
  public static let numbers = [
    "1.10", "12345678901234567890123", "1e400", "-1e400", "-0", "-0.0", "0.0", "0e0", "0E-0",
    "-0e+00",
    "1.0", "1.00", "1E5", "1e5", "1e05", "1e+5", "100000.0", "1e16", "1e-400", "0.1", "0.10",
    "1e-05",
    "18446744073709551615", "18446744073709551616", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "9007199254740993", "9007199254740993.0", "0.30000000000000004",
    "0.3000000000000000444", "5e-324", "2e-324", "1.7976931348623157e308",
    "1.7976931348623157e+308",
    "1.7976931348623159e308", "0", "7", "-1", "2.5",
  ]

  /// A number of RFC 8259: one of ``numbers``, or of any length.
  public static func number(_ random: inout SplitMix64) -> String {
    if random.oneIn(2) { return random.pick(numbers) }
    func digits(_ limit: Int) -> String {
      let count = 1 + random.below(random.oneIn(20) ? 400 : limit)
      return String((0..<count).map { _ in random.pick(Array("0123456789")) })
    }
    var number = random.oneIn(3) ? "-" : ""
    number +=
      random.oneIn(4) ? "0" : random.pick(["1", "2", "9"]) + (random.oneIn(3) ? "" : digits(24))
    if random.oneIn(2) { number += "." + digits(20) }
    if random.oneIn(3) {
      number += random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + digits(3)
    }
    return number
  }

  /// Texts that are not JSON, or that no JSON text tells from others: keys that are there twice.
  public static func malformed(_ random: inout SplitMix64) -> String {
    let text = text(seed: random.next())
    switch random.below(4) {
    case 0: return String(text.dropLast())
    case 1: return #"{"a":\#(number(&random)),"\u0061":1}"#
    case 2:
      let depth = 121 + random.below(80)
      return String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    default:
      return random.pick([
        "", " ", "01", "[1.]", "[.5]", "[+1]", "[1e]", "NaN", "[Infinity]", "{'a':1}", "[1,]",
        "\u{FEFF}[]",
        #"["\ud800"]"#, "[\"\u{1}\"]", "[1] 2", "nul", #"{"a" 1}"#, "[--1]", "[0x10]", "[1_000]",
      ])
    }
  }

  private mutating func add(_ token: String) {
    text += token
    addSpace(atLeast: 0)
  }

  private mutating func addSpace(atLeast count: Int) {
    if spelling != .spaced { return }
    for _ in 0..<count + noise.below(2) { text += noise.pick([" ", "\n", "\t", "\r\n"]) }
  }

  private mutating func addContainer(depth: Int) {
    let isObject = random.oneIn(2)
    add(isObject ? "{" : "[")
    let count = random.below(depth == 0 ? 6 : 4)
    for index in 0..<count {
      if index > 0 { add(",") }
      if isObject {
        addString("\(index)")
        add(":")
      }
      addValue(depth: depth + 1)
    }
    add(isObject ? "}" : "]")
    // Somewhere an escape has to be.
    if depth == 0, spelling == .escaped {
      text.removeLast()
      if count > 0 { text += "," }
      text += isObject ? #""\u006c":0}"# : #""\u006c"]"#
    }
  }

  private mutating func addValue(depth: Int) {
    switch random.below(depth < 5 ? 8 : 6) {
    case 0: add(random.pick(["null", "true", "false"]))
    case 1: addString("")
    case 2...5: add(Self.number(&random))
    default: addContainer(depth: depth)
    }
  }

  /// A string that begins with a text; what begins with different digits is different.
  private mutating func addString(_ start: String) {
    var string = start + (start.isEmpty ? "" : " ")
    for _ in 0..<random.below(4) {
      let (usual, escaped) = random.pick(Self.pieces)
      string += spelling == .escaped && noise.oneIn(3) ? escaped : usual
    }
    add("\"\(string)\"")
  }

  /// Parts of strings, as they are written and as they can be written too.
  private static let pieces = [
    ("a", #"\u0061"#), ("é", #"\u00e9"#), ("e\u{301}", #"e\u0301"#), ("😀", #"\ud83d\ude00"#),
    ("/", #"\/"#), (#"\""#, #"\u0022"#), (#"\\"#, #"\u005c"#), (#"\n"#, #"\u000a"#),
    (#"\b"#, #"\u0008"#),
    (#"\u0000"#, #"\u0000"#), (#"\u001f"#, #"\u001F"#), ("\u{7F}", #"\u007f"#),
    ("\u{2028}", #"\u2028"#),
    ("1.10", #"1\u002e10"#), ("raw", "raw"), ("[{", "[{"), (" , ", " , "),
  ]
}
