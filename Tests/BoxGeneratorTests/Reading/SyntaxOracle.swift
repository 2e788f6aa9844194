import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program in Tests/Packages/SyntaxOracle, which reads sources with swift-syntax.
struct SyntaxOracle {
  /// An answer of the program.
  enum Answer: Hashable {
    /// The dump of the declarations.
    case dump(String)
    /// The source is not correct Swift: the place of the first mistake, as text.
    case error(String)
  }

  /// The path in `BOXJOINT_SYNTAX_ORACLE`; nil if the variable is missing or empty.
  static let path: String? = getenv("BOXJOINT_SYNTAX_ORACLE").map { String(cString: $0) }
    .flatMap { $0.isEmpty ? nil : $0 }

  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    guard let path = Self.path else { throw TestFailure("the oracle is not built") }
    self.path = path
    directory = try TemporaryDirectory()
  }

  /// The answers to some sources, in their order.
  ///
  /// - Throws: ``TestFailure`` if the program fails, or does not answer as it should.
  func answers(to sources: [[UInt8]]) async throws -> [Answer] {
    try directory.write(
      sources.flatMap { Array("\($0.count)\n".utf8) + $0 }, to: "sources")
    let run = try await ProcessRun.of(
      "sh", ["-c", "exec \"$0\" < \"$1\"", path, directory.path(of: "sources")])
    guard run.status == 0 else {
      throw TestFailure("the oracle ended with \(run.status): \(run.messages)")
    }
    let answers = try Self.parts(of: run.output).map { text in
      text.hasPrefix("error ")
        ? Answer.error(String(text.dropFirst(6).dropLast())) : .dump(text)
    }
    guard answers.count == sources.count else {
      throw TestFailure("the oracle gave \(answers.count) answers to \(sources.count) sources")
    }
    return answers
  }

  /// The texts of an output, each of which is behind a line with its number of bytes.
  private static func parts(of output: [UInt8]) throws -> [String] {
    var result: [String] = []
    var rest = output[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 10),
        let count = Int(String(decoding: rest[..<end], as: UTF8.self)),
        rest.endIndex - end - 1 >= count
      else { throw TestFailure("the output of the oracle is cut off") }
      result.append(String(decoding: rest[(end + 1)...].prefix(count), as: UTF8.self))
      rest = rest[(end + 1 + count)...]
    }
    return result
  }
}
