import BoxModel
import BoxReport
import TestSupport
import Testing

/// The file of what is declared about a model: its form, and all that is refused.
struct DeclarationTests {
  private static let model = TestModel(
    .init(
      name: "Line", uid: 30,
      properties: [
        .init("id", 31, .long, .id), .init("order", 32, .relation, target: "Order"),
        .init("text", 33, .string),
      ]),
    .init(
      name: "Order", uid: 40,
      properties: [.init("id", 42, .long, .id), .init("first", 41, .string, .indexHash)],
      relations: [.init("tags", 44, to: "Line")]),
    retired: [.property: [50], .relation: [51]]
  ).model

  private static func file(_ lines: String...) -> [UInt8] {
    Array("{\"rules\":1,\"declarations\":[\n\(lines.joined(separator: ",\n"))\n]}\n".utf8)
  }

  /// The findings of a file as `line: message; advice`.
  private static func findings(_ bytes: [UInt8]) -> [String] {
    let path = "model-App.rules.json"
    let findings: [Finding]
    do throws(DeclarationsError) {
      findings = try DeclarationsDocument(parsing: bytes)
        .check(against: model, "model-App.json", path: path)
    } catch {
      findings = [error.finding(path: path, bytes: bytes)]
    }
    return findings.map {
      "\($0.path):\($0.region?.line ?? 0): \($0.message)" + ($0.advice.map { "; \($0)" } ?? "")
        + ", \($0.severity)"
    }
  }

