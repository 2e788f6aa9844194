import BoxDump
import BoxEngine
import TestSupport
import Testing

/// An import of several files is the import of all their objects.
struct FileListLawTests {
  /// A person, of whom some values are not known.
  private struct Sample {
    var id: Int
    var name: String?
    var age: Int?

    var members: [String] {
      [
        "\"id\":\(id)", "\"email\":\"\(id)@x\"",
        "\"name\":" + (name.map { "\"\($0)\"" } ?? "null"),
        "\"age\":" + (age.map { "\($0)" } ?? "null"),
      ]
    }
    var line: String { "{" + members.joined(separator: ",") + "}" }
    var pretty: String { "{\n  " + members.joined(separator: ",\n  ") + "\n}" }
    var record: String {
      "\(id),\(id)@x," + (name.map { "\"\($0)\"" } ?? "") + "," + (age.map { "\($0)" } ?? "")
    }
  }

  private static let mark = "\u{FEFF}"

  /// A file of some people in one of all shapes; the ending of its name, and its text.
  private func file(
    _ people: ArraySlice<Sample>, _ random: inout SplitMix64
  ) -> (ending: String, text: String) {
    let mark = random.oneIn(4) ? Self.mark : ""
    let end = random.oneIn(2) ? "\n" : ""
    switch random.below(6) {
    case 0: return ("ndjson", mark + people.map(\.line).joined(separator: "\n") + end)
    case 1: return ("json", mark + "[" + people.map(\.pretty).joined(separator: ", ") + "]" + end)
    case 2: return ("json", mark + people.map(\.pretty).joined(separator: "\n") + end)
    case 3: return ("json", mark + people.map(\.line).joined() + end)
    case 4:
      let named = people.map { "{\"Person\":\n\($0.pretty)}" }
      // Each of them names the entity, so they are read without the option.
      return ("named", mark + named.joined(separator: "\n") + end)
    default:
      let ending = random.oneIn(2) ? "\r\n" : "\n"
      let lines = ["id,email,name,age"] + people.map(\.record)
      return ("csv", mark + lines.joined(separator: ending) + (end.isEmpty ? "" : ending))
    }
  }

  private func people(_ random: inout SplitMix64) -> [Sample] {
    (1...(1 + random.below(40))).map { id in
      Sample(
        id: id, name: random.oneIn(3) ? nil : random.pick(["", "Ann", "a, b", "é", "{}", "7"]),
        age: random.oneIn(3) ? nil : random.below(90))
    }
  }

  /// The content of a store into which the people were imported as lines.
  private func objects(
    _ people: [Sample], _ fixture: ImportFixture
  ) throws -> [String: String] {
    let store = try fixture.open("expected")
    try fixture.load(text: people.map(\.line).joined(separator: "\n"), into: store) {
      $0.entity = "Person"
    }
    return try fixture.objects(store)
  }

  /// The paths of files with all people, some of them in a directory of parts.
  private func write(
    _ people: [Sample], _ fixture: ImportFixture, _ random: inout SplitMix64
  ) throws -> (paths: [String], files: [String], names: Bool) {
    var (paths, files): ([String], [String]) = ([], [])
    let names = random.oneIn(4)
    var rest = people[...]
    var directory: String?
    var number = 100
    while !rest.isEmpty || files.count < 2 {
      number += 1
      let part = rest.prefix(random.below(15))
      rest = rest.dropFirst(part.count)
      var (ending, text) = file(part, &random)
      while (ending == "named") != names || (names && part.isEmpty) {
        if names {
          (ending, text) = (
            "named", part.map { "{\"Person\":\($0.line)}" }.joined(separator: "\n")
          )
          break
        }
        (ending, text) = file(part, &random)
      }
      if directory == nil, random.oneIn(3) {
        directory = "parts-\(number)"
        paths.append(fixture.path("parts-\(number)"))
        try fixture.directory.write("", to: "parts-\(number)/_SUCCESS")
        try fixture.directory.write("crc", to: "parts-\(number)/.part.crc")
      } else if random.oneIn(3) {
        directory = nil
      }
      let name = (directory.map { $0 + "/part-" } ?? "file-") + "\(number).\(ending)"
      try fixture.directory.write(text, to: name)
      files.append(name)
      if directory == nil { paths.append(fixture.path(name)) }
    }
    return (paths, files, names)
  }

