import TestSupport
import Testing

@testable import BoxDump

#if canImport(Glibc)
  import Glibc
#endif

/// Dumps in an order in which none is written, and files that are none.
@Suite struct DumpReadingTests {
  /// However often the entity changes from line to line, there is one total of each.
  @Test func linesOfOneEntityNeedNotBeTogether() throws {
    var random = TestSeed.next()
    for run in 0..<20 {
      let names = ["A", "B", "C"]
      var dump = HandmadeDump(
        names.enumerated().map { number, name in
          HandmadeDump.Entity(
            name: name, uid: number + 1,
            relations: [.init(name: "r", uid: number + 11, target: 1)])
        })
      for number in 1..<1 + random.below(200) {
        let name = random.pick(names)
        let targets = (1...1 + random.below(3)).map(String.init).joined(separator: ",")
        dump.lines.append(
          random.oneIn(3)
            ? .init(
              section: name + ".r", json: #"{"source":\#(number),"targets":[\#(targets)]}"#,
              isEntry: true)
            : .init(section: name, json: #"{"id":\#(number)}"#))
      }
      let directory = try TemporaryDirectory()
      let whole = try dump.write(to: "whole", in: directory)
      let report = try DumpVerifier.verify(whole.path, isDirectory: false)
      #expect(report.problems.isEmpty, "run \(run)")
      #expect(report.totals == dump.totals, "run \(run)")
      // Without the last line there is nothing but what was counted.
      dump.hasEnd = false
      let cut = try dump.write(to: "cut", in: directory)
      let counted = try DumpVerifier.verify(cut.path, isDirectory: false).totals
      let (expected, found) = (counts(dump.totals), counts(counted))
      #expect(found == expected, "run \(run)")
      #expect(counted.entities.count + counted.relations.count == found.count, "run \(run)")
    }
  }

  /// The counts of each entity and relation that is not empty.
  private func counts(_ totals: DumpTotals) -> [String: Int] {
    var counts: [String: Int] = [:]
    for total in totals.entities where total.objects > 0 { counts[total.name] = total.objects }
    for total in totals.relations where total.sources > 0 {
      counts[total.name] = 1000 * total.sources + total.targets
    }
    return counts
  }

  #if os(Linux)
    @Test func unreadableFilesAreClosed() throws {
      let directory = try TemporaryDirectory()
      // A directory can be opened and not be read.
      #expect(throws: DumpError.self) {
        try DumpInput.dump(directory.path, isDirectory: false, DecompressionLimits())
      }
      #expect(descriptors(of: directory.path, directory) == 0)
      try directory.write([0x1F, 0x8B, 0xFF, 0xFF, 0xFF, 0xFF], to: "damaged")
      #expect(throws: DumpError.self) { try DumpInput(path: directory.path(of: "damaged")) }
      #expect(descriptors(of: directory.path(of: "damaged"), directory) == 0)
      try directory.write("{}", to: "text")
      let input = try DumpInput(path: directory.path(of: "text"))
      #expect(descriptors(of: directory.path(of: "text"), directory) == 1)
      withExtendedLifetime(input) {}
    }

    /// The number of descriptors of this process for a file.
    private func descriptors(of path: String, _ directory: TemporaryDirectory) -> Int {
      directory.names(in: "/proc/self/fd").filter { name in
        var target = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/" + name, &target, 4096)
        let bytes = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self) == path
      }.count
    }
  #endif
}
