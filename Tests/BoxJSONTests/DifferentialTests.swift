import BoxJSON
import TestSupport
import Testing

/// The scanner and json-c agree, but for a written list.
struct DifferentialTests {
  /// The errors of texts that json-c 0.16, strict and validating UTF-8, takes, with examples.
  ///
  /// That is the whole list. Beyond it, json-c cuts keys at a NUL and takes some escaped
  /// scalars for surrogates, and ``JSONCOracle`` knows both.
  static let departures: [JSONError.Code: [[UInt8]]] = [
    // The last one wins, in the place of the first one.
    .duplicateKey: [Array(#"{"a":1,"a":2}"#.utf8), Array(#"{"a":1,"\u0061":2}"#.utf8)],
    // It becomes the nearest one that there is.
    .integerOutOfRange: [Array("18446744073709551616".utf8), Array("-9223372036854775809".utf8)],
    .notANumber: ["NaN", "[NaN]", "Infinity", "-Infinity"].map { Array($0.utf8) },
    .leadingZero: ["00", "-00", "[00]", "01.5"].map { Array($0.utf8) },
    .invalidNumber: ["1.", "[1.]", "-1.", "-.1", "-.0e1"].map { Array($0.utf8) },
    // It becomes U+FFFD.
    .loneSurrogate: [#""\ud800""#, #""\udc00""#, #""\ud800\u0041""#].map { Array($0.utf8) },
    .controlCharacter: ["\"\u{1}\"", "\"\t\"", "\"\n\""].map { Array($0.utf8) },
    // A key in single quotes, which strictness refuses for values only.
    .unexpectedCharacter: [#"{'a':1}"#, #"{"a":1, '':2}"#].map { Array($0.utf8) },
    // Markers inside of a string that goes on over lines.
    .conflictMarkers: [Array("\"\n<<<<<<< ours\n\"".utf8)],
    .invalidUTF8: [
      [0x22, 0xE0, 0x80, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
    ],
  ]

  @Test(
    .promise(3), .enabled(if: JSONCOracle.version == "0.16"),
    arguments: departures.sorted { "\($0)" < "\($1)" })
  func departsFromJSONC(code: JSONError.Code, texts: [[UInt8]]) {
    let oracle = JSONCOracle()
    for text in texts {
      #expect(oracle.compare(text, with: nil).taken, "\(text)")
      #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
      #expect(error(of: text)?.code == code)
    }
  }

  /// Whether the place of an error shows the defect, looked at without the scanner.
  private func isEvident(_ error: JSONError, in text: [UInt8]) -> Bool {
    let rest = text[error.offset...]
    func starts(_ pattern: String) -> Bool { rest.starts(with: pattern.utf8) }
    switch error.code {
    case .duplicateKey:
      return starts("\"")
    case .integerOutOfRange:
      let digits = String(decoding: rest.prefix { "-0123456789".utf8.contains($0) }, as: UTF8.self)
      return Int64(digits) == nil && UInt64(digits) == nil
    case .notANumber:
      return starts("NaN") || starts("Infinity") || starts("-Infinity")
    case .leadingZero:
      return starts("0") && "0123456789".utf8.contains(rest.dropFirst().first ?? 0)
    case .invalidNumber:
      let before = text[..<error.offset].last
      return before == UInt8(ascii: ".") || before == UInt8(ascii: "-") && starts(".")
    case .loneSurrogate:
      let digits = String(decoding: rest.dropFirst(2).prefix(4), as: UTF8.self)
      return starts("\\u") && UInt16(digits, radix: 16).map { 0xD800...0xDFFF ~= $0 } == true
    case .controlCharacter:
      return (rest.first ?? 0x20) < 0x20
    case .unexpectedCharacter:
      let before = text[..<error.offset].last { !" \t\r\n".utf8.contains($0) }
      return starts("'") && (before == UInt8(ascii: "{") || before == UInt8(ascii: ","))
    case .conflictMarkers:
      return ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains { starts($0) }
    case .invalidUTF8:
      return String(validating: text, as: UTF8.self) == nil
    default:
      return false
    }
  }

  private func error(of text: [UInt8]) -> JSONError? {
    do throws(JSONError) {
      _ = try JSONDocument(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  /// Compares one text; gives a description of what is not on the list.
  private func disagreement(
    _ text: [UInt8], _ oracle: JSONCOracle, _ counts: inout [String: Int]
  ) -> String? {
    var document: JSONDocument?
    var failure: JSONError?
    do throws(JSONError) {
      document = try JSONDocument(parsing: text)
    } catch {
      failure = error
    }
    let (taken, difference) = oracle.compare(text, with: document)
    counts[
      (failure.map { "\($0.code)" } ?? "taken") + (taken ? ", taken by json-c" : ""), default: 0] +=
      1
    if let difference { return "json-c has another value for \(difference)" }
    if let failure, taken, Self.departures[failure.code] == nil || !isEvident(failure, in: text) {
      return "json-c takes a text with \(failure.code)"
    }
    if failure == nil, !taken { return "json-c refuses the text" }
    return nil
  }

  @Test func agreesOnGeneratedTexts() {
    var generator = JSONTextGenerator(random: TestSeed.next())
    let count = TestSeed.count("BOXJOINT_SOAK_DOCUMENTS", default: 20_000)
    let oracle = JSONCOracle()
    var counts: [String: Int] = [:]
    var failures = 0
    for index in 0..<count {
      var text = generator.document()
      if index % 3 > 0 {
        text = generator.mutated(text)
      } else if let error = error(of: text), error.code != .duplicateKey {
        Issue.record("\(error) in a well-formed text \(text)")
      }
      guard let found = disagreement(text, oracle, &counts) else { continue }
      failures += 1
      if failures <= 20 {
        Issue.record("\(found): \(String(decoding: text, as: UTF8.self).debugDescription) \(text)")
      }
    }
    #expect(failures == 0)
    for (outcome, number) in counts.sorted(by: { $0.value > $1.value }) { print(number, outcome) }
  }

  @Test func agreesOnAllShortTexts() {
    let pieces: [[UInt8]] =
      [
        "[", "]", "{", "}", ",", ":", "\"", "0", "1", "-", "+", ".", "e", "\\", "\\ud83d",
        "\\ude00",
        "\"a\"", "null", "Infinity", " ", "\n", "\u{0}", "\t", "/", "'", "'a'", "\u{1F}",
      ].map { Array($0.utf8) } + [[0xC3], [0xA9], [0xF0], [0xEF, 0xBB, 0xBF]]
    let oracle = JSONCOracle()
    var counts: [String: Int] = [:]
    var failures = 0
    func extend(_ text: [UInt8], by more: Int, in frame: ([UInt8], [UInt8])) {
      let whole = frame.0 + text + frame.1
      if let found = disagreement(whole, oracle, &counts) {
        failures += 1
        if failures <= 20 {
          Issue.record("\(found): \(String(decoding: whole, as: UTF8.self).debugDescription)")
        }
      }
      guard more > 0 else { return }
      for piece in pieces { extend(text + piece, by: more - 1, in: frame) }
    }
    let frames = [
      ("", ""), ("[", "]"), ("\"", "\""), ("{\"a\":", "}"), ("{\"", "\":1}"), ("{", ":1}"),
      ("[1", "]"), ("{\"a\"", "1}"), ("{\"a\":1", "}"), ("\"\\u00", "\""), ("\"\\", "\""),
    ]
    for (start, end) in frames {
      extend([], by: 3, in: (Array(start.utf8), Array(end.utf8)))
    }
    #expect(failures == 0)
  }
}
