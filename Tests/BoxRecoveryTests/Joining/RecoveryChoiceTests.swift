import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// The choice among versions and models.
struct RecoveryChoiceTests {
  private func entity(_ name: String, _ uid: UID, _ count: Int = 1) -> TestModel.Entity {
    TestModel.Entity(
      name: name, uid: uid,
      properties: (0..<count).map { number in
        number == 0 ? .id() : TestModel.Property(name: "p\(number)", type: .int)
      })
  }

  private func candidate(
    _ model: TestModel, at path: String? = "/r/model.json", time: Int? = 1,
    kind: SourceKind = .git, code: Model? = nil, facts: [StatedFact] = []
  ) throws -> ModelCandidate {
    var evidence: [Evidence] = []
    if let code {
      evidence = CodeScan.evidence(in: CodeWriter.files(whole(code), .java))
      try #require(evidence.first?.isComplete ?? false)
    }
    var found = ModelCandidate(
      try model.document(), name: "\(path ?? "-") \(time ?? 0)",
      requirement: AgreementRequirement(evidence: evidence, facts: facts))
    found.origins = [CandidateOrigin(kind: kind, place: "\(path ?? "-")", path: path, time: time)]
    return found
  }

  private func whole(_ model: Model) -> Model {
    var model = model
    model.lastIndexID = model.lastIndexID ?? .unset
    model.lastRelationID = model.lastRelationID ?? .unset
    return model
  }

  private func way(
    _ all: [ModelCandidate], code: Model? = nil, facts: [StatedFact] = [], path: String? = nil
  ) -> RecoveryChoice.Outcome {
    let evidence = code.map { CodeScan.evidence(in: CodeWriter.files(whole($0), .java)) } ?? []
    return RecoveryChoice(among: all, evidence: evidence, facts: facts, path: path).outcome
  }

  @Test func idsDecideBeforeTimes() throws {
    let new = try candidate(TestModel(entity("A", 1000), entity("B", 2000)), time: 1)
    let old = try candidate(TestModel(entity("A", 1000)), time: 2)
    #expect(way([old, new]) == .found(1))
  }

  /// A version that has removed all that the one before it had is a version of the same model.
  @Test func retiredEntitiesJoinVersions() throws {
    let old = try candidate(TestModel(entity("A", 1000)), time: 1)
    var model = TestModel(entity("B", 2000), retired: [.entity: [1000]])
    model.entities[0].id = 2
    let new = try candidate(model, time: 2)
    #expect(way([old, new]) == .found(1))
    #expect(way([new, old]) == .found(0))
  }

  @Test func timesDecideWhereIdsDoNot() throws {
    let a = try candidate(TestModel(entity("A", 1000)), time: 1)
    let b = try candidate(TestModel(entity("Renamed", 1000)), time: 2)
    #expect(way([a, b]) == .found(1))
    #expect(way([b, a]) == .found(0))
  }

  @Test func theVersionOfTheCodeComesBack() throws {
    let code = TestModel(entity("A", 1000, 2)).model
    let old = try candidate(TestModel(entity("A", 1000, 2)), time: 1, code: code)
    let new = try candidate(TestModel(entity("A", 1000, 2), entity("B", 2000)), time: 2, code: code)
    #expect(way([old, new], code: code) == .found(0))
    #expect(way([old, new]) == .found(1))
  }

  /// A copy of older code, as in the directory of a build, must not bring an older file back.
  @Test func theNewestCodeCounts() throws {
    let files = [TestModel(entity("A", 1000)), TestModel(entity("A", 1000, 2))].enumerated()
      .flatMap { number, model in
        CodeWriter.files(whole(model.model), .java).map {
          CodeScan.File(path: "\(number)/\($0.path)", bytes: $0.bytes)
        }
      }
    let requirement = AgreementRequirement(evidence: CodeScan.evidence(in: files))
    #expect(requirement.differences(of: TestModel(entity("A", 1000)).model) == nil)
    #expect(requirement.differences(of: whole(TestModel(entity("A", 1000, 2)).model)) != nil)
  }

