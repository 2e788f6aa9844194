import BoxModel
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Our records and those of the reference implementation are read by each other.
///
/// `scripts/test` sets the variable: the Python that has `flatbuffers`.
@Suite(.enabled(if: FlatBuffersReference.python != nil, "scripts/test installs it"))
struct FlatBuffersTests {
  private static let records = TestSeed.count("BOXJOINT_SOAK_FLATBUFFERS", default: 1500)

  /// Runs scripts/flatbuffers-peer.py with the lines of an input; the lines that it prints.
  private func reference(_ arguments: [String], _ input: [String] = []) async throws -> [Substring]
  {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let run = try await ProcessRun.of(
      try #require(FlatBuffersReference.python),
      ["\(root)/scripts/flatbuffers-peer.py"] + arguments,
      input: Array(input.map { $0 + "\n" }.joined().utf8))
    if run.status != 0 { throw TestFailure(run.messages) }
    return run.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  private func names(_ types: [SlotType?]) -> String {
    types.isEmpty ? "." : types.map { $0.map { "\($0)" } ?? "-" }.joined(separator: ",")
  }

  @Test func theReferenceReadsOurRecords() async throws {
    var random = TestSeed.next()
    var lines: [String] = []
    var expected: [String] = []
    for _ in 0..<Self.records {
      let layout = RecordLayout(RecordSamples.layout(&random))
      let values = RecordSamples.values(layout.types, &random)
      let record = try RecordSamples.record(1, layout, values)
      lines.append("\(names(layout.types)) \(RecordSamples.hexadecimal(record.dropFirst(4)))")
      expected.append(RecordSamples.text(values))
    }
    let read = try await reference(["read"], lines)
    #expect(read.count == expected.count)
    for (actual, expected) in zip(read, expected) { #expect(actual == expected) }
  }

  @Test func weReadTablesOfTheReference() async throws {
    let lines = try await reference(["write", "\(TestSeed.value())", "\(Self.records)"])
    #expect(lines.count == Self.records)
    let types = Dictionary(uniqueKeysWithValues: RecordSamples.types.map { ("\($0)", $0) })
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      let layout = parts[0] == "." ? [] : parts[0].split(separator: ",").map { types[String($0)] }
      let reader = RecordReader(RecordLayout(layout))
      let text = RecordSamples.bytes(hexadecimal: parts[1]).withUnsafeBytes { buffer in
        do throws(RecordDamage) {
          let view = try reader.structure(of: buffer)
          return withExtendedLifetime(reader) {
            RecordSamples.text(RecordSamples.values(view, layout))
          }
        } catch {
          return "\(error)"
        }
      }
      #expect(text == parts[2])
    }
  }
}

private enum FlatBuffersReference {
  static let python = getenv("BOXJOINT_FLATBUFFERS_PYTHON").map { String(cString: $0) }
}
