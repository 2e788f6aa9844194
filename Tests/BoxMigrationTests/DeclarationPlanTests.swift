import BoxModel
import BoxReport
import TestSupport
import Testing

@testable import BoxMigration

/// The steps of a plan for rules about removals.
struct DeclarationPlanTests {
  private static let model = TestModel(
    .init(
      name: "Line", uid: 30,
      properties: [.init("id", 31, .long, .id), .init("order", 32, .relation, target: "Order")]),
    .init(
      name: "Order", uid: 40, properties: [.init("id", 42, .long, .id)],
      relations: [.init("tags", 44, to: "Line")])
  ).model

  private static func order(_ target: DeleteRule?) -> RelationDeclaration {
    RelationDeclaration(relation: 32, name: "Line.order", targetRemoved: target)
  }

  private func steps(
    _ old: [RelationDeclaration]?, _ new: [RelationDeclaration]?
  ) -> [PlanStep] {
    var (before, after) = (
      PlanSide(Self.model, path: "old"), PlanSide(Self.model, path: "new")
    )
    before.declarations = old.map { Declarations(relations: $0) }
    after.declarations = new.map { Declarations(relations: $0) }
    return MigrationPlan(from: before, to: after).steps
  }

  @Test func theFirstRuleCannotBeTakenBack() throws {
    let steps = steps(nil, [Self.order(.cascade)])
    #expect(Set(steps.map(\.rule.id)) == ["BOX394", "BOX396"])
    let begun = try #require(steps.first { $0.rule.id == "BOX396" })
    #expect(begun.changeClass == .noRollback)
    #expect(begun.rollback([.boxjoint]) == .refused)
    let added = try #require(steps.first { $0.rule.id == "BOX394" })
    #expect(added.changeClass == .latent)
    #expect(added.subject == "Line.order")
    #expect(
      added.message
        == "Line.order (32): the rule for a removal of the target was noAction and is cascade")
  }

  @Test(
    arguments: [
      (DeleteRule.deny, "BOX394"), (.cascade, "BOX394"), (.nullify, "BOX395"), (nil, "BOX395"),
    ] as [(DeleteRule?, String)])
  func anotherRule(_ rule: DeleteRule?, _ id: String) {
    let tags = RelationDeclaration(relation: 44, name: "Order.tags", sourceRemoved: .cascade)
    let old = rule == .cascade ? DeleteRule.deny : rule == .deny ? .nullify : .cascade
    let steps = steps([Self.order(old), tags], rule.map { [Self.order($0), tags] } ?? [tags])
    #expect(steps.map(\.rule.id) == [id])
    #expect(steps[0].changeClass == (id == "BOX394" ? .latent : .safe))
  }

  /// Bindings without rules leave those of a store, and names are for readers.
  @Test func whatIsNotDeclaredStays() {
    #expect(steps([Self.order(.cascade)], nil) == [])
    var renamed = Self.order(.cascade)
    renamed.name = "Line.parent"
    #expect(steps([Self.order(.cascade)], [renamed]) == [])
    #expect(steps(nil, []) == [])
    #expect(steps(nil, nil) == [])
  }

  /// Each side of a relation is a step of its own, which is approved by itself.
  @Test func theSidesOfARelationAreToldApart() {
    var both = Self.order(.cascade)
    both.sourceRemoved = .cascade
    let added = steps([], [both]).filter { $0.rule.id == "BOX394" }
    #expect(
      added.map { "\($0.before ?? "") -> \($0.after ?? "")" } == [
        "sourceRemoved noAction -> sourceRemoved cascade",
        "targetRemoved noAction -> targetRemoved cascade",
      ])
    #expect(Set(added.map(\.fingerprint)).count == 2)
  }

  /// The model without the index of `Line.order`.
  private static var unindexed: Model {
    var model = model
    model.entities[0].properties[1].indexID = nil
    return model
  }

  @Test(arguments: [DeleteRule.cascade, .deny, .nullify, .noAction])
  func aRuleWithoutItsIndexOpensNoStore(_ rule: DeleteRule) throws {
    func plan(_ old: PlanSide, _ new: PlanSide) -> MigrationPlan {
      MigrationPlan(from: old, to: new, for: [.boxjoint])
    }
    let declared = Declarations(relations: [Self.order(rule)])
    var (before, after) = (
      PlanSide(Self.unindexed, path: "old"), PlanSide(Self.unindexed, path: "new")
    )
    after.declarations = declared
    let given = plan(before, after)
    #expect(given.engineOpens == (rule == .noAction))
    let step = given.steps.first { $0.rule.id == "BOX397" }
    #expect((step == nil) == (rule == .noAction))
    #expect(step.map { $0.subject == "Line.order" } ?? true)
    #expect(step.map { $0.engine.openingRule?.id == "BOX614" } ?? true)
    // Rules that a store has already are as good as given ones.
    before = PlanSide(Self.model, path: "old")
    (before.declarations, after.declarations) = (declared, nil)
    #expect(plan(before, after).engineOpens == (rule == .noAction))
    // A new version that takes them away opens the store.
    after.declarations = Declarations()
    #expect(plan(before, after).engineOpens)
  }
}
