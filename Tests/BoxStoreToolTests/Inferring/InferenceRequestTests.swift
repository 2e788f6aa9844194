import BoxDump
import BoxJSON
import BoxModel
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Models that are inferred, by calls.
struct InferenceRequestTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func infer(
    _ text: String, _ change: (inout InferenceRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    try directory.write(text, to: "things.json")
    var request = InferenceRequest([directory.path(of: "things.json")])
    request.options.entity = "Thing"
    change(&request)
    return try await directory.run { place in (.success, try request.run(in: place).text) }
  }

  /// The type of the member `x`, with its reason.
  private func type(_ values: String...) async throws -> String {
    let lines = values.map { "{\"x\":\($0)}\n" }.joined()
    let run = try await infer(lines)
    let row = run.text.split(separator: "\n").first { $0.hasPrefix("x ") } ?? ""
    return row.split(separator: " ", omittingEmptySubsequences: true).dropFirst().dropLast()
      .joined(separator: " ")
  }

  @Test func typesFitAllValues() async throws {
    #expect(try await type("true", "null", "false") == "bool 2 booleans")
    #expect(try await type("1", "-5") == "long 2 integers from -5 to 1")
    #expect(try await type("9223372036854775807") == "long 1 integers, all 9223372036854775807")
    #expect(
      try await type("9223372036854775808", "1")
        == "long, unsigned 2 integers of 64 bits without a sign")
    #expect(
      try await type("9223372036854775808", "-1")
        == "string 2 integers that 64 bits do not hold, as text")
    #expect(try await type("1", "2.5") == "double 2 integers, and numbers with a fraction")
    #expect(try await type("2.0") == "double 1 numbers with a fraction")
    // 2^53 + 1 is not a double.
    #expect(
      try await type("9007199254740993", "0.5")
        == "string 2 numbers with more digits than a double has, as text")
    #expect(
      try await type("0.1234567890123456789")
        == "string 1 numbers with more digits than a double has, as text")
    #expect(
      try await type("1e400") == "string 1 numbers with more digits than a double has, as text")
    #expect(try await type("\"a\"", "\"2020-01-01\"") == "string 2 texts")
    #expect(
      try await type("\"2020-02-29\"") == "date 1 dates, stored as their midnight in UTC")
    #expect(try await type("\"2021-02-29\"") == "string 1 texts")
    #expect(
      try await type("\"2020-02-29T01:02:03.004Z\"", "\"2020-02-29\"") == "date 2 times in UTC")
    #expect(
      try await type("\"2020-02-29T01:02:03.0000001Z\"")
        == "dateNano 1 times in UTC with up to 7 digits of a fraction")
    // The years of nanoseconds in 64 bits end in 2262.
    #expect(
      try await type("\"2300-01-01T01:02:03.0001Z\"")
        == "string 1 times that 64 bits of nanoseconds do not hold")
    #expect(
      try await type("\"2020-02-29T01:02:03+01:00\"")
        == "string 1 times with an offset from UTC, which a date would lose")
    #expect(try await type("[\"a\"]", "[]") == "stringVector 2 lists of 0 to 1 texts")
    #expect(try await type("[1,2]", "[3,4]") == "longVector 2 lists of 2 integers from 1 to 4")
    #expect(try await type("[1,0.5]") == "doubleVector 1 lists of 2 numbers")
    #expect(try await type("[1,null]") == "string 1 lists of null and integers, as JSON text")
    #expect(try await type("[]") == "stringVector 1 empty lists: a guess")
    #expect(try await type("null") == "string 0 null in every object: a guess")
    #expect(try await type("{\"a\":1}") == "string 1 objects, as JSON text")
    #expect(
      try await type("{\"raw\":1}")
        == "string 1 objects, some with the key \"raw\", as JSON text")
    #expect(
      try await type("\"a\"", "1", "2", "{}")
        == "string 4 mixed, as JSON text: a string in line 1, an integer in line 2, an object in line 4"
    )
  }

  @Test func idsComeFromTheInputOrAreAdded() async throws {
    let good = try await infer("[{\"n\":1,\"Id\":3},{\"n\":2,\"Id\":1}]")
    #expect(
      good.text.contains(
        "\nId    id         2  integers above 0, in every object and all different"))
    for (values, reason) in [
      ("1,1", "a value occurs twice"), ("0,1", "it has the value 0"),
      ("1,null", "1 objects have no value for it"), ("\"a\",\"b\"", "it has texts"),
    ] {
      let objects = values.split(separator: ",").map { "{\"id\":\($0)}" }.joined(separator: "\n")
      let run = try await infer(objects)
      #expect(
        run.text.contains("added: the member id cannot be the id, as \(reason)"), "\(run.text)")
      #expect(run.text.contains("\nobjectId  id "))
    }
    let chosen = try await infer("[{\"n\":1},{\"n\":2}]") { $0.options.id = "n" }
    #expect(chosen.text.contains("\nn     id         2"))
    let wrong = try await infer("[{\"n\":1},{\"n\":1}]") { $0.options.id = "n" }
    #expect(wrong.failure?.kind == .impossible)
    #expect(
      wrong.messages
        == "boxjoint: things.json:1:7: \"n\" cannot be the id: a value occurs twice\n")
  }

  @Test func badInputIsNamedWithItsPlace() async throws {
    for (text, message) in [
      ("{\"a\":1}\n{\"a\":[1,}\n", "things.json:2:9: expected a value, found }"),
      ("{\"a\":1,\"a\":2}", "things.json:1:12: the key \"a\" occurs twice"),
      (
        "[{\"a\":1} {\"a\":1}]",
        "things.json:1:10: expected a comma or the end of the array, found \"{\\\"a\\\":1}]\""
      ),
      ("[{\"a\":1},2]", "things.json:1:10: expected an object, found 2"),
      ("{\"a\":\"x", "things.json:1:8: the string ends without its closing quote"),
      ("{\"a\":01}", "things.json:1:6: expected a value, found 01"),
      ("{\"a\":nan}", "things.json:1:6: expected a value, found nan"),
      ("[]", "things.json: has no objects to infer a model from"),
      ("", "things.json: has no objects to infer a model from"),
      ("{\"a\":\"\\ud800\"}", "things.json:1:7: the escape is one half of a surrogate pair"),
    ] {
      let run = try await infer(text)
      #expect(run.failure?.kind == .badInput, "\(text)")
      #expect(
        run.messages.hasPrefix("boxjoint: " + message.replacing("\\\"", with: "\"")),
        "\(run.messages)")
    }
    let deep = try await infer(
      "{\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}")
    #expect(deep.failure?.kind == .badInput)
    let wide = try await infer(
      "{" + (0...4096).map { "\"k\($0)\":1" }.joined(separator: ",") + "}")
    #expect(wide.messages.contains("the objects have more than 4096 different members"))
  }

  @Test func choicesThatDoNotFitAreRefused() async throws {
    let lines = "{\"a\":[true,\"x\"],\"b\":2}\n{\"a\":[],\"b\":2}\n"
    let missing = try await infer(lines) { $0.options.unique = ["c"] }
    #expect(missing.failure?.kind == .usage)
    #expect(missing.failure?.message == "no object has the member \"c\"")
    let repeated = try await infer(lines) { $0.options.unique = ["b"] }
    #expect(repeated.failure?.kind == .impossible)
    #expect(repeated.failure?.message == "\"b\" cannot be unique: two objects have the same value")
    let link = try await infer(lines) { $0.options.links = [.init("a", to: "Person")] }
    #expect(link.failure?.kind == .impossible)
  }

  @Test func filesAreNewAndWrittenTogether() async throws {
    let run = try await infer("{\"a.b\":{}}\n") { $0.output = directory.path(of: "model.json") }
    #expect(run.text.hasSuffix("model: model.json\ncatalogue: converters.yml\n"))
    let catalogue = String(
      decoding: try SourceFile.read(directory.path(of: "converters.yml")).bytes, as: UTF8.self)
    #expect(
      catalogue
        == "properties:\n  Thing.a_b: json\nmappings:\n  Thing:\n    properties:\n      a_b: /a.b\n"
    )
    let again = try await infer("{\"x\":{}}\n") { $0.output = directory.path(of: "model.json") }
    #expect(again.failure?.kind == .usage)
    let other = try await infer("{\"x\":{}}\n") { $0.output = directory.path(of: "other.json") }
    #expect(other.failure?.remedy == .nameNewCatalogue)
    #expect(throws: CommandFailure.self) { try SourceFile.read(directory.path(of: "other.json")) }
  }

  @Test func anImportWithoutAModelIsWholeOrLeavesNothing() async throws {
    try directory.write("[{\"a\":1,\"b\":{\"c\":[2]}}]", to: "things.json")
    let good = try await directory.load("things.json") { $0.infersModel = true }
    #expect(good.text == "Thing: 1 added\n")
    #expect(
      try ModelDocument(parsing: SourceFile.read(directory.path(of: "model-data.json")).bytes)
        .model.entities.map(\.name) == ["Thing"])
    let again = try await directory.load("things.json") { $0.infersModel = true }
    #expect(again.failure?.remedy == .importWithoutInference)
    // An unresolvable choice of the import: nothing of the model is left.
    let failed = try await directory.load("things.json", into: "failed") {
      $0.infersModel = true
      $0.catalogue = CatalogueChoice(directory.path(of: "failed.yml"))
      $0.options.match = "Thing.missing"
    }
    #expect(failed.failure != nil)
    for name in ["failed", "model-failed.json", "failed.yml"] {
      #expect(throws: CommandFailure.self) { try SourceFile.read(directory.path(of: name)) }
    }
    let dry = try await directory.load("things.json", into: "dry") {
      $0.infersModel = true
      $0.options.isDryRun = true
      $0.options.batch = nil
    }
    #expect(dry.text.hasSuffix("dry run: nothing was kept\n"))
    #expect(throws: CommandFailure.self) {
      try SourceFile.read(directory.path(of: "model-dry.json"))
    }
  }

  /// Damaged objects say nothing about the types, not even by the members before the damage.
  @Test(arguments: [
    (
      "json", ["{\"a\":1}"],
      ["{\"a\":\"x\",\"b\":tru}", "{\"a\":\"x\",\"a\":1}", "[]", "{\"a\":\"x\"", "7"]
    ),
    ("csv", ["a,b\n1,true"], ["x,y,z", "x"]),
  ])
  func damagedObjectsAreSkipped(
    _ ending: String, _ first: [String], _ damaged: [String]
  ) async throws {
    let good = ending == "json" ? "{\"a\":2,\"b\":true}" : "2,false"
    try directory.write(
      (first + damaged.flatMap { [$0, good] }).joined(separator: "\n") + "\n",
      to: "things.\(ending)")
    let run = try await directory.load("things.\(ending)") {
      $0.infersModel = true
      if ending == "csv" { $0.form.delimiter = "," }
      $0.options.maximumErrors = .max
    }
    #expect(
      run.text == "Thing: \(damaged.count + 1) added\n\(damaged.count) rejected\n", "\(run)")
    let model = try ModelDocument(
      parsing: SourceFile.read(directory.path(of: "model-data.json")).bytes)
    #expect(model.model.entities[0].properties.map(\.type) == [.long, .long, .bool])
    let limited = try await directory.load("things.\(ending)", into: "limited") {
      $0.infersModel = true
      if ending == "csv" { $0.form.delimiter = "," }
      $0.options.maximumErrors = damaged.count - 1
    }
    #expect(limited.failure?.kind == .badInput)
  }

  /// Extended JSON has the types, and makes the objects, of the plain JSON that it stands for.
  @Test(arguments: [
    (#"{"$oid":"507f1f77bcf86cd799439011"}"#, #""507f1f77bcf86cd799439011""#, "string"),
    (#"{ "$oid" : "a\"b" }"#, #""a\"b""#, "string"),
    (#"{"$date":"2024-02-29T09:30:00.5Z"}"#, #""2024-02-29T09:30:00.5Z""#, "date"),
    (#"{"$date":{"$numberLong":"1709199000001"}}"#, #""2024-02-29T09:30:00.001Z""#, "date"),
    (#"{"$date":1709199000001}"#, #""2024-02-29T09:30:00.001Z""#, "date"),
    (#"{"$date":{"$numberLong":"-1"}}"#, #""1969-12-31T23:59:59.999Z""#, "date"),
    (#"{"$date":"2024-02-29T09:30:00.0000005Z"}"#, #""2024-02-29T09:30:00.0000005Z""#, "dateNano"),
    (#"{"$date":"2024-02-29T09:30:00+02:00"}"#, #""2024-02-29T09:30:00+02:00""#, "string"),
    (#"{"$numberInt":"-7"}"#, "-7", "long"),
    (#"{"$numberLong":"9223372036854775807"}"#, "9223372036854775807", "long"),
    (#"{"$numberDouble":"0.1"}"#, "0.1", "double"),
    (#"{"$numberDecimal":"19.90"}"#, "19.90", "double"),
    (#"{"$numberDecimal":"1E+3"}"#, "1E+3", "double"),
    (
      #"{"$numberDecimal":"0.1234567890123456789"}"#, "0.1234567890123456789",
      "string"
    ),
    (#"[{"$oid":"x"},"y"]"#, #"["x","y"]"#, "stringVector"),
    (#"[{"$numberLong":"1"},2]"#, "[1,2]", "longVector"),
    (#"[{"$numberDouble":"0.5"},{"$numberInt":"2"}]"#, "[0.5,2]", "doubleVector"),
  ])
  func extendedJSONIsWhatItStandsFor(
    _ extended: String, _ plain: String, _ type: String
  ) async throws {
    var tables: [String] = []
    for (number, value) in [extended, plain].enumerated() {
      for nesting in InferenceOptions.Nesting.allCases {
        let store = "store\(number)\(nesting)"
        // A name with a dot needs a mapping.
        let other = nesting == .json ? "A_b" : "A.b"
        try directory.write(
          "{\"x\":\(value),\"\(other)\":1}\n{\"x\":null}\n", to: "things.json")
        let run = try await directory.load("things.json", into: store) {
          $0.infersModel = true
          $0.inference.nesting = nesting
          $0.catalogue = CatalogueChoice(directory.path(of: store + ".yml"))
        }
        #expect(run.text == "Thing: 2 added\n", "\(run)")
        let model = try ModelDocument(
          parsing: SourceFile.read(directory.path(of: "model-\(store).json")).bytes)
        #expect(model.model.entities.first?.properties[1].type == PropertyType(named: type))
        _ = try await directory.export(store, to: store + ".csv") {
          $0.options.table = .csv
          $0.options.entities = ["Thing"]
          $0.catalogue = nil
        }
        tables.append(try directory.text(of: store + ".csv"))
      }
    }
    #expect(Set(tables).count == 1, "\(tables)")
  }

  @Test(arguments: [
    #"{"$oid":"x","more":1}"#, #"{"$oid":7}"#, #"{"$numberLong":"x"}"#, #"{"$numberLong":"1.5"}"#,
    #"{"$date":"today"}"#, #"{"$date":{"$numberLong":"9223372036854775807"}}"#, #"{"$other":"x"}"#,
    #"{"$numberInt":"01"}"#,
  ])
  func otherObjectsAreObjects(_ value: String) async throws {
    #expect(try await type(value) == "string 1 objects, as JSON text")
  }

  @Test func linksBecomeRelations() async throws {
    let films = """
      {"title":"A","cast":["Ann","Bo"],"director":"Bo"}
      {"title":"B","cast":["Bo","Bo"],"director":null}
      {"title":"C","director":"Cy"}

      """
    let run = try await infer(films) {
      $0.options.links = [.init("cast", to: "Person"), .init("director", to: "Person")]
      $0.output = directory.path(of: "model.json")
    }
    #expect(run.text.contains("relation to many, by Person.name"))
    #expect(run.text.contains("relation to one, by Person.name"))
    let imported = try await directory.load("things.json") {
      $0.model = directory.path(of: "model.json")
      $0.catalogue = CatalogueChoice(directory.path(of: "converters.yml"))
      $0.options.entity = "Thing"
    }
    #expect(
      imported.text == "Person: 3 added\nThing: 3 added\nThing.cast: 3 entries\n", "\(imported)")
    let model = try ModelDocument(parsing: SourceFile.read(directory.path(of: "model.json")).bytes)
    #expect(model.check().isEmpty)
    #expect(model.model.entities.map(\.name) == ["Thing", "Person"])
    #expect(
      model.model.entities[1].properties.map(\.flags) == [.id, [.indexed, .indexHash, .unique]])
  }

  /// Codes some of which look like integers: in the key, in the references, or in both, in CSV and JSON.
  @Test(arguments: [
    (["101", "102"], ["101", "A02"]), (["A02", "101"], ["101", "101"]),
    (["A02", "101"], ["A02", "101"]), (["007", "7"], ["7", "007"]),
    (["1.10", "1.1"], ["1.1", "1.10"]),
  ])
  func aKeyAndItsReferencesHaveOneType(_ keys: [String], _ references: [String]) async throws {
    func isNumber(_ code: String) -> Bool { Int(code).map { "\($0)" } == code }
    for isJSON in [false, true] {
      func text(_ key: String, _ codes: [String]) -> String {
        if !isJSON { return "\(key),n\n" + codes.map { "\($0),x\n" }.joined() }
        return codes.map { "{\"\(key)\":\(isNumber($0) ? $0 : "\"\($0)\""),\"n\":\"x\"}\n" }
          .joined()
      }
      let name = "\(isJSON)-\(keys)-\(references)".filter { $0.isLetter || $0.isNumber }
      let (stops, times) = (
        isJSON ? "stops.json" : "stops.csv", isJSON ? "times.json" : "times.csv"
      )
      try directory.write(text("stop_id", keys), to: stops)
      try directory.write(text("stop_id", references), to: times)
      let inferred = try await directory.run { place in
        var request = InferenceRequest([stops, times].map(directory.path))
        request.options.links = [.init("stop_id", to: "Stop", key: "stop_id")]
        request.output = directory.path(of: "\(name).json")
        request.catalogue = directory.path(of: "\(name).yml")
        return (.success, try request.run(in: place).text)
      }
      #expect(inferred.failure == nil, "\(inferred)")
      for (file, entity) in [(times, "Time"), (stops, "Stop")] {
        let run = try await directory.load(file, into: name) {
          $0.model = directory.path(of: "\(name).json")
          $0.catalogue = CatalogueChoice(directory.path(of: "\(name).yml"))
          $0.options.entity = entity
          if entity == "Stop" {
            $0.options.mode = .upsert
            $0.options.match = "Stop.stop_id"
          }
        }
        #expect(run.failure == nil, "\(run)")
        // Each reference has found, or made, the stop of its text.
        let missing = Set(keys).subtracting(references).count
        if entity == "Stop" {
          let changed = keys.count - missing
          let end = changed > 0 ? ", \(changed) changed" : ""
          #expect(run.text == "Stop: \(missing) added\(end)\n", "\(run)")
        }
      }
    }
  }

  @Test func membersOfNestedObjectsCanHaveIndexes() async throws {
    let lines = "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}\n"
    let flat = try await infer(lines) {
      $0.options.nesting = .flatten
      $0.options.indexed = ["a_b"]
    }
    #expect(flat.text.contains("\na_b   long, indexed       2  integers from 1 to 2"), "\(flat)")
    let nested = try await infer(lines) { $0.options.indexed = ["a_b"] }
    #expect(nested.failure?.message == "no object has the member \"a_b\"")
  }

  @Test func theCatalogueIsNotTheModel() async throws {
    let path = directory.path(of: "both.json")
    let run = try await infer("{\"x\":{}}\n") {
      $0.output = path
      $0.catalogue = path
    }
    #expect(run.failure?.kind == .usage)
    #expect(throws: CommandFailure.self) { try SourceFile.read(path) }
  }
}
