/// The depth of brackets, arguments of types, conditions and interpolations in a source file.
///
/// A parser that calls itself for each of them would end with the program where a file has many thousands.
/// The compiler has a limit too.
package enum SourceNesting {
  /// The number that can be open at once.
  package static let limit = 200

  /// Whether more than the limit are open somewhere in a file.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package static func isTooDeep(_ file: SwiftFile, prefix: String) -> Bool {
    let lexer = SwiftLexer(reading: file.bytes, prefix: prefix, Depth())
    return lexer.isTooDeep || lexer.reader.isTooDeep
  }

  /// Counts what is open; it keeps no texts, which would take longer than the rest.
  private struct Depth: TokenReader {
    private var brackets = 0
    private var arguments = 0
    private var conditions = 0
    private(set) var isTooDeep = false

    mutating func read(
      _ kind: SwiftToken.Kind, _ range: Range<Int>, of bytes: [UInt8], startsLine: Bool
    ) {
      switch kind {
      case .sign: read(sign: bytes[range.lowerBound])
      case .literal, .annotation: arguments = 0
      case .word:
        guard bytes[range.lowerBound] == UInt8(ascii: "#") else { return }
        if bytes[range].elementsEqual("#if".utf8) { conditions += 1 }
        if bytes[range].elementsEqual("#endif".utf8) { conditions -= 1 }
      }
      if max(brackets, arguments, conditions) > limit { isTooDeep = true }
    }

    private mutating func read(sign: UInt8) {
      switch sign {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: "}"):
        brackets -= 1
        arguments = 0
      // An operator counts as arguments do, but no statement has so many.
      case UInt8(ascii: "<"): arguments += 1
      case UInt8(ascii: ">"): arguments -= 1
      case UInt8(ascii: "="), UInt8(ascii: ";"): arguments = 0
      default: break
      }
    }
  }
}
