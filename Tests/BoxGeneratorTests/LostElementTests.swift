import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Elements of the sources that the model file has removed, which a run would begin without their data.
struct LostElementTests {
  private func generate(
    _ source: String, model: [UInt8]?, versions: [Model] = [], head: [UInt8]? = nil,
    bindings: [UInt8]? = nil
  ) async -> Generation {
    var request = GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: "A",
      modelPath: "model-A.json", model: model, bindingsPath: "EntityInfo-A.generated.swift",
      bindings: bindings)
    request.allowsRemovals = true
    let past = PastModels(
      head: head, versions: versions.map { ResetBase(name: "HEAD", model: $0) })
    request.past = { past }
    return await Generation(request)
  }

  private func note(_ members: String...) -> String {
    "class Note: Entity {\n  var id: Id = 0\n"
      + members.map { "  \($0)\n" }.joined() + "  required init() {}\n}\n"
  }

  private func model(_ generation: Generation) throws -> Model {
    try ModelDocument(parsing: try #require(generation.model)).model
  }

  private func uid(_ name: String, in model: Model) -> UID {
    model.entities.flatMap(\.properties).first { $0.name == name }?.pair.uid ?? 0
  }

  /// The model with p, and the one that a merge made of it without.
  private func versions() async throws -> (with: Model, without: [UInt8], bindings: [UInt8]) {
    let first = await generate(note("var p: Int = 0", "var q: Int = 0"), model: nil)
    let second = await generate(note("var q: Int = 0"), model: first.model)
    #expect(second.retired == ["Note.p"])
    return (
      try model(first), try #require(second.model), try #require(first.bindingBytes)
    )
  }

  @Test func bothNumbersAreOffered() async throws {
    let (with, without, bindings) = try await versions()
    let source = note("var q: Int = 0", "var p: Int = 0")
    for (past, code) in [([with], nil), ([], bindings)] as [([Model], [UInt8]?)] {
      let run = await generate(source, model: without, versions: past, bindings: code)
      #expect(run.bindings == nil)
      let finding = try #require(run.findings.first { $0.rule.id == "BOX974" })
      #expect(finding.region?.line == 4)
      let offered = try #require(try model(run).newUIDPool?.first)
      #expect(
        finding.message.hasSuffix(
          "[Rename] Apply the earlier UID using // objectbox: uid = \(uid("p", in: with))"
            + " [Change/Reset] Apply a new UID using // objectbox: uid = \(offered)"))
    }
    let unknown = await generate(source, model: without)
    #expect(!unknown.hasErrors)
  }

  @Test func theFirstKeepsTheData() async throws {
    let (with, without, bindings) = try await versions()
    let p = uid("p", in: with)
    let source = note("var q: Int = 0", "// objectbox: uid = \(p)", "var p: Int = 0")
    let run = await generate(source, model: without, versions: [with], bindings: bindings)
    #expect(run.findings.isEmpty, "\(run.findings.map(\.message))")
    #expect(run.resets.isEmpty)
    let after = try model(run)
    #expect(Set(after.entities[0].properties) == Set(with.entities[0].properties))
    #expect(after.retiredPropertyUIDs == [])
    // Once it has passed, the annotation may go.
    let again = await generate(
      note("var q: Int = 0", "var p: Int = 0"), model: run.model, versions: [with])
    #expect(again.model == run.model)
    // Without a version that has it, the UID is one that was removed.
    let refused = await generate(source, model: without)
    #expect(refused.findings.map(\.rule.id) == ["BOX960"])
  }

  @Test func theSecondIsStated() async throws {
    let (with, without, bindings) = try await versions()
    let source = note("var q: Int = 0", "var p: Int = 0")
    let offer = await generate(source, model: without, versions: [with], bindings: bindings)
    let fresh = try #require(try model(offer).newUIDPool?.first)
    let chosen = note("var q: Int = 0", "// objectbox: uid = \(fresh)", "var p: Int = 0")
    let run = await generate(chosen, model: offer.model, versions: [with], bindings: bindings)
    #expect(!run.hasErrors, "\(run.findings.map(\.message))")
    #expect(run.resets.map(\.element) == ["Note.p"])
    #expect(run.resets.first?.fix.old.uid == uid("p", in: with))
    #expect(run.resets.first?.fix.new.uid == fresh)
    #expect(uid("p", in: try model(run)) == fresh)
  }

  @Test func aResetByAnnotationIsStated() async throws {
    let (with, _, _) = try await versions()
    let start = try await generate(note("var p: Int = 0", "var q: Int = 0"), model: nil)
    let asked = await generate(
      note("// objectbox: uid", "var p: Int = 0", "var q: Int = 0"), model: start.model)
    let fresh = try #require(try model(asked).newUIDPool?.first)
    let run = await generate(
      note("// objectbox: uid = \(fresh)", "var p: Int = 0", "var q: Int = 0"),
      model: asked.model, versions: [with])
    #expect(run.resets.map(\.element) == ["Note.p"])
    #expect(run.resets.first?.fix.old.uid == uid("p", in: try model(start)))
  }

  /// Bindings that are not committed can be of another branch.
  @Test func bindingsOfAnotherBranchSayNothing() async throws {
    let base = await generate(note("var q: Int = 0"), model: nil)
    let other = await generate(note("var q: Int = 0", "var p: Int = 0"), model: base.model)
    let run = await generate(
      note("var p: Int = 0", "var q: Int = 0"), model: base.model, head: base.model,
      bindings: other.bindingBytes)
    #expect(run.findings.isEmpty, "\(run.findings.map(\.message))")
  }

  @Test func anotherTypeIsAnotherProperty() async throws {
    let (with, without, bindings) = try await versions()
    let run = await generate(
      note("var q: Int = 0", "var p: String = \"\""), model: without, versions: [with],
      bindings: bindings)
    #expect(!run.hasErrors)
  }

  @Test func anEntityComesBackWithItsMembers() async throws {
    let both =
      note("var p: Int = 0") + "class Tag: Entity {\n  var id: Id = 0\n  var t: Int = 0\n"
      + "  required init() {}\n}\n"
    let first = await generate(both, model: nil)
    let second = await generate(note("var p: Int = 0"), model: first.model)
    #expect(second.retired == ["Tag"])
    let with = try model(first)
    let run = await generate(both, model: second.model, versions: [with])
    #expect(run.findings.map(\.rule.id) == ["BOX974"])
    let tag = with.entities.first { $0.name == "Tag" }?.pair.uid ?? 0
    let chosen = both.replacing("class Tag", with: "// objectbox: uid = \(tag)\nclass Tag")
    let restored = await generate(chosen, model: second.model, versions: [with])
    #expect(try model(restored) == with)
  }

  /// Generated code that is not committed is older than a model that is.
  @Test func aCommittedModelIsNotLost() async throws {
    let (with, _, _) = try await versions()
    let other = await generate(note("var p: Int = 0", "var q: Int = 0"), model: nil)
    let lost = await generate(
      note("var p: Int = 0", "var q: Int = 0"), model: other.model,
      bindings: try #require(
        await generate(note("var p: Int = 0", "var r: Int = 0"), model: nil).bindingBytes))
    #expect(lost.findings.map(\.rule.id) == ["BOX964"])
    #expect(with.entities.count == 1)
    let kept = await generate(
      note("var q: Int = 0"), model: other.model, head: other.model,
      bindings: try #require(
        await generate(note("var r: Int = 0"), model: nil).bindingBytes))
    #expect(!kept.findings.contains { $0.rule.id == "BOX964" })
  }
}
