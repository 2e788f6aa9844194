import SwiftParser
import SwiftSyntax

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The peer of `scripts/bench generate`: parses the files that it is given with swift-syntax, and does nothing
/// with them.
@main
enum SyntaxPeer {
  static func main() {
    var count = 0
    for path in CommandLine.arguments.dropFirst() {
      guard let file = fopen(path, "rb") else {
        print("\(path) cannot be read")
        exit(74)
      }
      defer { fclose(file) }
      fseek(file, 0, SEEK_END)
      var bytes = [UInt8](repeating: 0, count: ftell(file))
      rewind(file)
      let size = fread(&bytes, 1, bytes.count, file)
      let text = String(decoding: bytes[..<size], as: UTF8.self)
      count += Parser.parse(source: text).statements.count
    }
    print(count)
  }
}
