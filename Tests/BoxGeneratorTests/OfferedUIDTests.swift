import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import Testing

/// The UIDs that a run offers to declarations that ask for one.
struct OfferedUIDTests {
  private func run(_ annotations: [String?], _ model: [UInt8]?, head: [UInt8]? = nil) async
    -> Generation
  {
    let members = annotations.enumerated().map { number, annotation in
      (annotation.map { "  // objectbox: \($0)\n" } ?? "") + "  var p\(number): Int = 0\n"
    }
    let text =
      "// objectbox: entity\nfinal class A {\n  var id: Id = 0\n\(members.joined())\n  init() {}\n}\n"
    var request = GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(text.utf8))], target: "A",
      modelPath: "model-A.json", model: model, bindingsPath: "A.generated.swift", bindings: nil)
    request.uids = .random
    let past = PastModels(head: head)
    request.past = { past }
    return await Generation(request)
  }

  /// The new UIDs in the messages of a run, in the order of the declarations.
  private func offers(_ run: Generation) -> [UID] {
    run.findings.compactMap { finding in
      finding.message.split(separator: " ").last.flatMap { UID($0) }
    }
  }

  @Test func twoRequestsOfOneRunGetDifferentUIDs() async throws {
    let model = try #require(await run([nil, nil], nil).model)
    let first = await run(["uid", nil], model)
    let offered = try #require(offers(first).first)
    let both = offers(await run(["uid", "uid"], first.model))
    #expect(both.count == 2 && both.contains(offered) && Set(both).count == 2)
  }

  /// The order of the declarations does not matter.
  @Test(arguments: [true, false])
  func aUIDThatADeclarationHasIsNotOfferedToAnother(isFirst: Bool) async throws {
    let model = try #require(await run([nil, nil], nil).model)
    let first = await run(isFirst ? ["uid", nil] : [nil, "uid"], model)
    let offered = try #require(offers(first).first)
    let next = offers(
      await run(isFirst ? ["uid = \(offered)", "uid"] : ["uid", "uid = \(offered)"], first.model))
    #expect(next.count == 1 && next != [offered])
  }

  @Test func aUIDThatBranchesShareIsNotOffered() async throws {
    let model = try #require(await run([nil, nil], nil).model)
    let first = await run(["uid", nil], model)
    let offered = try #require(offers(first).first)
    let next = await run(["uid", nil], first.model, head: first.model)
    #expect(offers(next).count == 1 && offers(next) != [offered])
    // The new one waits for the next run, and both can be chosen.
    #expect(offers(await run(["uid", nil], next.model, head: first.model)) == offers(next))
    #expect(await !run(["uid = \(offered)", nil], next.model, head: first.model).hasErrors)
  }
}
