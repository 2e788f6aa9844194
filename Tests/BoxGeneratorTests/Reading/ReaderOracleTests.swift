import BoxGenerator
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The generator finds in every source what swift-syntax finds in it.
@Suite(.enabled(if: SyntaxOracle.path != nil, "the oracle is not built: scripts/check-reader"))
struct ReaderOracleTests {
  private typealias Verdict = ReaderComparison.Verdict

  /// A source with its name for messages.
  private struct Source {
    var name: String
    var bytes: [UInt8]
  }

  /// A source of which the two do not find the same.
  private struct Failure {
    var source: Source
    var verdict: Verdict
  }

  /// The number of sources that the oracle reads in one run.
  private static let batch = 500

  @Test func generatedSourcesHaveTheSameDeclarations() async throws {
    let seed = TestSeed.value()
    let count = TestSeed.count("BOXJOINT_SOAK_READER", default: 2000)
    let counts = try await compare(count: count) { number in
      let seed = seed &+ UInt64(number)
      return Source(name: "seed \(Self.text(of: seed))", bytes: SourceWriter.source(seed: seed))
    } isAllowed: { verdict in
      switch verdict {
      case .same, .bothRefuse, .onlyOracleRefuses: true
      case .different: false
      // A comment that makes an entity of a statement, which the writer puts anywhere.
      case .onlyGeneratorRefuses(let finding): finding.contains("has the annotation of an entity")
      }
    }
    let refused = counts["both refuse", default: 0] + counts["only the oracle refuses", default: 0]
    #expect(refused <= 1 + count / 100, "the writer makes sources that are not correct")
  }

  @Test func mutatedSourcesHaveTheSameDeclarationsOrAFinding() async throws {
    let seed = TestSeed.value()
    try await compare(count: TestSeed.count("BOXJOINT_SOAK_READER", default: 2000)) { number in
      let seed = seed &+ UInt64(number)
      var random = SplitMix64(seed: ~seed)
      let bytes = SourceMutation.mutated(SourceWriter.source(seed: seed), &random)
      return Source(name: "mutation of seed \(Self.text(of: seed))", bytes: bytes)
    } isAllowed: { verdict in
      if case .different = verdict { false } else { true }
    }
  }

  @Test func realFilesHaveTheSameDeclarations() async throws {
    let paths = try await Self.realFiles()
    #expect(paths.count > 100)
    try await compare(count: paths.count) { number in
      let bytes = try TemporaryDirectory.bytes(ofFile: paths[number])
      // Of a file with bindings there are no declarations.
      return Source(name: paths[number], bytes: Generation.isGenerated(bytes) ? [] : bytes)
    } isAllowed: { verdict in
      switch verdict {
      case .same, .bothRefuse, .onlyOracleRefuses: true
      case .different, .onlyGeneratorRefuses: false
      }
    }
  }

  /// Compares sources in batches, prints how many have which verdict, and records the shortest failures.
  ///
  /// - Returns: The number of sources by the kind of their verdict.
  @discardableResult
  private func compare(
    count: Int, _ test: String = #function, source: (Int) throws -> Source,
    isAllowed: (Verdict) -> Bool
  ) async throws -> [String: Int] {
    let comparison = try ReaderComparison()
    var counts: [String: Int] = [:]
    var failures: [Failure] = []
    for start in stride(from: 0, to: count, by: Self.batch) {
      let sources = try (start..<min(start + Self.batch, count)).map(source)
      for (source, verdict) in zip(sources, try await comparison.verdicts(on: sources.map(\.bytes)))
      {
        counts[verdict.kind, default: 0] += 1
        if !isAllowed(verdict) { failures.append(Failure(source: source, verdict: verdict)) }
      }
    }
    let summary = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("\(test): \(summary.joined(separator: ", "))")
    // Most of them have the same few causes, which are seen best in short sources.
    var causes: Set<String> = []
    for failure in failures.sorted(by: { $0.source.bytes.count < $1.source.bytes.count }) {
      if causes.count < 8, causes.insert(failure.verdict.cause).inserted {
        try await record(failure, comparison)
      }
    }
    let failed = failures.count
    #expect(failed == 0, "\(failed) of \(count) sources")
    return counts
  }

  private func record(_ failure: Failure, _ comparison: ReaderComparison) async throws {
    let (bytes, verdict) = try await comparison.shortened(failure.source.bytes, failure.verdict)
    let text = String(decoding: bytes, as: UTF8.self)
    // White space and letters that look like others are seen in an escaped text.
    let isPlain = bytes.allSatisfy { $0 == 10 || (32..<127).contains($0) }
    let lines = isPlain ? text : "\(text)\n\(text.debugDescription)"
    Issue.record(
      """
      \(failure.source.name): \(verdict.kind) (- oracle, + generator)
      \(verdict.details)
      \(bytes.count <= 4000 ? "The lines that it takes:\n\(lines)" : "")
      """)
  }

  /// `BOXJOINT_SEED` with this seed and `BOXJOINT_SOAK_READER=1` give the same source again.
  private static func text(of seed: UInt64) -> String { "0x\(String(seed, radix: 16))" }

  /// The Swift files of the repository, and of the directories in `BOXJOINT_READER_DIRECTORIES`.
  private static func realFiles() async throws -> [String] {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let others = getenv("BOXJOINT_READER_DIRECTORIES").map { String(cString: $0) } ?? ""
    let directories = ["Package.swift", "Sources", "Tests", "docs", "scripts"].map {
      "\(root)/\($0)"
    }
    let run = try await ProcessRun.of(
      "find",
      ["-H"] + directories + others.split(separator: ":").map(String.init)
        + ["-name", "*.swift", "-type", "f", "-print0"])
    return run.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}
