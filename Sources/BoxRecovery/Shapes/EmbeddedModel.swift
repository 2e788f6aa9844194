package import BoxModel

/// A model file that Swift code holds byte for byte, as `StoreModel(json: #"""…"""#)`.
package struct EmbeddedModel: Hashable, Sendable {
  /// The line of the code.
  package var line: Int
  package var bytes: [UInt8]
  /// The expressions for properties that are not optional, by UID; nil in code that states none.
  package var constants: [UID: String]?
  /// The properties whose constant is zero, false or empty.
  package var zeros: Set<UID> = []
  /// The file of rules for removals; nil in code that has none.
  package var rules: [UInt8]?

  /// The model files in Swift code.
  ///
  /// - Complexity: O(*n*) in the size of the code.
  package static func files(in bytes: [UInt8]) -> [EmbeddedModel] {
    let reader = CodeReader(bytes, .swift)
    var result: [EmbeddedModel] = []
    for position in reader.tokens.indices where reader.word(position) == "StoreModel" {
      guard reader.isMark(position + 1, "("), reader.word(position + 2) == "json",
        reader.isMark(position + 3, ":"), reader.tokens.indices.contains(position + 4)
      else { continue }
      let token = reader.tokens[position + 4]
      guard token.kind == .text, token.quotes == 3 else { continue }
      let content = reader.content(of: token)
      guard let file = text(of: content, hashes: Int(token.rawness)) else { continue }
      var found = EmbeddedModel(line: reader.line(of: position), bytes: file)
      found.readConstants(behind: position + 4, reader)
      result.append(found)
    }
    return result
  }

  /// Reads `, constants: [UID: EXPRESSION, …], zeros: [UID, …]` after a token.
  private mutating func readConstants(behind token: Int, _ reader: CodeReader) {
    guard reader.isMark(token + 1, ","), reader.word(token + 2) == "constants",
      let close = reader.end(ofBracketAt: token + 4)
    else { return }
    constants = [:]
    for entry in reader.elements(from: token + 5, to: close) {
      guard let uid = reader.uid(entry.lowerBound), reader.isMark(entry.lowerBound + 1, ":")
      else { continue }
      constants?[uid] = reader.statedValue(entry.lowerBound + 2..<entry.upperBound)
    }
    guard reader.isMark(close + 1, ","), reader.word(close + 2) == "zeros",
      let end = reader.end(ofBracketAt: close + 4)
    else { return }
    zeros = Set(reader.elements(from: close + 5, to: end).compactMap { reader.uid($0.lowerBound) })
    readRules(behind: end, reader)
  }

  /// Reads `, vectors: […], rules: #"""…"""#` after a token, each of which may be missing.
  private mutating func readRules(behind token: Int, _ reader: CodeReader) {
    var token = token
    if reader.isMark(token + 1, ","), reader.word(token + 2) == "vectors",
      let end = reader.end(ofBracketAt: token + 4)
    {
      token = end
    }
    guard reader.isMark(token + 1, ","), reader.word(token + 2) == "rules",
      reader.isMark(token + 3, ":"), reader.tokens.indices.contains(token + 4)
    else { return }
    let literal = reader.tokens[token + 4]
    guard literal.kind == .text, literal.quotes == 3 else { return }
    rules = Self.text(of: reader.content(of: literal), hashes: Int(literal.rawness))
  }

  /// The value of a literal of several lines: without its indentation, and without the line ends at
  /// both quotes.
  ///
  /// Swift gives it line feeds, also where the lines of the code end with a carriage return before.
  private static func text(of written: ArraySlice<UInt8>, hashes: Int) -> [UInt8]? {
    let content = written.starts(with: [0x0D, 0x0A]) ? withLineFeeds(written) : written
    // An escape would need as many hashes; code of the generator has none.
    let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    if ByteSearch.contains(escape, in: content) { return nil }
    guard content.first == 0x0A, let lastLine = content.lastIndex(of: 0x0A),
      lastLine > content.startIndex || content.count == 1
    else { return nil }
    let indentation = content[(lastLine + 1)...]
    guard indentation.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
    if lastLine == content.startIndex { return [] }
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    let lines = content[(content.startIndex + 1)..<lastLine].split(
      separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if number > 0 { result.append(0x0A) }
      if line.starts(with: indentation) {
        result += line.dropFirst(indentation.count)
      } else if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        return nil
      }
    }
    return result
  }

  private static func withLineFeeds(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      if byte == 0x0A, result.last == 0x0D { result.removeLast() }
      result.append(byte)
    }
    return result[...]
  }
}

extension CodeReader {
  /// The tokens of each element of a list in brackets.
  fileprivate func elements(from start: Int, to end: Int) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var (first, next) = (start, start)
    while next < end {
      if isMark(next, ",") {
        if first < next { result.append(first..<next) }
        first = next + 1
      } else if let close = self.end(ofBracketAt: next) {
        next = close
      }
      next += 1
    }
    if first < end { result.append(first..<end) }
    return result
  }

  fileprivate func uid(_ position: Int) -> UID? {
    guard tokens.indices.contains(position) else { return nil }
    return UID(String(decoding: bytes[tokens[position].range], as: UTF8.self))
  }

  /// The value in an expression that states its type: of `PropertyConstant(5 as Int32)` it is `5`.
  fileprivate func statedValue(_ range: Range<Int>) -> String {
    var (start, end) = (range.lowerBound, range.upperBound)
    if let cast = range.first(where: { word($0) == "as" }), cast > start {
      let open = (start..<cast).last {
        self.end(ofBracketAt: $0).map { $0 > cast } ?? false
      }
      (start, end) = (open.map { $0 + 1 } ?? start, cast)
    }
    guard start < end else { return "" }
    return String(
      decoding: bytes[tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound],
      as: UTF8.self)
  }
}

extension EmbeddedModel {
  /// The facts of the file, which lacks nothing; nil if it is not a model, or has no entities.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  func evidence(source: String) -> Evidence? {
    guard let document = try? ModelDocument(parsing: bytes), !document.model.entities.isEmpty
    else { return nil }
    var evidence = Evidence(source: source, language: nil, model: document.model)
    evidence.isComplete = document.isComplete
    return evidence
  }

  /// Whether Swift code has nothing but literals, names, casts and brackets, and calls of some names.
  ///
  /// - Complexity: O(*n*) in the size of the code.
  package static func isPlain(_ bytes: [UInt8], calling callees: Set<String>) -> Bool {
    let reader = CodeReader(bytes, .swift)
    guard reader.isBalanced, !reader.tokens.isEmpty else { return false }
    var end = 0
    for (position, token) in reader.tokens.enumerated() {
      // A comment would hide what follows.
      guard bytes[end..<Int(token.start)].allSatisfy({ $0 == 0x20 }) else { return false }
      end = Int(token.end)
      switch token.kind {
      case .opaqueText: return false
      case .word, .number, .text: break
      case .mark:
        let mark = bytes[Int(token.start)]
        guard "()[]<>.,?-+".utf8.contains(mark) else { return false }
        guard mark == UInt8(ascii: "("), let callee = reader.word(position - 1), callee != "as"
        else { break }
        if !callees.contains(callee) { return false }
      }
    }
    return end == bytes.count
  }
}
