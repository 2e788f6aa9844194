import BoxGenerator
import BoxModel
import BoxRecovery
import BoxReport
import BoxSources
import TestSupport
import Testing

/// The rules about removals that annotations of relations give.
struct DeleteRuleTests {
  private func run(
    _ source: String, model: [UInt8]? = nil, rules: [UInt8]? = nil, bindings: [UInt8]? = nil
  ) async -> Generation {
    var request = GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: "App",
      modelPath: "model-App.json", model: model, bindingsPath: "EntityInfo.generated.swift",
      bindings: bindings)
    request.uids = .sequential
    request.rules = rules
    return await Generation(request)
  }

  /// Orders with lines, an address and a customer, and annotations of these.
  private func source(
    lines: String = "", order: String = "", address: String = "", customer: String = "",
    tags: String = "", tagged: String = "", text: String = ""
  ) -> String {
    """
    class Order: Entity {
      var id: Id = 0
      // objectbox: backlink = "order"
      // \(lines)
      var lines: ToMany<Line> = nil
      // \(address)
      var address: ToOne<Address> = nil
      // \(customer)
      var customer: ToOne<Customer> = nil
      // objectbox: name = "labels"
      // \(tags)
      var tags: ToMany<Tag> = nil
      // \(text)
      var text = ""
      required init() {}
    }
    class Line: Entity {
      var id: Id = 0
      // \(order)
      var order: ToOne<Order> = nil
      required init() {}
    }
    class Address: Entity {
      var id: Id = 0
      required init() {}
    }
    class Customer: Entity {
      var id: Id = 0
      required init() {}
    }
    class Tag: Entity {
      var id: Id = 0
      // objectbox: backlink = "tags"
      // \(tagged)
      var orders: ToMany<Order> = nil
      required init() {}
    }
    """
  }

  private func rules(_ run: Generation) throws -> BoxModel.Declarations {
    let file = try #require(run.rules)
    return try DeclarationsDocument(parsing: file).declarations
  }

  /// The declarations by their names.
  private func declared(_ run: Generation) throws -> [String: [DeleteRule?]] {
    let file = try #require(run.rules, "\(run.findings)")
    let document = try DeclarationsDocument(parsing: file)
    let text = try #require(run.model)
    let model = try ModelDocument(parsing: text).model
    #expect(document.check(against: model, "model.json", path: "rules.json") == [])
    let declarations = document.declarations
    #expect(declarations.text == file)
    #expect(declarations == declarations.named(by: model))
    let pairs = declarations.relations.map { ($0.name, [$0.sourceRemoved, $0.targetRemoved]) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test func eachMemberNamesTheSideWhoseRemovalItIsAbout() async throws {
    let run = await run(
      source(
        lines: "objectbox: deleteRule = \"cascade\"",
        address: "objectbox: deleteRule = \"cascade\"",
        customer: "objectbox: inverseDeleteRule = \"deny\"",
        tags: "objectbox: deleteRule = \"nullify\"",
        tagged: "objectbox: deleteRule = \"noAction\""))
    #expect(!run.hasErrors, "\(run.findings)")
    #expect(
      try declared(run) == [
        "Line.order": [nil, .cascade], "Order.address": [.cascade, nil],
        "Order.customer": [nil, .deny], "Order.labels": [.nullify, .noAction],
      ])
  }

  @Test func bothEndsOfARelationWithoutABacklink() async throws {
    let run = await run(
      source(customer: "objectbox: deleteRule = \"cascade\", inverseDeleteRule = \"deny\""))
    #expect(try declared(run) == ["Order.customer": [.cascade, .deny]])
    let tags = await self.run(
      """
      class Note: Entity {
        var id: Id = 0
        // objectbox: deleteRule = "cascade", inverseDeleteRule = "nullify"
        var notes: ToMany<Note> = nil
        required init() {}
      }
      """)
    #expect(try declared(tags) == ["Note.notes": [.cascade, .nullify]])
  }

  /// Without a rule nothing is written that was not written before.
  @Test func withoutARuleThereIsNoFile() async throws {
    let run = await run(source())
    #expect(run.rules == nil)
    let code = try #require(run.bindings)
    #expect(!code.contains("rules:"))
  }

  @Test func aRuleThatWasRemovedLeavesAnEmptyFile() async throws {
    let first = await run(source(lines: "objectbox: deleteRule = \"cascade\""))
    let bindings = try #require(first.bindings)
    let second = await run(
      source(), model: first.model, rules: first.rules, bindings: Array(bindings.utf8))
    #expect(second.rules == BoxModel.Declarations().text)
    let again = await run(source(), model: second.model, rules: second.rules)
    #expect(again.rules == second.rules)
    #expect(again.bindingBytes == second.bindingBytes)
    let code = try #require(again.bindings)
    #expect(code.contains("    rules: #\"\"\"\n      {\"rules\":1,"))
  }

  @Test func theCodeHasTheFile() async throws {
    let run = await run(
      source(lines: "objectbox: deleteRule = \"cascade\"", text: "objectbox: name = \"a\""))
    let code = try #require(run.bindingBytes)
    let embedded = try #require(EmbeddedModel.files(in: code).first)
    #expect(embedded.bytes == run.model)
    #expect(embedded.rules == run.rules)
    #expect(embedded.constants != nil)
    let without = await self.run(source())
    let plain = try #require(without.bindingBytes)
    #expect(EmbeddedModel.files(in: plain).first?.rules == nil)
  }

  @Test func theCodeHasTheFileBehindParametersOfVectors() async throws {
    let run = await run(source(lines: "objectbox: deleteRule = \"cascade\""))
    let code = try #require(run.bindings).replacing(
      "    rules: #", with: "    vectors: [\n      5: #\"{\"a\":1}\"#,\n    ],\n    rules: #")
    #expect(code.contains("vectors:"))
    #expect(EmbeddedModel.files(in: Array(code.utf8)).first?.rules == run.rules)
  }

  /// The file keeps the rule with the UID when the relation is renamed.
  @Test func aRenamedRelationKeepsItsUID() async throws {
    let first = await run(source(lines: "objectbox: deleteRule = \"cascade\""))
    let before = try #require(try rules(first).relations.first)
    let renamed = source(
      lines: "objectbox: deleteRule = \"cascade\"",
      order: "objectbox: name = \"parent\", uid = \(before.relation)")
    let second = await run(renamed, model: first.model, rules: first.rules)
    let after = try #require(try rules(second).relations.first)
    #expect(after.means(before))
    #expect(after.name == "Line.parent")
  }

  // MARK: - Bad input

  @Test(arguments: [
    ("objectbox: deleteRule = \"casade\"", "Did you mean \"cascade\"?"),
    ("objectbox: deleteRule = \"remove-if-last\"", "Use one of: noAction, nullify, cascade, deny"),
    ("objectbox: deleteRule", "Use one of: noAction, nullify, cascade, deny"),
  ])
  func anUnknownRule(_ annotation: String, _ advice: String) async {
    for source in [source(lines: annotation), source(address: annotation)] {
      let findings = await run(source).findings
      #expect(findings.count == 1)
      #expect(findings[0].message.contains("has a value that it does not allow"))
      #expect(findings[0].advice == advice)
      #expect(findings[0].severity == .error)
    }
  }

  @Test(arguments: ["deleteRule", "inverseDeleteRule"])
  func aRuleOfAValue(_ name: String) async {
    let findings = await run(source(text: "objectbox: \(name) = \"cascade\"")).findings
    #expect(
      findings.map(\.message) == ["The annotation \"\(name)\" does not fit the type of \"text\""])
  }

  @Test func anInverseRuleOfABacklink() async {
    let findings = await run(source(lines: "objectbox: inverseDeleteRule = \"deny\"")).findings
    #expect(
      findings.map(\.message) == [
        "The property \"lines\" is a backlink, which has no \"inverseDeleteRule\""
      ])
  }

  @Test func rulesForOneRemovalAtBothEnds() async {
    let findings = await run(
      source(
        lines: "objectbox: deleteRule = \"cascade\"",
        order: "objectbox: inverseDeleteRule = \"deny\"")
    ).findings
    #expect(
      findings.map(\.message) == [
        "\"Order.lines\" and \"Line.order\" both have a rule for the removal of a \"Order\""
      ])
    #expect(findings.first?.region?.line == 4)
    #expect(findings.first?.advice?.hasSuffix("\"A.swift\", line 19") ?? false, "\(findings)")
    let tags = await run(
      source(
        tags: "objectbox: inverseDeleteRule = \"cascade\"",
        tagged: "objectbox: deleteRule = \"cascade\"")
    ).findings
    #expect(
      tags.map(\.message) == [
        "\"Tag.orders\" and \"Order.tags\" both have a rule for the removal of a \"Tag\""
      ])
    // The two sides of one relation are two removals.
    let sides = await run(
      source(
        lines: "objectbox: deleteRule = \"cascade\"", order: "objectbox: deleteRule = \"nullify\""))
    #expect(!sides.hasErrors, "\(sides.findings)")
  }
}
