import BoxEngine
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

/// Whether the previous release opens the result: what the plan, its verification and the matrix of
/// versions say, and what opening does.
struct RollbackTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_PLAN_STORES", default: 150)

  /// Models of few elements, most of which more than double.
  private struct Generator {
    var random: SplitMix64
    private var nextUID: UID = 5000

    init(_ random: SplitMix64) { self.random = random }

    private mutating func uid() -> UID {
      nextUID += 1
      return nextUID
    }

    private mutating func grow(_ model: inout Model, entities: Int, properties: Int) {
      for _ in 0..<entities {
        let pair = IDPair(id: (model.lastEntityID?.id ?? 0) + 1, uid: uid())
        let id = PlanModels.property(1, uid(), "id", .long, [.id])
        var entity = Entity(pair: pair, name: "E\(pair.uid)")
        entity.properties = [id]
        entity.lastPropertyID = id.pair
        model.entities.append(entity)
        model.lastEntityID = pair
      }
      for _ in 0..<properties where !model.entities.isEmpty {
        let types: [PropertyType] = [.string, .int, .double, .bool]
        let uid = uid()
        PlanModels.add(
          PlanModels.property(0, uid, "p\(uid)", random.pick(types)),
          to: random.below(model.entities.count), in: &model)
      }
    }

    mutating func young() -> Model {
      var model = PlanModels.base()
      model.entities = []
      model.lastEntityID = .unset
      model.lastIndexID = .unset
      model.lastRelationID = .unset
      model.retiredPropertyUIDs = []
      grow(&model, entities: 1 + random.below(2), properties: random.below(4))
      return model
    }

    /// A later model: with additions, perhaps without a part, perhaps with new UIDs throughout.
    mutating func later(than old: Model) -> Model {
      var model = old
      if random.oneIn(6) {
        model = young()
      } else if random.oneIn(3) {
        let gone = model.entities.remove(at: random.below(model.entities.count))
        if random.oneIn(2) { Mutation.retire(gone, in: &model) }
      }
      if random.oneIn(3), !model.entities.isEmpty { model.entities[0].name += "Renamed" }
      grow(&model, entities: random.below(4), properties: random.below(9))
      return model
    }
  }

  @Test func isTheSameInEveryAnswer() throws {
    var generator = Generator(TestSeed.next())
    let directory = try TemporaryDirectory()
    var (doubled, refused, back) = (0, 0, 0)
    for round in 0..<Self.rounds {
      let old = generator.young()
      let new = generator.later(than: old)
      if new.entities.isEmpty { continue }
      let documents = (try PlanModels.document(old), try PlanModels.document(new))
      guard documents.0.check().allSatisfy({ $0.severity != .error }),
        documents.1.check().allSatisfy({ $0.severity != .error })
      else { continue }
      let outcome = try Self.compare(
        documents.0, documents.1, in: directory.path(of: "\(round)"), "round \(round)")
      if !outcome.opens { refused += 1 }
      if outcome.goesBack { back += 1 }
      if outcome.goesBack && new.elementUIDs.count > 2 * old.elementUIDs.count { doubled += 1 }
    }
    print("\(back) went back, \(doubled) of them had more than doubled; \(refused) refused")
    #expect(doubled > Self.rounds / 5)
    #expect(refused > 0)
    #expect(back > doubled)
  }

  /// The real steps whose models both pass the check.
  @Test(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
  func isTheSameForRealSteps() throws {
    let corpus = try #require(Corpus.shared)
    let stride = TestSeed.count("BOXJOINT_SOAK_PLAN_STRIDE", default: 5)
    let directory = try TemporaryDirectory()
    var (steps, opened, doubled) = (0, 0, 0)
    func isSound(_ document: ModelDocument) -> Bool {
      (document.formIssues + document.check()).allSatisfy { $0.severity != .error }
    }
    for (number, step) in corpus.evolutions.enumerated() {
      guard let old = step.old.document, let new = step.new.document, isSound(old), isSound(new),
        // Early files name no types: no store has such a model.
        old.model.entities.flatMap(\.properties).allSatisfy({ $0.type != nil }),
        old.model.elementUIDs != new.model.elementUIDs
      else { continue }
      // Models that more than double are few.
      let isGrown = new.model.elementUIDs.count > 2 * old.model.elementUIDs.count
      if number % stride != 0 && !isGrown { continue }
      steps += 1
      let outcome = try Self.compare(old, new, in: directory.path(of: "\(number)"), "\(step.new)")
      if outcome.opens { opened += 1 }
      if outcome.goesBack && isGrown { doubled += 1 }
    }
    print("\(steps) real steps, \(opened) open; \(doubled) that more than double go back")
    #expect(doubled >= 3)
  }

  private struct Answer {
    var opens: Bool
    var goesBack: Bool
  }

  /// Compares the answers with what opening a store does.
  private static func compare(
    _ old: ModelDocument, _ new: ModelDocument, in directory: String, _ comment: String
  ) throws -> Answer {
    let sides = (PlanSide(old, path: "old"), PlanSide(new, path: "new"))
    var plan = MigrationPlan(from: sides.0, to: sides.1, for: [.boxjoint])
    let text = "\(comment): \(plan.steps.map(\.message))"
    let store = try PlanStore(old)
    // Whether values are unique, the store says.
    try plan.count(in: ObjectStore.open(.directory(store.path)))
    let refusals = try store.open(new).refusals
    #expect(plan.engineOpens == refusals.isEmpty, "\(text), \(refusals)")
    if !refusals.isEmpty { return Answer(opens: false, goesBack: false) }
    let back = try store.open(old).refusals
    let saysBack = plan.steps.allSatisfy { $0.engine.rollback == .opens }
    #expect(saysBack == back.isEmpty, "\(text), \(back)")
    let matrix = PlanMatrix([(name: "v1", side: sides.0)], to: sides.1, for: [.boxjoint])
    let refusedBack = matrix.rows[0].back.steps.filter {
      $0.engine.changeClass == .openFailure && $0.engine.openingRule?.id != "BOX606"
    }
    #expect(refusedBack.isEmpty == back.isEmpty, "\(text), \(back)")
    // The store itself knows its models, and a plan for it says the same.
    let opened = try ObjectStore.open(.directory(store.path))
    var again = MigrationPlan(
      from: PlanSide(opened, path: "store"), to: PlanSide(new, path: "new"), for: [.boxjoint])
    try again.count(in: opened)
    #expect(again.engineOpens, "\(text)")
    let outcome = try PlanVerification(from: old, to: new, objects: 3).run(in: directory)
    #expect(outcome.disagreements.isEmpty, "\(text): \(outcome.disagreements.prefix(3))")
    #expect(outcome.wentBack == back.isEmpty, "\(text)")
    return Answer(opens: true, goesBack: back.isEmpty)
  }

  /// A migration to an older model is light where the store had that model.
  @Test func aStoreKnowsItsModelsForAMigration() throws {
    var generator = Generator(SplitMix64(seed: 7))
    let old = try PlanModels.document(generator.young())
    let new = try PlanModels.document(PlanModels.base())
    let store = try PlanStore(old)
    var options = StoreOptions()
    options.acceptsRegeneratedModel = true
    #expect(try store.open(new).refusals == ["BOX603"])
    _ = try ObjectStore.open(.directory(store.path), model: new, options: options)
    #expect(try store.open(old).refusals == [])
    _ = try ObjectStore.open(.directory(store.path), model: new)
    let run = MigrationRun(store.path, try MigrationRoute(to: MigrationVersion("old", old)))
    #expect(try run.pending().map(\.kind) == [.light])
    #expect(try run.prepare().plan.engineOpens)
    try run.carryOut()
    #expect(try ObjectStore.open(.directory(store.path)).model == old.model)
  }
}
