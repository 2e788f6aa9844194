import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// Code in which one byte is wrong: an element is read, or the code is not used.
struct DamagedCodeTests {
  /// The UIDs of all elements, with their ids.
  private func pairs(_ model: Model) -> Set<IDPair> {
    var result: Set<IDPair> = []
    model.forEachElement { _, pair in result.insert(pair) }
    return result
  }

  /// A call that is damaged must not look like an element that was removed.
  @Test(arguments: CodeWriter.Shape.allCases)
  func noElementVanishes(_ shape: CodeWriter.Shape) {
    let seed = TestSeed.value("noElementVanishes \(shape)")
    for number in 0..<RecoverySoak.count(normal: 10) {
      var random = SplitMix64(seed: seed &+ UInt64(number))
      var generator = ModelGenerator(seed: random.next())
      let model = generator.model()
      let files = CodeWriter.files(model, shape)
      for _ in 0..<20 {
        var changed = files
        let file = random.below(files.count)
        let position = random.below(files[file].bytes.count)
        // Another digit gives another number, which nobody can tell, and a line feed may end a comment.
        let byte = files[file].bytes[position]
        if CodeByte.isDigit(byte) || byte == 0x0A || byte == UInt8(ascii: "/") { continue }
        changed[file].bytes[position] = random.pick(Array("(){}[].,;: \"'x$|=".utf8))
        for found in CodeScan.evidence(in: changed) where found.isComplete {
          #expect(pairs(found.model) == pairs(model), "\(shape) \(number), byte \(position)")
        }
      }
    }
  }

  /// A string that lost its quote would swallow the UID behind it.
  @Test func aStringWithoutItsEndIsRefused() {
    let code = """
      obx_model_entity(model, "A", 1, 5000000000000100);
      obx_model_property(model, "id, OBXPropertyType_Long, 1, 5000000000000200);
      obx_model_entity_last_property_id(model, 1, 5000000000000200);
      obx_model_last_entity_id(model, 1, 5000000000000100);

      """
    let found = CodeScan.evidence(in: [CodeScan.File(path: "a.h", bytes: Array(code.utf8))])
    #expect(found.map(\.isComplete) == [false])
    #expect(found.first?.problems.first?.message == "a string does not end on its line")
    #expect(found.first?.problems.first?.place == "a.h:2")
  }

  /// The calls of a builder whose declaration is missing belong to no entity.
  @Test func callsOfAnUnknownVariableAreRefused() {
    let code = """
      class A { void a(ModelBuilder m) {
      EntityBuilder e = m.e("A"); e.h(1, 5000000000000100L).i(1, 5000000000000101L);
      e.j("id", 6).h(1, 5000000000000101L).f(1); e.e(); }
      void b(ModelBuilder m) {
      v.h(2, 5000000000000200L).i(1, 5000000000000201L);
      v.j("id", 6).h(1, 5000000000000201L).f(1); v.e(); }
      void c() { ModelBuilder m = new ModelBuilder(); m.f(2, 5000000000000200L); m.g(0, 0); m.h(0, 0);
      a(m); b(m); } }

      """
    let found = CodeScan.evidence(in: [CodeScan.File(path: "A.java", bytes: Array(code.utf8))])
    #expect(found.count == 1 && !found[0].isComplete)
    #expect(
      found.first?.problems.first?.message
        == "the UID 5000000000000201 is in no call that is understood; the code was changed",
      "\(found.map(\.problems))")
  }
}
