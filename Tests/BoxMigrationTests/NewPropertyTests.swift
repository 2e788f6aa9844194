import BoxEngine
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

/// The plans of a new property that is not optional.
struct NewPropertyTests {
  private static let name = TestModel.Property(name: "name", type: .string, uid: 201)
  private static let rank = TestModel.Property(name: "rank", type: .long, uid: 202)

  private func document(_ fields: TestModel.Property...) throws -> ModelDocument {
    try TestModel(.init(name: "A", uid: 100, fields: fields)).document()
  }

  private func plan(
    _ stated: StatedConstants, wereKnown: Bool?, for targets: Set<PlanTarget> = [.boxjoint]
  ) throws -> MigrationPlan {
    var plan = MigrationPlan(
      from: PlanSide(try document(Self.name), path: "old.json"),
      to: PlanSide(try document(Self.name, Self.rank), path: "new.json"), for: targets)
    #expect(plan.hasNewProperties)
    plan.state(stated, wereKnown: wereKnown)
    return plan
  }

  @Test func theStepHasTheValueOfOlderObjects() throws {
    let stated = StatedConstants(expressions: [202: "-5"], zeros: [])
    let step = try #require(try plan(stated, wereKnown: true).steps.first)
    #expect(step.rule.name == "property-added" && step.changeClass == .safe)
    #expect(step.constant == "-5")
    #expect(step.data == "objects that are stored already have -5 for it")
    #expect(step.engine.rollback == .opens)
    let zero = try #require(
      try plan(StatedConstants(expressions: [:], zeros: [202]), wereKnown: true).steps.first)
    #expect(zero.constant == "0")
  }

  @Test func aReleaseWithoutConstantsCannotOpenTheStore() throws {
    let stated = StatedConstants(expressions: [202: "5"], zeros: [])
    let step = try #require(try plan(stated, wereKnown: false).steps.first)
    #expect(step.changeClass == .noRollback && step.engine.rollback == .refused)
    let unknown = try #require(try plan(stated, wereKnown: nil).steps.first)
    #expect(unknown.changeClass == .safe)
    #expect(unknown.engine.outcome.hasSuffix("reads format 2"))
    // Of a database of another kind nothing changes.
    let other = try #require(
      try plan(stated, wereKnown: false, for: [.objectbox]).steps.first)
    #expect(other.changeClass == .noRollback && other.objectBox.rollback == .refused)
  }

  @Test func anOptionalPropertyHasNone() throws {
    let step = try #require(
      try plan(StatedConstants(expressions: [:], zeros: [201]), wereKnown: false).steps.first)
    #expect(step.constant == nil && step.changeClass == .safe)
  }

  /// A store says whether it gets another format: one without objects of the entity does not.
  @Test(arguments: [0, 1], [false, true])
  func aStoreDecides(_ objects: Int, _ hasConstants: Bool) throws {
    let directory = try TemporaryDirectory()
    let old = try document(Self.name)
    let location = StorageLocation.directory(directory.path(of: "store"))
    var store = try ObjectStore.open(location, model: old)
    try store.write { transaction in
      for _ in 0..<objects {
        var object = DynamicObject(try store.entity(named: "A"))
        object["name"] = .string("one")
        try transaction.put(object)
      }
    }
    if hasConstants {
      store.close()
      var options = StoreOptions()
      options.constants = [203: .integer(1)]
      let more = try document(
        Self.name, TestModel.Property(name: "other", type: .long, uid: 203))
      store = try ObjectStore.open(location, model: more, options: options)
      store.close()
      options.constants = nil
      options.acceptsRegeneratedModel = true
      store = try ObjectStore.open(location, model: old, options: options)
    }
    defer { store.close() }
    var plan = MigrationPlan(
      from: PlanSide(store, path: "store"),
      to: PlanSide(try document(Self.name, Self.rank), path: "new.json"), for: [.boxjoint])
    plan.state(StatedConstants(expressions: [202: "5"], zeros: []), wereKnown: nil)
    try plan.count(in: store)
    let step = try #require(plan.steps.first { $0.uid == 202 })
    let isRefused = objects > 0 && !hasConstants
    #expect(step.engine.rollback == (isRefused ? .refused : .opens))
    #expect(step.changeClass == (isRefused ? .noRollback : .safe))
  }
}
