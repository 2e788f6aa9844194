/// Model files that Swift code holds byte for byte, as `StoreModel(json: #"""…"""#)`.
package enum EmbeddedModel {
  /// The model files in Swift code, each with its line.
  ///
  /// - Complexity: O(*n*) in the size of the code.
  package static func files(in bytes: [UInt8]) -> [(line: Int, bytes: [UInt8])] {
    let reader = CodeReader(bytes, .swift)
    var result: [(line: Int, bytes: [UInt8])] = []
    for position in reader.tokens.indices where reader.word(position) == "StoreModel" {
      guard reader.isMark(position + 1, "("), reader.word(position + 2) == "json",
        reader.isMark(position + 3, ":"), reader.tokens.indices.contains(position + 4)
      else { continue }
      let token = reader.tokens[position + 4]
      guard token.kind == .text, token.quotes == 3 else { continue }
      let content = reader.content(of: token)
      guard let file = text(of: content, hashes: Int(token.rawness)) else { continue }
      result.append((reader.line(of: position), file))
    }
    return result
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
