import BoxDump
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that people have: CSV, several files, and directories of parts.
struct ImportedFilesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try ImportSample.directory() }

  /// Imports a text as people, into a store of its own.
  private func load(
    _ text: String, as name: String = "input.csv",
    _ change: (inout ImportRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    try directory.write(text, to: name)
    directory.removeEverything("data")
    return try await directory.loadPeople(name, change)
  }

  /// The people of the store as a table.
  private func table() async throws -> String {
    let run = try await directory.export(to: "table") {
      $0.options.table = .csv
      $0.options.entities = ["Person"]
      $0.catalogue = nil
    }
    #expect(run.outcome == .success, "\(run.messages)")
    let text = try directory.text(of: "table")
    directory.removeEverything("table")
    return text.replacing("\r\n", with: "\n")
  }

  // MARK: - Forms

  /// Texts and options, with the table of what was imported.
  private static let forms:
    [(name: String, text: String, change: @Sendable (inout InputForm) -> Void, table: String)] = [
      ("a.csv", "id,email,name,age\n7,a,\"b, c\",-5\n", { _ in }, "7,a,-5,\"b, c\"\n"),
      ("a.csv", "id,name\r\n7,\"x\r\ny\"\r\n", { _ in }, "7,,,\"x\ny\"\n"),
      ("a.csv", "name,id\n\n\"\",7\n,8\n", { _ in }, "7,,,\"\"\n8,,,\n"),
      ("a.csv", "\u{FEFF}id,age\n7,\n8,\"\"\n9, 12 ", { _ in }, "7,,,\n8,,,\n9,,12,\n"),
      ("a.tsv", "id\tname\n7\ta,b\n", { _ in }, "7,,,\"a,b\"\n"),
      ("a.tab.txt.tab", "id\tname\n7\t\"a\tb\"\n", { _ in }, "7,,,a\tb\n"),
      ("a.txt", "id;name\n7;x\n", { $0.delimiter = ";" }, "7,,,x\n"),
      ("a.txt", "7,x\n", { $0.columns = ["id", "name"] }, "7,,,x\n"),
      ("a.tsv", "\t7\tx\n", { $0.columns = ["name", "id", ""] }, "7,,,\n"),
      ("a.csv", "id,name\n7,NA\n8,\n9,\"NA\"\n", { $0.null = "NA" }, "7,,,\n8,,,\"\"\n9,,,NA\n"),
      (
        "a.csv", "id,name\n7,5\" x\n8,\"y\"\n", { $0.quotes = .none },
        "7,,,\"5\"\" x\"\n8,,,\"\"\"y\"\"\"\n"
      ),
      ("a.json", "id,name\n7,x", { $0.format = .csv }, "7,,,x\n"),
      ("a.csv", "{\"id\":7}{\"id\":8}", { _ in }, "7,,,\n8,,,\n"),
      ("a.csv", "", { _ in }, ""),
      ("a.csv", "id,name\n", { _ in }, ""),
      ("a.json", "{\n\"id\":7}\n\n{\"id\":8,\n\"name\":\"}{\"}", { _ in }, "7,,,\n8,,,}{\n"),
      ("a.json", "{\"id\":7}\n{\n\"id\":8\n}\n{}", { _ in }, "7,,,\n8,,,\n9,,,\n"),
    ]

  @Test(arguments: forms.indices)
  func aFileIsReadInItsForm(_ number: Int) async throws {
    let form = Self.forms[number]
    let run = try await load(form.text, as: form.name) { form.change(&$0.form) }
    #expect(run.outcome == .success, "\(form.text): \(run.messages)")
    #expect(try await table() == "id,email,age,name\n" + form.table, "\(form.text)")
  }

  @Test func valuesAreReadByTheTypesOfTheModel() async throws {
    try directory.write(
      """
      {"entities":[{"id":"1:10","lastPropertyId":"8:28","name":"Row","properties":[
      {"id":"1:21","name":"id","type":6,"flags":1},{"id":"2:22","name":"flag","type":1},
      {"id":"3:23","name":"at","type":10},{"id":"4:24","name":"size","type":8},
      {"id":"5:25","name":"letter","type":4},{"id":"6:26","name":"tags","type":30},
      {"id":"7:27","name":"mood","type":28},{"id":"8:28","name":"raw","type":23}]}],
      "lastEntityId":"1:10","lastIndexId":"0:0","lastRelationId":"0:0",
      "modelVersion":5,"modelVersionParserMinimum":5,"version":1}
      """, to: "rows.json")
    try directory.write(
      """
      id,flag,at,size,letter,tags,mood,raw
      1,TRUE,2020-02-29T00:00:00Z,NaN,é,"[""a"",""b,""]","[1,2.5]",AAE=
      2,0,1582934400000,-Infinity,55357,[],[],""
      3,,,1e3,"5",,,
      """, to: "Row.csv")
    let load = try await directory.load("Row.csv") { $0.model = directory.path(of: "rows.json") }
    #expect(load.only(.success, "Row: 3 added\n"), "\(load)")
    let export = try await directory.export(to: "out") { $0.options.shape = .directory }
    #expect(export.outcome == .success)
    #expect(
      try directory.text(of: "out/Row.ndjson") == """
        {"id":1,"flag":true,"at":1582934400000,"size":"NaN","letter":"é","tags":["a","b,"],\
        "mood":[1.0,2.5],"raw":"AAE="}
        {"id":2,"flag":false,"at":1582934400000,"size":"-Infinity","letter":55357,"tags":[],\
        "mood":[],"raw":""}
        {"id":3,"flag":null,"at":null,"size":1000.0,"letter":"5","tags":null,"mood":null,\
        "raw":null}

        """)
  }

  // MARK: - Mistakes

  private static let mistakes: [(name: String, text: String, message: String)] = [
    (
      "a.csv", "id,age\n7,abc\n",
      "a.csv:2:3: Person.age: expected an integer from -2147483648 to "
        + "2147483647, found abc"
    ),
    ("a.csv", "id,age\n7,1.5\n", "a.csv:2:3: Person.age: expected an integer"),
    ("a.csv", "id,name,age\n7,\"x\ny\",abc\n", "a.csv:2:1: Person.age: expected an integer"),
    ("a.csv", "id,age\n7\n", "a.csv:2:1: expected 2 fields, as many as there are columns, found 1"),
    (
      "a.csv", "id,age\n7,1,\n",
      "a.csv:2:1: expected 2 fields, as many as there are columns, found 3"
    ),
    (
      "a.csv", "id,name\n7,\"x\n8,y\n", "a.csv:2:3: the text ends within the quotes that begin here"
    ),
    (
      "a.csv", "id,name\n7,\"x\"y\n",
      "a.csv:2:6: expected a comma or the end of the line after the "
        + "closing quote, found \"y\""
    ),
    ("a.csv", "id,name\n7,x\"y\n", "a.csv:2:4: there is a quote in a field without quotes"),
    ("a.csv", "id,nam\n", ""),
    (
      "a.csv", "id,nam\n7,x\n",
      "a.csv:1:4: there is no property or relation \"nam\" for the column; "
        + "did you mean name?"
    ),
    ("a.csv", "id,,name\n7,x,y\n", "a.csv:1:4: column 2 has no name"),
    ("a.csv", "id,name,id\n7,x,8\n", "a.csv:1:9: the column \"id\" occurs twice"),
    (
      "a.csv", "id,name\n7,x\n{\"id\":8,\"name\":\"y\"}\n",
      "a.csv:3:2: there is a quote in a field "
        + "without quotes"
    ),
    ("a.ndjson", "{\"id\":7}\n8,x\n", "a.ndjson:2:1: Person: expected an object, found 8"),
    (
      "a.txt", "id,name\n7,x\n",
      "a.txt:1:1: expected a dump, objects or an array, found \"id,name\""
    ),
    (
      "a.json", "\u{FEFF}{\"id\":7}{\"id\":", "a.json:1:9: the text ends in the middle of the value"
    ),
    ("a.json", "{\"id\":7}{\"id\":8}]", "a.json:1:17: expected an object, found \"]\""),
  ]

  @Test(arguments: mistakes.indices)
  func aMistakeIsNamedWithItsPlace(_ number: Int) async throws {
    let mistake = Self.mistakes[number]
    let run = try await load(mistake.text, as: mistake.name)
    if mistake.message.isEmpty {
      // A table without records has no object that would lack a property.
      #expect(run.outcome == .success)
      return
    }
    #expect(run.outcome == .failed(.badInput), "\(mistake.text): \(run.messages)")
    #expect(run.messages.hasPrefix("boxjoint: " + mistake.message), "\(run.messages)")
    #expect(!directory.exists("data/data.mdb"), "an import that commits nothing leaves no store")
  }

  @Test(arguments: [
    [0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x69, 0, 0x64, 0], [0, 0x69],
  ])
  func otherEncodingsAreRefused(_ bytes: [UInt8]) async throws {
    try directory.write(bytes, to: "wide.csv")
    let run = try await directory.loadPeople("wide.csv")
    #expect(run.outcome == .failed(.badInput))
    #expect(run.messages.contains("iconv -f UTF-16 -t UTF-8"), "\(run.messages)")
  }

  @Test func aFileWhoseEntityIsNotKnown() async throws {
    try directory.write("id\n1\n", to: "people.csv")
    let run = try await directory.load("people.csv") { $0.model = directory.path(of: "model.json") }
    #expect(run.outcome == .failed(.impossible))
    #expect(run.failure?.remedy == .dump(.nameEntity))
  }

  /// Rejected records can be corrected and imported, and the reasons name them.
  @Test func rejectsAreATable() async throws {
    let text = "id,name,age\r\n1,a,x\r\n2,\"b\r\nc\",y\r\n3,d\r\n4,e,4\r\n"
    let run = try await load(text) {
      $0.options.maximumErrors = 10
      $0.rejects = directory.path(of: "rejects.csv")
    }
    #expect(run.outcome == .findings)
    #expect(run.text == "Person: 1 added\n3 rejected\n")
    let rejects = try directory.text(of: "rejects.csv")
    #expect(rejects == "id,name,age\n1,a,x\n2,\"b\r\nc\",y\n3,d\n")
    let corrected = rejects.replacing("x\n", with: "1\n").replacing("y\n", with: "2\n")
      .replacing("3,d", with: "3,d,3")
    try directory.write(corrected, to: "rejects.csv")
    #expect(try await directory.loadPeople("rejects.csv") { $0.model = nil }.outcome == .success)
    #expect(
      try await table()
        == "id,email,age,name\n1,,1,a\n2,,2,\"b\nc\"\n3,,3,d\n4,,4,e\n")
  }

  /// The violation of a unique property names the file and the record.
  @Test func aViolationNamesItsFile() async throws {
    try directory.write("id,email\n1,a\n", to: "1.csv")
    try directory.write("id,name,email\n2,\"x\ny\",b\n3,\"x\ny\",a\n", to: "2.csv")
    let run = try await directory.loadPeople("1.csv") {
      $0.paths.append(directory.path(of: "2.csv"))
    }
    #expect(run.outcome == .failed(.badInput))
    #expect(run.messages.hasPrefix("boxjoint: 2.csv:4:1: Person.email: "), "\(run.messages)")
  }

  // MARK: - Lists

  @Test func patternsAndDirectories() async throws {
    for (name, id) in [("b-2.csv", 2), ("b-10.csv", 10), ("a.csv", 1)] {
      try directory.write("id,name\n\(id),\(name)\n", to: "in/" + name)
    }
    try directory.write("id\n5\n", to: "in/[b].csv")
    func load(_ paths: String..., partial: Bool = false) async throws -> RequestRun {
      directory.removeEverything("data")
      return try await directory.loadPeople("in") {
        $0.paths = paths.map { directory.path(of: $0) }
        $0.allowsPartialDirectories = partial
      }
    }
    #expect(try await load("in/b*.csv", "in/[a].csv").only(.success, "Person: 3 added\n"))
    #expect(
      try await load("in/[b].csv").only(.success, "Person: 1 added\n"), "a file with that name")
    let none = try await load("in/x*.csv")
    #expect(none.outcome == .failed(.inputOutput))
    #expect(none.messages == "boxjoint: in/x*.csv: no file matches the pattern\n")

    let partial = try await load("in")
    #expect(partial.outcome == .failed(.badInput))
    #expect(partial.failure?.remedy == .dump(.allowPartialDirectories))
    #expect(try await load("in", partial: true).only(.success, "Person: 4 added\n"))
    try directory.write("", to: "in/_SUCCESS")
    #expect(try await load("in").only(.success, "Person: 4 added\n"))

    #expect(symlink("../people.ndjson", directory.path(of: "in/link.ndjson")) == 0)
    let link = try await load("in")
    #expect(link.outcome == .failed(.badInput))
    #expect(
      link.messages.hasPrefix("boxjoint: in/link.ndjson: is a symbolic link"), "\(link.messages)")
    #expect(unlink(directory.path(of: "in/link.ndjson")) == 0)
    try directory.write("id\n1\n", to: "in/year=2024/part.csv")
    let nested = try await load("in")
    #expect(
      nested.messages.hasPrefix("boxjoint: in/year=2024: is a directory"), "\(nested.messages)")

    try directory.write("", to: "empty/_SUCCESS")
    let empty = try await load("empty")
    #expect(empty.outcome == .failed(.badInput))
    #expect(empty.messages.hasPrefix("boxjoint: empty: has no parts"), "\(empty.messages)")
  }

  @Test func aDumpIsImportedAlone() async throws {
    #expect(try await directory.loadPeople("ann.ndjson").outcome == .success)
    for shape in [DumpShape.lines, .directory] {
      let dump = "dump-\(shape)"
      #expect(try await directory.export(to: dump) { $0.options.shape = shape }.outcome == .success)
      let run = try await directory.load("ann.ndjson", into: "other") {
        $0.model = directory.path(of: "model.json")
        $0.options.entity = "Person"
        $0.paths.append(directory.path(of: dump))
      }
      #expect(run.outcome == .failed(.impossible))
      #expect(run.messages.contains("is a dump; import it alone"), "\(run.messages)")
    }
  }

  /// A part that disappears ends the import, which can be continued when it is back.
  @Test func aPartThatDisappears() async throws {
    for number in 1...3 {
      try directory.write("id,name\n\(number),x\n\(number + 10),y\n", to: "in/part-\(number).csv")
    }
    try directory.write("", to: "in/_SUCCESS")
    try directory.write("id,name\n2,x\n12,y,\n", to: "in/part-2.csv")
    func load(resumes: Bool) async throws -> RequestRun {
      try await directory.loadPeople("in") {
        $0.options.batch = 1
        $0.options.resumes = resumes
      }
    }
    let wrong = try await load(resumes: false)
    #expect(wrong.messages.hasPrefix("boxjoint: in/part-2.csv:3:1: "), "\(wrong.messages)")
    #expect(rename(directory.path(of: "in/part-1.csv"), directory.path(of: "away")) == 0)
    let missing = try await load(resumes: true)
    #expect(missing.outcome == .failed(.impossible))
    #expect(
      missing.messages.contains("it had 3 and not 2") || missing.messages.contains("part-1.csv"))
    #expect(rename(directory.path(of: "away"), directory.path(of: "in/part-1.csv")) == 0)
    try directory.write("id,name\n2,x\n12,y\n", to: "in/part-2.csv")
    #expect(try await load(resumes: true).only(.success, "Person: 6 added\n"))
  }

  // MARK: - Catalogues

  /// A mapping makes of records what it makes of the objects that they are.
  @Test func mappingsAndConverters() async throws {
    try directory.write(
      """
      mappings:
        Person:
          properties:
            email: /Mail
            age: /Years
          rest: name
      """, to: "converters.yml")
    func people(_ input: String, _ text: String) async throws -> String {
      let run = try await load(text, as: input) {
        $0.catalogue = CatalogueChoice(directory.path(of: "converters.yml"), configurationPath: nil)
      }
      #expect(run.outcome == .success, "\(run.messages)")
      return try await table()
    }
    let records = try await people("m.csv", "id,Mail,Years,x\n1,a,30,y\n2,,\"\",\n")
    let objects = try await people(
      "m.ndjson",
      #"{"id":1,"Mail":"a","Years":30,"x":"y"}"# + "\n"
        + #"{"id":2,"Mail":null,"Years":null,"x":null}"#)
    #expect(
      records
        == objects.replacing(#"""id"":1,"#, with: #"""id"":""1"","#)
        .replacing(#"""id"":2,"#, with: #"""id"":""2"","#))
    #expect(records.hasPrefix("id,email,age,name\n1,a,30,"), "\(records)")
  }

  @Test func valuesOfConverters() async throws {
    try directory.write(
      """
      properties:
        Person.age: { type: enum, values: { young: 1, old: 2, "3": 3 } }
        Person.name: json
      """, to: "converters.yml")
    let run = try await load(
      "id,age,name\n1,young,\"{\"\"a\"\":[1,2]}\"\n2,\"3\",7\n3,,\"7\"\n4,old,text\n"
    ) {
      $0.catalogue = CatalogueChoice(directory.path(of: "converters.yml"), configurationPath: nil)
    }
    #expect(run.outcome == .success, "\(run.messages)")
    #expect(
      try await table() == "id,email,age,name\n1,,1,\"{\"\"a\"\":[1,2]}\"\n2,,3,\"7\"\n"
        + "3,,,\"\"\"7\"\"\"\n4,,2,\"\"\"text\"\"\"\n")
    let wrong = try await load("id,age\n1,ancient\n") {
      $0.catalogue = CatalogueChoice(directory.path(of: "converters.yml"), configurationPath: nil)
    }
    #expect(wrong.outcome == .failed(.badInput))
    #expect(wrong.messages.hasPrefix("boxjoint: input.csv:2:3: Person.age: "), "\(wrong.messages)")
    #expect(wrong.messages.contains("found ancient"), "\(wrong.messages)")
  }
}
