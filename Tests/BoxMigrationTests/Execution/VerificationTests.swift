import BoxEngine
import BoxModel
import TestSupport
import Testing

@testable import BoxMigration

/// What this engine does is what the plan says, for changes drawn at random.
struct VerificationTests {
  private static let types: [PropertyType] = [
    .bool, .byte, .short, .char, .int, .long, .float, .double, .string, .date, .byteVector,
  ]

  private static func model(_ random: inout SplitMix64) throws -> ModelDocument {
    func fields(_ entity: UID) -> [SketchedModel.Field] {
      (0..<5).filter { _ in !random.oneIn(5) }.map { number in
        // Mostly the type that a property has anyway, so that most changes are light.
        let type = random.oneIn(8) ? random.pick(types) : types[(Int(entity) / 100 + number) % 11]
        let canBeIndexed = ![PropertyType.float, .double, .byteVector].contains(type)
        return SketchedModel.Field(
          random.oneIn(6) ? "renamed\(number)" : "field\(number)", entity + 10 + UID(number), type,
          canBeIndexed && random.oneIn(3) ? .indexed : [])
      }
    }
    let (first, second) = (fields(100), fields(200))
    let relation = random.oneIn(3) ? [] : [(name: "links", uid: UID(190), target: "B")]
    let a = SketchedModel.Sketch(name: "A", uid: 100, fields: first, relations: relation)
    let b = SketchedModel.Sketch(name: "B", uid: 200, fields: second)
    let every = (0..<5).flatMap { [UID(110 + $0), UID(210 + $0)] }
    let live = Set((first + second).map(\.uid))
    return try SketchedModel(
      a, b, retiredProperties: every.filter { !live.contains($0) },
      retiredRelations: relation.isEmpty ? [190] : []
    ).document()
  }

  @Test func agreesWithThePlan() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_VERIFICATIONS", default: 60)
    let folder = try TemporaryFolder()
    var (light, heavy, refused, values) = (0, 0, 0, 0)
    for number in 0..<count {
      let (old, new) = (try Self.model(&random), try Self.model(&random))
      let outcome = try PlanVerification(from: old, to: new, objects: 12).run(
        in: folder.path(of: "store\(number)"))
      #expect(outcome.disagreements.isEmpty, "\(outcome.disagreements.prefix(3))")
      switch outcome.kind {
      case .light: light += 1
      case .heavy: heavy += 1
      case nil: refused += 1
      }
      values += outcome.values
    }
    print("\(light) light, \(heavy) heavy, \(refused) refused; \(values) values compared")
    #expect(light > 0 && values > 0)
  }

  @Test func agreesWithThePlanForEveryKindOfChange() throws {
    var random = TestSeed.next()
    let rounds = TestSeed.count("BOXJOINT_SOAK_VERIFICATIONS", default: 60)
    let folder = try TemporaryFolder()
    let old = try PlanModels.document(PlanModels.base())
    var (compared, unsound) = (0, 0)
    for round in 0..<rounds {
      var model = PlanModels.base()
      // Every kind in turn, alone or with another one.
      let kinds = [round % Mutation.count, random.below(Mutation.count)]
      for kind in kinds.prefix(1 + random.below(2)) { Mutation.apply(kind, &model, &random) }
      let new = try PlanModels.document(model).fixed().document
      do {
        let outcome = try PlanVerification(from: old, to: new, objects: 10).run(
          in: folder.path(of: "store\(round)"))
        #expect(
          outcome.disagreements.isEmpty, "changes \(kinds): \(outcome.disagreements.prefix(3))")
        compared += 1
      } catch StoreError.invalidModel {
        unsound += 1
      }
    }
    print("\(compared) changes compared, \(unsound) of unsound models")
    #expect(compared > rounds / 4)
  }

  @Test func noticesWhatIsNotAsPlanned() throws {
    #expect(Value.integer(3).saysSame(as: .double(3)))
    #expect(Value.bool(true).saysSame(as: .integer(1)))
    #expect(Value.integer(3).saysSame(as: .string("3")))
    #expect(!Value.integer(3).saysSame(as: .integer(4)))
    #expect(!Value.null.saysSame(as: .integer(0)))
    #expect(!Value.string("a").saysSame(as: .bytes([98])))
  }
}