  /// Branches that have renamed what they have in common: no id tells their files apart, the code does.
  ///
  /// Two copies of the code are as old as each other, and the later of their files is the one.
  @Test func namesOfTheCodeDecideAmongBranches() throws {
    let seed = TestSeed.value("namesOfTheCodeDecideAmongBranches")
    for number in 0..<RecoverySoak.count(normal: 100) {
      var generator = ModelGenerator(seed: seed &+ UInt64(number))
      let base = generator.history(length: 2)[1]
      guard base.entities.contains(where: { $0.properties.count > 1 }) else { continue }
      let branches = (0..<4).map { branch in
        var model = base
        let entity = base.entities.indices.filter { base.entities[$0].properties.count > 1 }
          .randomElement(using: &generator.random)!
        let property = (1..<base.entities[entity].properties.count)
          .randomElement(using: &generator.random)!
        model.entities[entity].properties[property].name += "Of\(branch)"
        return model
      }
      let coded = (0...generator.random.below(2)).map { _ in generator.random.below(4) }
      let evidence = coded.enumerated().flatMap { copy, branch in
        CodeScan.evidence(
          in: CodeWriter.files(branches[branch], .java).map {
            CodeScan.File(path: "\(copy)/\($0.path)", bytes: $0.bytes)
          })
      }
      try #require(evidence.count == coded.count && evidence.allSatisfy { $0.isComplete })
      let requirement = AgreementRequirement(evidence: evidence)
      let times = Array(0..<4).shuffled(using: &generator.random)
      let candidates = try zip(branches, times).map { model, time in
        var found = ModelCandidate(
          try ModelDocument(of: model), name: "\(time)", requirement: requirement)
        found.origins = [CandidateOrigin(kind: .git, place: "git", path: "/r/a.json", time: time)]
        return found
      }
      try #require(candidates.allSatisfy { $0.isSound })
      let choice = RecoveryChoice(among: candidates, evidence: evidence, facts: [], path: nil)
      let wanted = coded.max { times[$0] < times[$1] }!
      #expect(choice.outcome == .found(wanted), "\(number): \(coded) \(times)")
    }
  }

  @Test func withoutAVersionOfTheCodeTheNewestIsCompleted() throws {
    let code = TestModel(entity("A", 1000, 3)).model
    let old = try candidate(TestModel(entity("A", 1000, 1)), time: 1, code: code)
    let new = try candidate(TestModel(entity("A", 1000, 2)), time: 2, code: code)
    #expect(way([old, new], code: code) == .completed(1))
  }

  /// Same path, same names, no UID: the file was generated again.
  @Test(arguments: [SourceKind.git, .file]) func aRegeneratedFileIsNotUsed(_ kind: SourceKind)
    throws
  {
    let again = TestModel(entity("A", 9000), entity("B", 9500))
    let original = try candidate(TestModel(entity("A", 1000), entity("B", 2000)), time: 1)
    let regenerated = try candidate(again, time: 2, kind: kind)
    #expect(way([regenerated, original]) == .found(1))
    // Even if the code on disk was generated with it.
    #expect(way([regenerated, original], code: again.model) == .found(1))
    // But not if the user says that the databases have its UIDs.
    let fact = try #require(StatedFact("A=1:9000"))
    let stated = try [again, TestModel(entity("A", 1000), entity("B", 2000))].map {
      try candidate($0, facts: [fact])
    }
    #expect(way(stated, facts: [fact]) == .found(0))
  }

  @Test func severalModelsAreDistinguishedByTheirPaths() throws {
    let a = try candidate(TestModel(entity("A", 1000)), at: "/r/a.json")
    let b = try candidate(TestModel(entity("B", 2000)), at: "/r/b.json")
    guard case .ambiguous(let models) = way([a, b]) else {
      Issue.record("one was chosen")
      return
    }
    #expect(models.count == 2)
    #expect(way([a, b], path: "/r/b.json") == .found(1))
    let code = TestModel(entity("A", 1000)).model
    let fitting = try candidate(TestModel(entity("A", 1000)), at: "/r/a.json", code: code)
    #expect(way([fitting, b], code: code) == .found(0))
  }

  @Test func codeAloneIsEnough() throws {
    #expect(way([], code: TestModel(entity("A", 1000)).model) == .rebuilt)
    #expect(way([]) == .nothing)
  }
}