  @Test func filesInAllShapesAreOneImport() throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 150) {
      let fixture = try ImportFixture()
      let people = people(&random)
      let expected = try objects(people, fixture)
      let (paths, files, names) = try write(people, fixture, &random)
      let store = try fixture.open("store")
      let summary = try fixture.load(paths: paths, into: store) {
        $0.entity = names ? nil : "Person"
        $0.batch = 1 + random.below(20)
      }
      #expect(summary.objects == people.count, "round \(round): \(files)")
      let isSame = try fixture.objects(store) == expected
      #expect(isSame, "round \(round): \(files)")
      // The same files again are complete, and others are not.
      for (resumed, isComplete) in [(paths, true), (paths + [paths[0]], false)] {
        let again = try? fixture.load(paths: resumed, into: store) {
          $0.entity = names ? nil : "Person"
          $0.resumes = true
        }
        #expect((again?.wasComplete ?? false) == isComplete, "round \(round)")
      }
      if !isSame { return }
    }
  }

  /// Objects without a line feed between them may be more than an element.
  @Test func aLongLineOfObjects() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let text = (1...40_000).map { "{\"id\":\($0),\"email\":\"\($0)\"}" }.joined()
    let summary = try fixture.load(text: text, into: store) {
      $0.entity = "Person"
      $0.maximumElement = 300_000
    }
    #expect(text.utf8.count > 1_000_000)
    #expect(summary.objects == 40_000)
  }

  /// An import of a directory of a dump is not continued with a file.
  @Test func anotherKindOfInputIsRefused() throws {
    let fixture = try ImportFixture()
    let source = try fixture.open("source")
    try fixture.load(
      text: #"{"Person":{"id":1}}"# + "\n" + #"{"Everything":{"id":1}}"#, into: source)
    var options = ExportOptions()
    options.shape = .directory
    try fixture.export(source, to: "dump", options)
    let store = try fixture.open("store")
    let people = try fixture.directory.text(of: "dump/Person.ndjson")
    try fixture.directory.write(people + "{\n", to: "dump/Person.ndjson")
    #expect(throws: (any Error).self) {
      try fixture.load(fixture.path("dump"), into: store) { $0.batch = 1 }
    }
    try #require(try Importer.isInterrupted(in: store))
    try fixture.directory.write(#"{"Person":{"id":9}}"#, to: "one.ndjson")
    try fixture.directory.write(#"{"Person":{"id":8}}"#, to: "two.ndjson")
    for names in [["one.ndjson"], ["one.ndjson", "two.ndjson"]] {
      let refusal = #expect(throws: DumpError.self) {
        try fixture.load(paths: names.map(fixture.path), into: store) {
          $0.batch = 1
          $0.resumes = true
        }
      }
      #expect(refusal?.kind == .impossible, "\(refusal.map { "\($0)" } ?? "none")")
    }
  }

  /// It stops at a file that is missing or wrong, and continues with the same result.
  @Test func anInterruptedImportContinuesInTheRightFile() throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 150) {
      let fixture = try ImportFixture()
      let people = people(&random)
      let expected = try objects(people, fixture)
      let (paths, files, names) = try write(people, fixture, &random)
      let store = try fixture.open("store")
      let batch = 1 + random.below(4)
      func load(resumes: Bool) throws -> ImportSummary {
        try fixture.load(paths: paths, into: store) {
          $0.entity = names ? nil : "Person"
          $0.batch = batch
          $0.resumes = resumes
        }
      }
      let broken = random.pick(files)
      let text = try fixture.directory.text(of: broken)
      try fixture.directory.write(text + "\n}", to: broken)
      #expect(throws: (any Error).self, "round \(round)") { try load(resumes: false) }
      // The line feed may have been read with the last element.
      try fixture.directory.write(text + "\n", to: broken)
      if try Importer.isInterrupted(in: store) {
        // A file that was imported must be the same; one that follows may be corrected.
        let first = files[0]
        let isRead = first != broken
        let original = try fixture.directory.text(of: first)
        // A byte-order mark behind a line feed would be another error.
        if isRead, original.unicodeScalars.first != "\u{FEFF}", random.oneIn(2) {
          try fixture.directory.write("\n" + original, to: first)
          let refusal = #expect(throws: DumpError.self) { try load(resumes: true) }
          #expect(refusal?.kind == .impossible, "round \(round)")
          try fixture.directory.write(original, to: first)
        }
      }
      let summary = try load(resumes: true)
      #expect(summary.objects == people.count, "round \(round): \(files), \(broken)")
      let isSame = try fixture.objects(store) == expected
      #expect(isSame, "round \(round): \(files), \(broken)")
      if !isSame { return }
    }
  }
}
