import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// A model under another name, compared with a base that does not have the name.
struct RenamedModelLawTests {
  private static let (old, new) = ("model-App.json", "model-Kit.json")

  /// A random model, with UIDs from a number on.
  private func model(
    _ names: [String], from uid: Int, _ random: inout SplitMix64
  ) -> SmallModel {
    SmallModel(
      names.enumerated().map { number, name in
        let first = uid + 100 * (number + 1)
        let properties = (0..<random.below(4)).map { property in
          SmallModel.Property(
            id: property + 2, uid: first + property + 2, name: "p\(property)",
            type: random.pick([5, 6, 9]))
        }
        return SmallModel.Entity(
          id: number + 1, uid: first, name: name, properties: properties)
      })
  }

  /// A change of a model that keeps its UIDs.
  private func change(_ model: inout SmallModel, _ random: inout SplitMix64) {
    model.lastEntity = model.entities.last.map { ($0.id, $0.uid) }
    if model.entities.count > 1, random.oneIn(3) {
      let gone = model.entities.remove(at: random.below(model.entities.count))
      model.retiredEntities.append(gone.uid)
    }
    let changed = random.below(model.entities.count)
    switch random.below(3) {
    case 0: model.entities[changed].name += "s"
    case 1 where !model.entities[changed].properties.isEmpty:
      model.entities[changed].properties[0].type = 10
    default: break
    }
    if random.oneIn(2) {
      let id = (model.lastEntity?.id ?? 0) + 1
      model.entities.append(SmallModel.Entity(id: id, uid: 90_000 + id, name: "New"))
      model.lastEntity = nil
    }
  }

  private func run(
    _ repository: TemporaryRepository, _ name: String
  ) async throws -> [(run: RequestRun, text: String)] {
    var runs: [(run: RequestRun, text: String)] = []
    for usesMergeBase in [false, true] {
      let plan = try await repository.plan(name, against: "v1") { $0.usesMergeBase = usesMergeBase }
      runs.append((plan, plan.text.replacing(Self.new, with: Self.old)))
    }
    let check = try await repository.check(name, against: "v1")
    runs.append((check, check.text.replacing(Self.new, with: Self.old)))
    return runs
  }

  /// Plan and check say of a renamed model what they say of one that keeps its path, and name the model; without
  /// a UID in common half of the names decide, of both models if the earlier one is still there.
  @Test func aRenamedModelIsComparedAsIfItKeptItsPath() async throws {
    var random = TestSeed.next()
    let repository = try await TemporaryRepository()
    try await repository.commit(["README": "x"])
    let names = ["Note", "Tag", "Book", "Author"]
    var counts: [String: Int] = [:]
    for step in 0..<TestSeed.count("BOXJOINT_RENAMED_PATHS", default: 24) {
      let base = model(
        Array(random.shuffled(names).prefix(1 + random.below(4))), from: 1000, &random)
      var later = base
      let isBegunAgain = random.oneIn(2)
      if isBegunAgain {
        later = model(
          Array(random.shuffled(names).prefix(1 + random.below(4))), from: 50_000, &random)
      } else {
        change(&later, &random)
      }
      try await repository.git("switch", "--quiet", "--force", "--create", "b\(step)", "main")
      try await repository.git("clean", "--quiet", "--force")
      try await repository.commit([Self.old: base.text])
      try await repository.git("tag", "--force", "v1")
      try repository.write(later.text, to: Self.old)
      let expected = try await run(repository, Self.old)
      let isThere = random.oneIn(2)
      if isThere {
        try await repository.git("checkout", "--quiet", "--", Self.old)
      } else {
        try await repository.git("rm", "--quiet", "--force", Self.old)
      }
      try repository.write(later.text, to: Self.new)
      if random.oneIn(2) { try await repository.git("add", "--all") }
      if random.oneIn(3) { try await repository.commit() }
      let found = try await run(repository, Self.new)

      let earlier = Set(base.entities.map(\.name))
      let common = earlier.intersection(later.entities.map(\.name)).count
      let isFound =
        !isBegunAgain
        || common > 0 && 2 * common >= later.entities.count
          && (!isThere || 2 * common >= earlier.count)
      let message = "step \(step): \(base.entities.map(\.name)) -> \(later.entities.map(\.name))"
      counts["\(isFound) \(isThere)", default: 0] += 1
      for (one, other) in zip(expected, found) {
        if isFound {
          #expect(other.text == one.text, "\(message): \(other.run.messages)")
          #expect(other.run.outcome == one.run.outcome, "\(message)")
          #expect(other.run.messages.contains(Self.old), "\(message): \(other.run.messages)")
        } else {
          #expect(other.run.outcome == .success, "\(message): \(other.text)")
          #expect(other.run.messages.contains("there is no such file in "), "\(message)")
        }
        #expect(one.run.messages.isEmpty, "\(message): \(one.run.messages)")
      }
    }
    #expect(counts.count == 4, "\(counts)")
  }
}