  @Test func theFormOfTheFile() throws {
    let declarations = Declarations(relations: [
      RelationDeclaration(
        relation: 6_441_549_001_669_489_152, name: "Line.order", targetRemoved: .cascade),
      RelationDeclaration(
        relation: 6_441_549_001_669_489_200, name: "Order.address", sourceRemoved: .cascade,
        targetRemoved: .deny),
    ])
    #expect(
      String(decoding: declarations.text, as: UTF8.self) == """
        {"rules":1,"declarations":[
        {"relation":"6441549001669489152","name":"Line.order","targetRemoved":"cascade"},
        {"relation":"6441549001669489200","name":"Order.address","sourceRemoved":"cascade","targetRemoved":"deny"}
        ]}

        """)
    #expect(
      String(decoding: Declarations().text, as: UTF8.self)
        == "{\"rules\":1,\"declarations\":[\n]}\n")
  }

  @Test func whatIsWrittenIsReadAndWrittenAgain() throws {
    var random = TestSeed.next()
    let names = ["Line.order", "é\u{301}.ü", "a\"b\\c", "\u{0}\u{1F4E6}", "", "<>/\u{2028}"]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RULES", default: 2_000) {
      var uids: Set<UID> = []
      for _ in 0..<random.below(20) {
        uids.insert(random.oneIn(3) ? 1 + UID(random.below(30)) : max(1, random.next()))
      }
      let rules: [DeleteRule?] = DeleteRule.allCases + [nil]
      let declarations = Declarations(
        relations: uids.sorted().map {
          let target = random.pick(rules)
          return RelationDeclaration(
            relation: $0, name: random.pick(names),
            sourceRemoved: target == nil ? random.pick(DeleteRule.allCases) : random.pick(rules),
            targetRemoved: target)
        })
      let text = declarations.text
      let read = try DeclarationsDocument(parsing: text).declarations
      #expect(read == declarations)
      #expect(read.text == text)
      for uid in uids { #expect(read.relation(uid)?.relation == uid) }
      #expect(read.relation(31 + UID(random.below(9))) == nil || uids.count > 0)

      // In any order, and each side by itself, they say the same.
      let lines = declarations.relations.flatMap { declaration -> [RelationDeclaration] in
        var (source, target) = (declaration, declaration)
        (source.targetRemoved, target.sourceRemoved) = (nil, nil)
        return [source, target].filter { $0.sourceRemoved != nil || $0.targetRemoved != nil }
      }
      let loose = Declarations(relations: random.shuffled(lines)).text
      #expect(try DeclarationsDocument(parsing: loose).declarations == declarations)
    }
  }

  @Test func damageIsRefusedOrReadAsWhatItSays() throws {
    var random = TestSeed.next()
    let text = Self.file(
      "{\"relation\":\"32\",\"name\":\"Line.order\",\"targetRemoved\":\"cascade\"}",
      "{\"relation\":\"44\",\"name\":\"Order.tags\",\"sourceRemoved\":\"deny\"}")
    var read = 0
    for _ in 0..<20_000 {
      let damaged = HostileText.damaged(text, &random)
      guard let document = try? DeclarationsDocument(parsing: damaged) else { continue }
      read += 1
      let written = document.declarations.text
      #expect(try DeclarationsDocument(parsing: written).declarations == document.declarations)
    }
    #expect(read > 0)
  }

  @Test func conflictMarkers() {
    let text = """
      {"rules":1,"declarations":[
      <<<<<<< ours
      {"relation":"32","name":"Line.order","targetRemoved":"cascade"}
      =======
      {"relation":"32","name":"Line.order","targetRemoved":"deny"}
      >>>>>>> theirs
      ]}
      """
    #expect(
      Self.findings(Array(text.utf8)) == [
        "model-App.rules.json:2: has conflict markers; take either side and generate again, error"
      ])
  }

  @Test(arguments: [
    (
      "{\"relation\":\"77\",\"name\":\"Line.gone\",\"targetRemoved\":\"cascade\"}",
      "Line.gone (77) is not in model-App.json; generate again, warning"
    ),
    (
      "{\"relation\":\"41\",\"name\":\"Order.first\",\"targetRemoved\":\"cascade\"}",
      "41 is the property Order.first; name a relation, error"
    ),
    (
      "{\"relation\":\"40\",\"targetRemoved\":\"deny\"}",
      "40 is the entity Order; name a relation, error"
    ),
    (
      "{\"relation\":\"32\",\"index\":true,\"targetRemoved\":\"deny\"}",
      "'index' was written by a newer version, error"
    ),
    ("{\"index\":[\"32\"]}", "'index' was written by a newer version, error"),
    ("{\"name\":\"x\",\"targetRemoved\":\"deny\"}", "a declaration lacks its 'relation', error"),
    (
      "{\"relation\":\"32\",\"name\":\"Line.order\"}",
      "Line.order (32) has neither 'sourceRemoved' nor 'targetRemoved', error"
    ),
    (
      "{\"relation\":\"32\",\"targetRemoved\":\"casade\"}",
      "'casade' is no rule; write one of noAction, nullify, cascade, deny, error"
    ),
    (
      "{\"relation\":32,\"targetRemoved\":\"deny\"}",
      "a UID is a text, as many programs do not read large numbers exactly, error"
    ),
    ("{\"relation\":\"032\",\"targetRemoved\":\"deny\"}", "'032' is no UID, error"),
    ("{\"relation\":\"0\",\"targetRemoved\":\"deny\"}", "'0' is no UID, error"),
    ("7", "a declaration is an object, error"),
  ])
  func oneLineThatIsWrong(_ line: String, _ message: String) {
    #expect(Self.findings(Self.file(line)) == ["model-App.rules.json:2: \(message)"])
  }

  @Test func aSideThatIsGivenTwice() {
    let line = "{\"relation\":\"32\",\"name\":\"Line.order\",\"targetRemoved\":\"deny\"}"
    #expect(
      Self.findings(
        Self.file(line, "{\"relation\":\"44\",\"sourceRemoved\":\"deny\"}", line)) == [
          "model-App.rules.json:4: Line.order (32) has a rule for 'targetRemoved' in line 2 already; keep one of them, "
            + "error"
        ])
  }

  @Test(arguments: [
    (
      "{\"rules\":2,\"declarations\":[]}",
      "format 2 was written by a newer version; this one reads 1"
    ),
    ("{\"rules\":0,\"declarations\":[]}", "there is no format 0; 'rules' is 1"),
    ("{\"rules\":-1,\"declarations\":[]}", "there is no format -1; 'rules' is 1"),
    ("{\"rules\":1,\"indexes\":[]}", "'indexes' was written by a newer version"),
    ("{\"rules\":1}", "'declarations' must be a list"),
    ("{\"rules\":\"1\"}", "'rules' must be the number of the format"),
    ("[]", "this is no file of rules: it has no \"rules\""),
    ("{\"entities\":[]}", "this is no file of rules: it has no \"rules\""),
  ])
  func filesOfAnotherForm(_ text: String, _ message: String) {
    #expect(Self.findings(Array(text.utf8)) == ["model-App.rules.json:1: \(message), error"])
  }

  /// A retired relation is hidden, and comes back.
  @Test func whatIsRetiredIsNoMistake() {
    #expect(
      Self.findings(
        Self.file(
          "{\"relation\":\"50\",\"targetRemoved\":\"deny\"}",
          "{\"relation\":\"51\",\"sourceRemoved\":\"cascade\"}",
          "{\"relation\":\"32\",\"sourceRemoved\":\"cascade\"}",
          "{\"relation\":\"44\",\"sourceRemoved\":\"cascade\"}")) == [])
  }

  /// A removal of an order finds its lines by the index of `Line.order`, and needs none for what else is declared.
  @Test func aRuleNeedsTheIndexOfItsRelation() throws {
    var model = Self.model
    model.entities[0].properties[1].indexID = nil
    for rule in DeleteRule.allCases {
      let declarations = Declarations(relations: [
        RelationDeclaration(relation: 32, name: "", sourceRemoved: .deny, targetRemoved: rule),
        RelationDeclaration(relation: 44, name: "", sourceRemoved: rule, targetRemoved: rule),
        RelationDeclaration(relation: 77, name: "", targetRemoved: rule),
      ])
      let mismatches = declarations.mismatches(with: model)
      #expect(mismatches.map(\.kind) == (rule == .noAction ? [] : [.missingIndex]))
      #expect(mismatches.allSatisfy { $0.uid == 32 })
      #expect(declarations.mismatches(with: Self.model) == [])
      let findings = try DeclarationsDocument(parsing: declarations.text)
        .check(against: model, "model.json", path: "model.rules.json")
      #expect(
        findings.map { "\($0.rule.id):\($0.region?.line ?? 0)" }
          == (rule == .noAction ? [] : ["BOX614:2"]) + ["BOX184:4"])
    }
  }

  @Test func whatIsAboutRelationsOfAnotherModel() {
    let declarations = Declarations(
      relations: ([31, 32, 40, 44, 50, 51, 77] as [UID]).map {
        RelationDeclaration(relation: $0, name: "", targetRemoved: .deny)
      })
    #expect(declarations.about(Self.model).relations.map(\.relation) == [32, 44])
    #expect(declarations.about(Model()).isEmpty)
    #expect(declarations.mismatches(with: Self.model).map(\.uid) == [31, 40])
  }

  @Test func namesFollowTheModel() throws {
    let declarations = Declarations(relations: [
      RelationDeclaration(relation: 32, name: "Row.old", targetRemoved: .deny),
      RelationDeclaration(relation: 44, name: "", sourceRemoved: .deny),
      RelationDeclaration(relation: 51, name: "Order.gone", sourceRemoved: .deny),
    ])
    let named = declarations.named(by: Self.model)
    #expect(named.relations.map(\.name) == ["Line.order", "Order.tags", "Order.gone"])
    #expect(named.means(declarations) && named != declarations)
  }

  private func declarations(_ count: Int) -> Declarations {
    Declarations(
      relations: (0..<count).map {
        RelationDeclaration(
          relation: 6_000_000_000_000 + UID($0) * 7, name: "Line.order\($0)",
          targetRemoved: .cascade)
      })
  }

  @Test func aMillionLinesAreRead() throws {
    let million = declarations(1_000_000)
    #expect(try DeclarationsDocument(parsing: million.text).declarations == million)
  }

  @Test(.growth) func growthOfTheLines() throws {
    let power = try growth(of: 4_000) { count in
      let text = declarations(count).text
      return {
        let document = try DeclarationsDocument(parsing: text)
        if document.declarations.text != text { throw TestFailure("other bytes") }
        _ = document.check(against: Self.model, "model.json", path: "rules.json")
      }
    }
    #expect(power < 1.5)
  }
}
