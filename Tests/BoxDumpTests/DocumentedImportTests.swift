import BoxDump
import BoxEngine
import BoxReport
import BoxStorage
import TestSupport
import Testing

/// Imports a file into the store of a directory.
func importFile(_ path: String, into directory: String) throws -> ImportSummary {
  var options = ImportOptions()
  options.mode = .upsert
  options.resumes = true
  options.maximumErrors = 100
  let input = try DumpInput(path: path)
  let session = try ImportSession(input, into: directory, options: options)
  for warning in session.warnings { print("warning: \(warning.message)") }
  return try session.run(
    rejects: RejectsFile(path: directory + ".rejects", for: input),
    report: { issue in print("rejected: \(issue.file): \(issue)") },
    progress: { done, total in
      if let total { print("\(done) of \(total) bytes") }
    },
    indexing: { index, done, total in print("index of \(index): \(done) of \(total)") })
}

/// The program of docs/importing.md.
struct DocumentedImportTests {
  @Test func theFunctionImportsADump() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("a")
    try fixture.load(
      text: #"{"Person":{"id":1,"name":"Ada"}}"# + "\n" + #"{"Person":{"id":7,"name":"Ben"}}"#,
      into: store)
    try fixture.export(store, to: "dump.ndjson")
    let people = try fixture.people(store)
    #expect(people.count == 2)

    let summary = try importFile(fixture.path("dump.ndjson"), into: fixture.path("new/data"))
    #expect(summary.objects == 2)
    let imported = try fixture.open("new/data")
    #expect(try fixture.people(imported) == people)
    #expect(try imported.verify().isEmpty)
    imported.close()
    // The option to resume lets a script repeat the import.
    let again = try importFile(fixture.path("dump.ndjson"), into: fixture.path("new/data"))
    #expect(again.wasComplete)
  }

  @Test func thePageHasTheFunction() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let page = try TemporaryDirectory().text(of: root + "/docs/importing.md")
    let program = try #require(
      page.components(between: "```swift\n", and: "```\n").first { $0.contains("importFile") })
    let function = try #require(
      program.components(between: "/// Imports", and: "\n}\n").first)
    let test = try TemporaryDirectory().text(of: #filePath)
    #expect(function.contains("ImportSession("))
    #expect(test.contains("/// Imports" + function + "\n}\n"))
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The texts between two marks, without the marks.
  fileprivate func components(between start: String, and end: String) -> [Substring] {
    var found: [Substring] = []
    var rest = Substring(self)
    while let first = rest.firstRange(of: start) {
      rest = rest[first.upperBound...]
      guard let last = rest.firstRange(of: end) else { break }
      found.append(rest[..<last.lowerBound])
      rest = rest[last.upperBound...]
    }
    return found
  }
}
