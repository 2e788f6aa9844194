import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// The promises of an inference for delimited text: the import loses nothing, and the table of the store
/// has the same model.
struct TableInferenceTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_INFERENCES", default: 500)

  @Test func tablesLoseNothingAndHaveTheSameModelAgain() throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    for round in 0..<Self.rounds {
      var table = ForeignTable(SplitMix64(seed: random.next()))
      let text = table.text
      try fixture.directory.write(text, to: "input.csv")
      do {
        let problems = try problems(table, fixture)
        if problems.isEmpty { continue }
        Issue.record("round \(round): \(problems.prefix(5)) of\n\(text.prefix(2000))")
      } catch {
        Issue.record("round \(round): \(error) of\n\(text.prefix(2000))")
      }
      return
    }
  }

  private func problems(_ table: ForeignTable, _ fixture: ImportFixture) throws -> [String] {
    var options = InferenceOptions()
    options.entity = "Thing"
    options.form = table.form
    let inferred = try ModelInference(options).run([fixture.path("input.csv")])
    let document = try inferred.document(uids: .sequential)
    #expect(document.check().isEmpty)
    let catalogue = try inferred.catalogue.map { try Catalogue($0) } ?? .empty
    let store = try fixture.open("store-\(UInt64.random(in: 0 ... .max))", document)
    defer { store.close() }
    try fixture.load(paths: [fixture.path("input.csv")], table.form, into: store) {
      $0.entity = "Thing"
      $0.catalogue = catalogue
    }
    var export = ExportOptions()
    export.dates = .iso
    export.table = .csv
    let output = MemoryOutput()
    try DumpExporter(store, export).export(to: output)
    try fixture.directory.write(output.text(), to: "again.csv")
    var problems = table.differences(from: output.text(), inferred.entities[0])
    var second = InferenceOptions()
    second.entity = "Thing"
    let again = try ModelInference(second).run([fixture.path("again.csv")])
      .document(uids: .sequential)
    if again.bytes != document.bytes {
      problems.append(
        "the second model is\n\(String(decoding: again.bytes, as: UTF8.self))\nafter\n"
          + String(decoding: document.bytes, as: UTF8.self) + "\nof\n\(output.text().prefix(2000))")
    }
    return problems
  }

  private func types(_ text: String, _ form: InputForm = InputForm()) throws -> [String] {
    let fixture = try ImportFixture()
    try fixture.directory.write(text, to: "things.csv")
    var options = InferenceOptions()
    options.form = form
    return try ModelInference(options).run([fixture.path("things.csv")]).entities[0].members
      .map { "\($0.name) \($0.type)" }
  }

  /// Different fields stay different: no two texts of a column become one number.
  @Test(arguments: [
    (["1.1", "1.2", "1.10"], "string"), (["32E0134", "31415"], "string"),
    (["1e2", "100", "10e1"], "string"), (["12.50", "3.00"], "double"), (["12.5", "3"], "double"),
    (["12.5", "3.0"], "double"), (["3.0", "3"], "string"), (["0.5", "1e+300"], "double"),
    (["0.00001", "1e-05"], "string"), (["0.00001", "0.5"], "double"), (["-0", "0"], "string"),
    (["-0.0", "0.0"], "double"), (["-0.00", "0.00"], "double"), (["1.50", "2"], "string"),
    (["1e400", "1e401"], "string"), (["0.10"], "double"), (["1E5"], "string"),
  ])
  func differentFieldsStayDifferent(_ fields: [String], _ type: String) throws {
    #expect(try types("a\n" + fields.joined(separator: "\n") + "\n")[1] == "a \(type)")
  }

  /// The same of random numbers: afterwards there are as many values as texts.
  @Test func asManyValuesAsTexts() throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    for _ in 0..<Self.rounds {
      let forms =
        [
          { "\($0)" }, { "\($0).0" }, { "\($0).5" }, { "\($0).50" }, { "\($0)e0" }, { "\($0)E+0" },
          { "-\($0)" },
          { "0.\($0)" }, { "0.\($0)0" }, { "1e\($0)" }, { "0.0000\($0)" }, { "\($0)e-05" },
        ] as [(Int) -> String]
      let chosen = random.shuffled(Array(0..<forms.count)).prefix(1 + random.below(3))
      let texts = (0..<6).map { _ in forms[random.pick(Array(chosen))](random.below(4)) }
      try fixture.directory.write("a\n" + texts.joined(separator: "\n") + "\n", to: "numbers.csv")
      let inferred = try ModelInference(InferenceOptions()).run([fixture.path("numbers.csv")])
      let member = inferred.entities[0].members[1]
      let values = Set(
        texts.map { member.type == "string" ? $0 : "\(Double($0)?.bitPattern ?? 0)" })
      #expect(values.count == Set(texts).count, "\(texts): \(member.type)")
    }
  }

  @Test func aUserChoosesTypes() throws {
    let fixture = try ImportFixture()
    try fixture.directory.write("id,a,b\n1,1.1,2\n2,1.10,3\n", to: "things.csv")
    var options = InferenceOptions()
    options.types = ["a": .double, "b": .string]
    let path = fixture.path("things.csv")
    var entity = try ModelInference(options).run([path]).entities[0]
    #expect(entity.members.map(\.type) == ["id", "double", "string"])
    #expect(!entity.notes.contains { $0.kind == .text })
    options.types = [:]
    options.takesTexts = true
    entity = try ModelInference(options).run([path]).entities[0]
    #expect(entity.members.map(\.type) == ["id", "string", "string"])
    options.takesTexts = false
    entity = try ModelInference(options).run([path]).entities[0]
    let note = try #require(entity.notes.first { $0.kind == .text })
    #expect(note.message.contains("1 of 2 numbers") && note.message.contains("--type a=double"))
    options.types = ["c": .double]
    #expect(throws: DumpError.self) { try ModelInference(options).run([path]) }
  }

  @Test func aColumnHasTheTypeOfAllItsFields() throws {
    #expect(
      try types(
        "id,a,b,c,d,e,f\n1,1,1.5,true,2024-02-29,[1],x\n2,,2,FALSE,2024-03-01,\"[2,3]\",7\n")
        == ["id id", "a long", "b double", "c bool", "d date", "e longVector", "f string"])
  }

  /// Leading zeros are those of codes, which a number would lose.
  @Test func aCodeIsAText() throws {
    #expect(
      try types("zip,phone\n01234,+47 22\n98765,12\n") == ["id id", "zip string", "phone string"])
  }

  @Test func quotesMakeATextUnlessEveryFieldHasThem() throws {
    #expect(try types("id,a\n1,\"5\"\n2,\"6\"\n") == ["id id", "a string"])
    #expect(try types("\"id\",\"a\"\n\"1\",\"5\"\n\"2\",\"6\"\n") == ["id id", "a long"])
  }

  /// A text that could be taken for a number is in quotes, also with blanks, which a number may have.
  @Test(arguments: ["12 ", " 12", " true ", "7"])
  func aTextLikeANumberIsWrittenInQuotes(_ text: String) throws {
    var output: [UInt8] = []
    var copy = text
    copy.withUTF8 {
      DelimitedText().append(string: UnsafeRawBufferPointer($0), to: &output)
    }
    #expect(String(decoding: output, as: UTF8.self) == "\"\(text)\"")
  }

  @Test func theCallerChoosesTheForm() throws {
    var form = InputForm()
    form.delimiter = ";"
    form.null = "NA"
    form.columns = ["code", "", "rest"]
    #expect(try types("7;a;NA\nNA;b;8\n", form) == ["id id", "code long", "rest long"])
  }

  @Test func aFieldThatIsNotUTF8IsRefusedWithItsPlace() throws {
    let fixture = try ImportFixture()
    try fixture.directory.write(Array("a,b\n1,x\n2,".utf8) + [0xFF, 0x0A], to: "things.csv")
    let error = #expect(throws: DumpError.self) {
      try ModelInference().run([fixture.path("things.csv")])
    }
    #expect(error?.position == JSONPosition(line: 3, column: 3))
    #expect(error?.message.contains("not valid UTF-8") == true)
  }
}
