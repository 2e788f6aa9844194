import SwiftParser
import SwiftSyntax

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads sources from standard input and writes a text for each of them to standard output, every one of
/// them after a line with its number of bytes.
///
/// The text is the dump of the declarations, or `error LINE:COLUMN` for a source that is not correct Swift.
@main
enum SyntaxOracle {
  static func main() {
    // A parser that calls itself takes more than the stack of a usual thread where brackets are deep.
    run(stack: 512 << 20) {
      guard let sources = sources(in: input()) else {
        write("SyntaxOracle: the input is not a sequence of sources\n".utf8, to: 2)
        exit(65)
      }
      var output: [UInt8] = []
      for source in sources {
        let text = answer(to: source).utf8
        output += "\(text.count)\n".utf8
        output += text
      }
      exit(write(output, to: 1) ? 0 : 74)
    }
  }

  private static func answer(to source: [UInt8]) -> String {
    if String(validating: source, as: UTF8.self) == nil { return "error 1:1\n" }
    let file = FileSource(path: "A.swift", bytes: source, prefix: "objectbox")
    let tree = source.withUnsafeBufferPointer {
      Parser.parse(source: $0, maximumNestingLevel: 256)
    }
    if tree.hasError {
      let place = file.place(ofErrorIn: tree)
      return "error \(place.line):\(place.column)\n"
    }
    let visitor = DeclarationVisitor(file)
    visitor.walk(tree)
    return DeclarationDump(visitor.found).text
  }

  /// The sources, each after a line with its number of bytes; nil if a number or a byte is missing.
  private static func sources(in input: [UInt8]) -> [[UInt8]]? {
    var result: [[UInt8]] = []
    var rest = input[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
        let count = Int(String(decoding: rest[..<end], as: UTF8.self)), count >= 0,
        rest.endIndex - end - 1 >= count
      else { return nil }
      let start = end + 1
      result.append(Array(rest[start..<start + count]))
      rest = rest[(start + count)...]
    }
    return result
  }

  private static func input() -> [UInt8] {
    var result: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(0, &part, part.count)
      if count <= 0 { return result }
      result += part[..<count]
    }
  }

  /// Writes bytes to a descriptor; false if that fails.
  @discardableResult
  private static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func systemWrite(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Darwin)
      Darwin.write(descriptor, bytes, count)
    #endif
  }

  /// Runs a function on a thread with a stack of so many bytes, and waits for it.
  private static func run(stack: Int, _ function: @escaping () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stack)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let body = Body(function)
    let context = Unmanaged.passRetained(body).toOpaque()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        #if canImport(Darwin)
          Unmanaged<Body>.fromOpaque(context).takeRetainedValue().function()
        #else
          if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().function() }
        #endif
        return nil
      }, context)
    guard status == 0 else {
      write("SyntaxOracle: there is no thread with a stack of \(stack) bytes\n".utf8, to: 2)
      exit(71)
    }
    #if canImport(Darwin)
      if let thread { pthread_join(thread, nil) }
    #else
      pthread_join(thread, nil)
    #endif
  }

  /// A function as an object, which the thread is given.
  private final class Body {
    let function: () -> Void
    init(_ function: @escaping () -> Void) { self.function = function }
  }
}
