import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Laws on schemas that the tests make up.
@Suite(.serialized) struct RandomSchemaTests {
  private func generation(_ sources: [String: String]) async -> Generation {
    var request = GeneratorRequest(
      files: sources.map { SwiftFile(path: $0.key, bytes: Array($0.value.utf8)) }, target: "App",
      modelPath: "model-App.json", model: nil, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.uids = .sequential
    return await Generation(request)
  }

  @Test(.promise(345)) func parsingGivesTheSchema() async throws {
    var random = TestSeed.next()
    for round in 0..<300 {
      let schema = RandomSchema(&random)
      let sources = schema.sources(&random)
      let run = await generation(sources)
      let text = sources.values.joined(separator: "\n")
      #expect(!run.hasErrors, "round \(round): \(run.findings)\n\(text)")
      guard let bytes = run.model else { continue }
      let document = try ModelDocument(parsing: bytes)
      #expect(document.check().allSatisfy { $0.severity != .error })
      try compare(document.model, schema, "round \(round)\n\(text)")
      // The same input gives the same bytes, and with its own model nothing changes.
      #expect(await generation(sources).bindings == run.bindings)
      var again = GeneratorRequest(
        files: sources.map { SwiftFile(path: $0.key, bytes: Array($0.value.utf8)) }, target: "App",
        modelPath: "model-App.json", model: bytes, bindingsPath: "EntityInfo.generated.swift",
        bindings: run.bindings.map { Array($0.utf8) })
      again.allowsRemovals = false
      let second = await Generation(again)
      #expect(second.model == bytes && second.bindings == run.bindings, "\(second.findings)")
    }
  }

  private func compare(_ model: Model, _ schema: RandomSchema, _ comment: String) throws {
    #expect(model.entities.count == schema.entities.count)
    for entity in schema.entities {
      let found = try #require(model.entities.first { $0.name == entity.name }, "\(comment)")
      #expect(
        Set(found.properties.map(\.name)) == Set(entity.fields.map(\.stored) + [entity.idName]),
        "\(comment)")
      let id = try #require(found.properties.first { $0.name == entity.idName })
      #expect(id.flags == .id && id.type == .long, "\(comment)")
      for field in entity.fields {
        let property = try #require(found.properties.first { $0.name == field.stored })
        switch field.form {
        case .value(let number):
          #expect(property.type == RandomSchema.types[number].stored, "\(field) \(comment)")
        case .number, .money: #expect(property.type == .long, "\(field) \(comment)")
        case .word: #expect(property.type == .string, "\(field) \(comment)")
        case .toOne(let target):
          #expect(property.type == .relation, "\(field) \(comment)")
          #expect(property.relationTarget == schema.entities[target].name, "\(comment)")
        }
        #expect(property.flags == field.flags, "\(field) \(comment)")
        #expect((property.indexID != nil) == property.flags.isIndexed, "\(comment)")
      }
      let relations = entity.collections.filter { $0.backlink == nil }
      #expect(
        found.relations?.map(\.name).sorted() ?? []
          == relations.map(\.name).map { name in
            name.filter { $0 != "`" }
          }.sorted(), "\(comment)")
      for relation in relations {
        let stored = found.relations?.first { $0.name == relation.name.filter { $0 != "`" } }
        let target = model.entities.first { $0.name == schema.entities[relation.target].name }
        #expect(stored?.target == target?.pair, "\(comment)")
      }
    }
  }

  @Test(.promise(61, 62, 64, 170, 345)) func generatedCodeAgreesWithADictionary() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_GENERATED", default: 3) {
      let schema = RandomSchema(&random, fieldCount: round == 0 ? 40 : 12)
      var files = schema.sources(&random)
      let run = await generation(files)
      let bindings = try #require(run.bindings, "\(run.findings)")
      files["EntityInfo.generated.swift"] = bindings
      files["main.swift"] = RandomProgram(schema: schema).text(seed: random.next(), steps: 400)
      do {
        #expect(try await GeneratedProgram(files).run() == "agreed\n")
      } catch {
        Issue.record(
          "round \(round): \(error)\n\(files.map { "// \($0.key)\n\($0.value)" }.joined())")
      }
    }
  }
}
