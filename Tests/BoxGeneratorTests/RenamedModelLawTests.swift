import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// The models of other files that stop a run without a model file.
struct RenamedModelLawTests {
  private static let names = ["Note", "Tag", "Book", "Author", "Shelf", "Pen"]

  /// The run of a target with some entities.
  private func request(_ entities: [String], target: String) -> GeneratorRequest {
    let source = entities.map {
      "// objectbox: entity\nfinal class \($0) {\n  var id: Id = 0\n  init() {}\n}\n"
    }
    return GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(source.joined().utf8))], target: target,
      modelPath: "model-\(target).json", model: nil,
      bindingsPath: "EntityInfo-\(target).generated.swift", bindings: nil)
  }

  /// A part of the names, each with a case of its own.
  private func part(_ random: inout SplitMix64, atLeast count: Int = 0) -> [String] {
    let chosen = random.shuffled(Self.names).prefix(count + random.below(Self.names.count))
    return chosen.map { random.oneIn(4) ? $0.uppercased() : $0 }
  }

  private struct Other {
    var entities: [String]
    var hasTarget: Bool
    var generation: Generation
    /// Whether its bindings are among the sources.
    var hasBindings: Bool
    /// Whether its model file is there.
    var isThere: Bool
  }

  /// A run stops exactly if another model has half of the entities, or bindings are among the sources.
  @Test func otherModelsStopARunExactlyWhenTheyShould() async throws {
    var random = TestSeed.next()
    var counts: [Bool: Int] = [:]
    for step in 0..<TestSeed.count("BOXJOINT_RENAMED_MODELS", default: 200) {
      let entities = part(&random, atLeast: 1)
      var others: [Other] = []
      for number in 0..<random.below(4) {
        let names = part(&random, atLeast: 1)
        others.append(
          Other(
            entities: names, hasTarget: random.oneIn(2),
            generation: await Generation(request(names, target: "Other\(number)")),
            hasBindings: random.oneIn(6), isThere: !random.oneIn(4)))
      }
      var run = request(entities, target: "App")
      for (number, other) in others.enumerated() {
        if other.isThere {
          let bytes = try #require(other.generation.model)
          run.otherModels.append(
            OtherModel(
              path: "model-Other\(number).json", model: try ModelDocument(parsing: bytes).model,
              hasTarget: other.hasTarget, command: "command \(number)"))
        }
        if other.hasBindings {
          run.otherBindings.append(
            SwiftFile(
              path: "EntityInfo-Other\(number).generated.swift",
              bytes: try #require(other.generation.bindingBytes)))
        }
      }
      let stops = others.contains { other in
        if other.hasBindings && !(other.isThere && other.hasTarget) { return true }
        if !other.isThere { return false }
        let common = entities.count { name in
          other.entities.contains { $0.lowercased() == name.lowercased() }
        }
        return common > 0 && 2 * common >= entities.count
          && (!other.hasTarget || 2 * common >= other.entities.count)
      }
      counts[stops, default: 0] += 1
      let result = await Generation(run)
      let message = "step \(step): \(entities) beside \(others.map { ($0.entities, $0.hasTarget) })"
      #expect(result.hasErrors == stops, "\(message): \(result.findings)")
      #expect((result.model == nil) == stops, "\(message)")
      #expect(result.findings.allSatisfy { $0.rule.id == "BOX975" }, "\(message)")
      // A target with a model file is never stopped.
      run.model = try #require(
        await Generation(request(entities, target: "App")).model, "\(message)")
      #expect(!(await Generation(run)).hasErrors, "\(message)")
    }
    #expect(counts.count == 2, "\(counts)")
  }

  /// The model with most in common is named, and one of another target only if there is no other.
  @Test func theMostLikelyModelIsNamed() async throws {
    func other(_ path: String, _ entities: [String], hasTarget: Bool = false) async throws
      -> OtherModel
    {
      let bytes = try #require(await Generation(request(entities, target: "O")).model)
      return OtherModel(
        path: path, model: try ModelDocument(parsing: bytes).model, hasTarget: hasTarget,
        command: "mv \(path)")
    }
    var run = request(["Note", "Tag"], target: "App")
    run.otherModels = [
      try await other("one.json", ["Note"]), try await other("two.json", ["note", "Tag", "Pen"]),
      try await other("three.json", ["Note", "Tag"], hasTarget: true),
    ]
    let finding = try #require(await Generation(run).findings.first)
    #expect(
      finding.message
        == "The model file is missing, and \"two.json\" has 2 of the 2 entities, such as "
        + "\"Note\", of the sources")
    #expect(finding.advice?.contains("run \"mv two.json\"") == true)
    run.otherModels.removeFirst(2)
    let ofTarget = try #require(await Generation(run).findings.first)
    #expect(ofTarget.advice?.contains("--model-json three.json") == true)
    run.otherModels = [OtherModel(path: "empty.json", model: Model(), command: "")]
    run.otherBindings = [
      SwiftFile(path: "B.generated.swift", bytes: Array("// Generated by boxjoint-generate".utf8))
    ]
    #expect(!(await Generation(run)).hasErrors)
  }
}
