import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Laws of entities with structs, whose oracle is the same entity written flat.
@Suite(.serialized) struct EmbeddedLawTests {
  /// An entity whose names differ, and the runs of both forms.
  private func pair(
    _ random: inout SplitMix64, depth: Int
  ) async -> (schema: RandomEmbedding, embedded: Generation, flat: Generation) {
    while true {
      let schema = RandomEmbedding(&random, depth: depth)
      let names = schema.leaves.map { foldedName($0.name) }
      // A prefix may make two names one.
      if Set(names).count < names.count || names.count > 300 { continue }
      return (schema, await generate(schema.embedded()), await generate(schema.flat()))
    }
  }

  @Test func theModelIsThatOfTheFlatEntity() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_EMBEDDED", default: 300) {
      let (schema, embedded, flat) = await pair(&random, depth: random.below(5))
      let text = "round \(round)\n\(schema.embedded())"
      #expect(!embedded.hasErrors && embedded.model != nil, "\(embedded.findings) \(text)")
      #expect(embedded.model == flat.model, "\(text)\n\(schema.flat())")
      guard let bytes = embedded.model else { continue }
      let document = try ModelDocument(parsing: bytes)
      #expect(document.check().isEmpty)
      // Each form takes the model of the other one as its own.
      #expect(await generate(schema.embedded(), model: flat.model).model == bytes)
      #expect(await generate(schema.flat(), model: bytes).model == bytes)
    }
  }

  @Test func theModelIsThatOfTheFlatEntityInEveryDialect() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_EMBEDDED", default: 20) {
      let (schema, embedded, _) = await pair(&random, depth: random.below(4))
      var model = try ModelDocument(parsing: #require(embedded.model)).model
      // Each dialect writes its own notes.
      model.otherMembers = []
      for dialect in TestDialect.allCases {
        let text = "round \(round), \(dialect)\n\(schema.embedded())"
        let whole = dialect.file(model)
        #expect(try ModelDocument(parsing: whole).check().isEmpty, "\(text)")
        #expect(await generate(schema.embedded(), model: whole).model == whole, "\(text)")
        // A member that is new is written in the dialect, whatever the form.
        var shorter = model
        shorter.entities[0].properties.removeLast()
        let old = dialect.file(shorter)
        let runs = [
          await generate(schema.embedded(), model: old), await generate(schema.flat(), model: old),
        ]
        let bytes = try #require(runs[0].model, "\(runs[0].findings) \(text)")
        #expect(runs[1].model == bytes, "\(text)")
        let grown = try ModelDocument(parsing: bytes)
        #expect(grown.check().isEmpty, "\(text)")
        #expect(grown.model.entities[0].properties.count == model.entities[0].properties.count)
      }
    }
  }

  @Test func theRecordsAreThoseOfTheFlatEntity() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_EMBEDDED_PROGRAMS", default: 1) {
      let (schema, embedded, flat) = await pair(&random, depth: 4)
      let seed = random.next()
      var stores: [[UInt8]] = []
      var texts: [String] = []
      let programs = [
        try await program(schema, embedded, isFlat: false, seed: seed),
        try await program(schema, flat, isFlat: true, seed: seed),
      ]
      for program in programs {
        texts.append(try await program.run())
        stores.append(
          try TemporaryDirectory.bytes(ofFile: program.directory.path(of: "own/data.mdb")))
      }
      let text = "round \(round)\n\(schema.embedded())"
      #expect(texts[0] == texts[1] && texts[0].count > 40, "\(text)")
      #expect(stores[0] == stores[1], "\(text)")
      // Each reads the store of the other one.
      let other = try await programs[0].run(programs[1].directory.path(of: "own"))
      #expect(other == texts[0], "\(text)")
      // Its directory must be there until then.
      withExtendedLifetime(programs) {}
    }
  }

  private func program(
    _ schema: RandomEmbedding, _ run: Generation, isFlat: Bool, seed: UInt64
  ) async throws -> GeneratedProgram {
    try await GeneratedProgram([
      "Entities.swift": isFlat ? schema.flat() : schema.embedded(),
      "EntityInfo.generated.swift": #require(run.bindings, "\(run.findings)"),
      "main.swift": schema.program(isFlat: isFlat, seed: seed),
    ])
  }
}
