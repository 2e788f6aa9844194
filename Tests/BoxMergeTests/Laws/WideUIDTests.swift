import BoxMerge
import BoxModel
import BoxReport
import TestSupport
import Testing

/// UIDs above 2^63-1, as the generator for Rust makes them, are UIDs like others: a merge gives the same answer for
/// models whose UIDs are all higher by 2^63.
struct WideUIDTests {
  private static let offset: UID = 1 << 63

  private static func wide(_ uid: UID) -> UID { uid == 0 ? 0 : uid | offset }

  /// The model with higher UIDs.
  private static func wide(_ model: Model) -> Model {
    func pair(_ pair: IDPair) -> IDPair { IDPair(id: pair.id, uid: wide(pair.uid)) }
    var model = model
    for entity in model.entities.indices {
      var changed = model.entities[entity]
      changed.pair = pair(changed.pair)
      changed.lastPropertyID = changed.lastPropertyID.map(pair)
      for property in changed.properties.indices {
        changed.properties[property].pair = pair(changed.properties[property].pair)
        changed.properties[property].indexID = changed.properties[property].indexID.map(pair)
      }
      for relation in (changed.relations ?? []).indices {
        if let before = changed.relations?[relation] {
          changed.relations?[relation].pair = pair(before.pair)
          changed.relations?[relation].target = pair(before.target)
        }
      }
      model.entities[entity] = changed
    }
    model.lastEntityID = model.lastEntityID.map(pair)
    model.lastIndexID = model.lastIndexID.map(pair)
    model.lastRelationID = model.lastRelationID.map(pair)
    for kind in ElementKind.allCases {
      model[retired: kind] = model[retired: kind].map { $0.map(wide) }
    }
    model.newUIDPool = model.newUIDPool.map { $0.map(wide) }
    return model
  }

  @Test func mergesDoNotDependOnTheSize() throws {
    var random = TestSeed.next()
    var compared = 0
    for _ in 0..<400 {
      let testCase = CaseGenerator.make(seed: random.next())
      guard testCase.kind == .sound, var input = try? testCase.input() else { continue }
      input.published = Published(models: [])
      let higher = input.with(
        base: try document(Self.wide(testCase.baseModel), testCase.baseDialect),
        ours: try document(Self.wide(testCase.model(.ours)), testCase.dialect(.ours)),
        theirs: try document(Self.wide(testCase.model(.theirs)), testCase.dialect(.theirs)))
      let found = try? higher.merged()
      let wanted = try? input.merged()
      #expect((found == nil) == (wanted == nil), "\(testCase)")
      guard let found, let wanted else { continue }
      compared += 1
      #expect(found.conflicts.count == wanted.conflicts.count, "\(testCase)")
      guard wanted.conflicts.isEmpty else { continue }
      #expect(
        try ModelDocument(parsing: found.bytes).model
          == Self.wide(ModelDocument(parsing: wanted.bytes).model), "\(testCase)")
    }
    #expect(compared > 100)
  }

  /// One warning for a file, however many there are, and nothing else that the lower ones do not have.
  @Test func aFileHasOneWarning() throws {
    var random = TestSeed.next()
    for _ in 0..<50 {
      let testCase = CaseGenerator.make(seed: random.next())
      guard testCase.kind == .sound else { continue }
      let narrow = try document(testCase.model(.ours), .python)
      let found = try document(Self.wide(testCase.model(.ours)), .python)
      let issues = found.check()
      let wide = issues.filter { $0.rule == ModelRule.uidOutOfRange }
      #expect(wide.map(\.severity) == [.warning])
      #expect(wide.first?.message.contains("the generator for Rust") == true)
      let others = issues.filter { $0.rule != ModelRule.uidOutOfRange }.map(\.rule.id)
      let before = narrow.check()
        .filter { $0.rule != ModelRule.uidOutOfRange }.map(\.rule.id)
      #expect(others == before)
      #expect(try ModelDocument(parsing: found.bytes).model == found.model)
    }
  }
}
