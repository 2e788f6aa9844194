import BoxJSON
import TestSupport
import Testing

@testable import BoxDump

/// The lookup of the sections of a compared dump.
@Suite struct DiffSectionTests {
  private func dump(_ names: [String], _ filled: [String]) -> HandmadeDump {
    var dump = HandmadeDump(
      names.enumerated().map { HandmadeDump.Entity(name: $1, uid: $0 + 1) })
    for name in filled {
      for id in 1...3 { dump.lines.append(.init(section: name, json: #"{"id":\#(id)}"#)) }
    }
    return dump
  }

  private func count(_ source: DumpSource, _ section: String) throws -> Int {
    try source.begin(section)
    var count = 0
    while try source.next() != nil { count += 1 }
    return count
  }

  /// A dump is read through once at most to know what it has nothing of.
  @Test func emptySectionsCostNoPasses() throws {
    var random = TestSeed.next()
    for run in 0..<40 {
      let names = (1...50).map { "E\($0)" }
      let filled = names.filter { _ in random.oneIn(run % 7 + 1) }
      let directory = try TemporaryDirectory()
      let side = try dump(names, filled).write(to: "dump", in: directory)
      let source = try DumpSource(side.path, isDirectory: false)
      for name in names {
        #expect(try count(source, name) == (filled.contains(name) ? 3 : 0), "run \(run) \(name)")
      }
      #expect(source.passes <= 2, "run \(run)")
    }
  }

  /// In whatever order they are asked for, all of them are found.
  @Test func sectionsAreFoundInAnyOrder() throws {
    var random = TestSeed.next()
    for run in 0..<40 {
      let names = (1...9).map { "E\($0)" }
      let filled = names.filter { _ in random.oneIn(2) }.shuffled(using: &random)
      let directory = try TemporaryDirectory()
      let side = try dump(names, filled).write(to: "dump", in: directory)
      let source = try DumpSource(side.path, isDirectory: false)
      for _ in 0..<30 {
        let name = random.pick(names)
        #expect(try count(source, name) == (filled.contains(name) ? 3 : 0), "run \(run) \(name)")
      }
    }
  }

  @Test func whatDoesNotStandTogetherIsNotCompared() throws {
    let directory = try TemporaryDirectory()
    let whole = dump(["A", "B"], ["A", "B"])
    var mixed = whole
    mixed.lines.append(.init(section: "A", json: #"{"id":4}"#))
    let sides = (try whole.write(to: "a", in: directory), try mixed.write(to: "b", in: directory))
    let error = try #require(throws: DumpError.self) {
      try DumpDifference.between(sides.0, sides.1) { _ in }
    }
    #expect(error.kind == .impossible, "\(error)")
    #expect(error.position?.line == 8, "\(error)")
  }
}
