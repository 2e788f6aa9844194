import BoxSources
import TestSupport
import Testing

@testable import BoxGenerator

/// The declarations that the generator and the oracle find in the same sources.
struct ReaderComparison {
  /// The relation of the two.
  enum Verdict: Hashable {
    /// They have the same declarations.
    case same
    /// Both of them say that the source is not correct.
    case bothRefuse
    /// The oracle has an error, and the generator has declarations: the place of the error.
    case onlyOracleRefuses(String)
    /// The generator has a finding, and the oracle has declarations: the finding.
    case onlyGeneratorRefuses(String)
    /// The declarations are different: the first lines that are.
    case different(String)
  }

  private let oracle: SyntaxOracle

  init() throws { oracle = try SyntaxOracle() }

  /// The verdicts on some sources, in their order.
  func verdicts(on sources: [[UInt8]]) async throws -> [Verdict] {
    try await zip(sources, oracle.answers(to: sources)).map { Self.verdict(on: $0, $1) }
  }

  private static func verdict(on source: [UInt8], _ answer: SyntaxOracle.Answer) -> Verdict {
    let file = ParsedFile(SwiftFile(path: "A.swift", bytes: source), prefix: "objectbox")
    switch (file.findings.first, answer) {
    case (_?, .error): return .bothRefuse
    case (nil, .error(let place)): return .onlyOracleRefuses(place)
    case (let finding?, .dump): return .onlyGeneratorRefuses("\(finding)")
    case (nil, .dump(let expected)):
      let dump = DeclarationDump(file.declarations).text
      return dump == expected ? .same : .different(difference(dump, expected))
    }
  }

  /// The first lines that are different, with the lines before them that they belong to.
  private static func difference(_ dump: String, _ expected: String) -> String {
    let ours = dump.split(separator: "\n")
    let theirs = expected.split(separator: "\n")
    let first = zip(ours, theirs).prefix { $0 == $1 }.count
    // The lines before it that are indented less say what it is part of.
    var around: [Substring] = []
    var depth = Self.indentation([theirs, ours].compactMap { $0[first...].first }.first ?? "")
    for line in theirs[..<first].reversed() where Self.indentation(line) < depth {
      around.insert(line, at: 0)
      depth = Self.indentation(line)
    }
    let lines =
      around.map { "  \($0)" } + theirs[first...].prefix(4).map { "- \($0)" }
      + ours[first...].prefix(4).map { "+ \($0)" }
    return lines.joined(separator: "\n")
  }

  private static func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

  /// A source with the same kind of verdict from which no more lines can be taken, and its verdict.
  func shortened(_ source: [UInt8], _ verdict: Verdict) async throws -> ([UInt8], Verdict) {
    var best = (source, verdict)
    while true {
      let candidates = Self.shorter(best.0)
      let verdicts = try await verdicts(on: candidates)
      let fitting = zip(candidates, verdicts).filter { $1.kind == verdict.kind }
      guard let next = fitting.min(by: { $0.0.count < $1.0.count }) else { return best }
      best = next
    }
  }

  /// The source without some of its lines: half of them, a quarter, and so on to single ones.
  private static func shorter(_ source: [UInt8]) -> [[UInt8]] {
    let lines = source.split(separator: 10, omittingEmptySubsequences: false)
    var result: [[UInt8]] = []
    var size = lines.count / 2
    while size > 0 {
      for start in stride(from: 0, to: lines.count, by: max(1, size / 2)) {
        let rest = lines[..<start] + lines[min(start + size, lines.count)...]
        result.append(Array(rest.joined(separator: [10])))
      }
      size /= 2
    }
    return result
  }
}

extension ReaderComparison.Verdict {
  /// The name of the case.
  var kind: String {
    switch self {
    case .same: "same declarations"
    case .bothRefuse: "both refuse"
    case .onlyOracleRefuses: "only the oracle refuses"
    case .onlyGeneratorRefuses: "only the generator refuses"
    case .different: "different declarations"
    }
  }

  /// A text that is the same for verdicts that probably have the same cause: without names and numbers.
  var cause: String {
    let lines = details.split(separator: "\n")
    let changed = [lines.first { $0.hasPrefix("-") }, lines.first { $0.hasPrefix("+") }]
    return ([kind] + (lines.count > 1 ? changed.compactMap(\.self) : lines).map(String.init))
      .map { $0.prefix { $0 != "\"" && !$0.isNumber } }.joined(separator: "\n")
  }

  /// The reason, for a message.
  var details: String {
    switch self {
    case .same, .bothRefuse: ""
    case .onlyOracleRefuses(let text), .onlyGeneratorRefuses(let text), .different(let text): text
    }
  }
}
