import BoxModel
import BoxReport
import Testing

@testable import BoxMigration

/// An entity that has given all numbers for properties cannot take those of another one over.
struct RenameNumbersTests {
  @Test func aRenameWithoutNumbersIsNotOffered() throws {
    var old = PlanModels.base()
    // The base has retired 900.
    old.entities[2].lastPropertyID = IDPair(id: .max, uid: 900)
    var new = old
    var entity = new.entities.remove(at: 2)
    Mutation.retire(entity, in: &new)
    entity.pair = IDPair(id: 4, uid: 6000)
    entity.name = "Tags"
    entity.properties[0].pair.uid = 6001
    entity.properties[1].pair.uid = 6002
    entity.properties.append(PlanModels.property(3, 6003, "color", .int))
    entity.lastPropertyID = IDPair(id: 3, uid: 6003)
    new.entities.append(entity)
    new.lastEntityID = entity.pair
    new.entities[1].relations?[0].target = entity.pair
    let plan = MigrationPlan(
      from: PlanSide(try PlanModels.document(old), path: "old.json"),
      to: PlanSide(try PlanModels.document(new), path: "new.json"))
    let step = try #require(plan.steps.first { $0.rule.id == "BOX373" })
    #expect(step.fix == nil)
    #expect(step.remedy?.contains("above 4294967295:900 no ids are left") == true)
    // Whoever asks for it all the same has the model as it was.
    let fix = RenameFix(old: ElementKey(.entity, 3000), new: ElementKey(.entity, 6000))
    #expect(plan.new.model.restoring([fix], from: plan.old.model) == plan.new.model)
  }
}
