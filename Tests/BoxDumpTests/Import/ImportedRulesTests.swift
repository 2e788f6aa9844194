import BoxEngine
import BoxJSON
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// The rules about removals in the header of a dump, and the stores that get them.
struct ImportedRulesTests {
  private let fixture: ImportFixture

  private static func document(
    index: Bool = true, _ others: TestModel.Property...
  ) throws -> ModelDocument {
    let order = TestModel.Property(
      name: "order", type: .relation, flags: index ? [.indexed, .indexPartialSkipZero] : [],
      target: "Order", uid: 210)
    return try TestModel(
      .init(name: "Order", uid: 100, fields: []),
      .init(name: "Line", uid: 200, fields: [order] + others)
    ).document()
  }

  private static func rules(_ uids: UID...) -> Declarations {
    Declarations(
      relations: uids.map { RelationDeclaration(relation: $0, name: "", targetRemoved: .cascade) })
  }

  init() throws {
    fixture = try ImportFixture()
    try write(Self.document(.init("other", 211, .relation, target: "Order")), Self.rules(210, 211))
  }

  /// Makes a store, and a dump of it.
  private func write(_ document: ModelDocument, _ rules: Declarations) throws {
    var options = StoreOptions()
    options.declarations = rules
    let store = try ObjectStore.open(
      .directory(fixture.path("source")), model: document, options: options)
    defer { store.close() }
    try store.write { _ = try $0.put(DynamicObject(try store.entity(named: "Line"))) }
    let output = MemoryOutput()
    try DumpExporter(store).export(to: output)
    try fixture.directory.write(output.text(), to: "dump")
  }

  /// The relations with rules in a store after the import of the dump.
  private func imported(
    into name: String = "data", _ model: ModelDocument? = nil, _ rules: Declarations? = nil
  ) throws -> [UID] {
    var settings = StoreOptions()
    settings.declarations = rules
    var options = ImportOptions()
    options.mode = .upsert
    // The model of a store can lack a property of the dump.
    options.unknown = .ignore
    _ = try ImportSession(
      DumpInput(path: fixture.path("dump")), into: fixture.path(name), model: model,
      options: options, store: settings
    ).run()
    let store = try ObjectStore.open(.directory(fixture.path(name)))
    defer { store.close() }
    return store.declarations.relations.map(\.relation)
  }

  @Test func aNewStoreGetsThoseThatItsModelHas() throws {
    #expect(try imported(into: "a") == [210, 211])
    let one = try Self.document(.init("text", 212, .string))
    #expect(try imported(into: "b", one) == [210])
    // Its UID is that of another element there.
    let other = try Self.document(.init("other", 211, .string))
    #expect(try imported(into: "c", other) == [210])
    #expect(try imported(into: "d", one, Declarations()) == [])
    #expect(try imported(into: "e", one, Self.rules(777)) == [777])
    // A store that is there keeps its own.
    #expect(try imported(into: "d", one) == [])
    #expect(try imported(into: "e") == [777])
  }

  /// A relation of the same name can have another UID in another project.
  @Test func aWarningNamesRulesThatAStoreDoesNotGet() throws {
    func warnings(_ name: String, _ model: ModelDocument?) throws -> [String] {
      let input = try DumpInput(path: fixture.path("dump"))
      let session = try ImportSession(input, into: fixture.path(name), model: model)
      return session.warnings.map { "\($0.rule.id) \($0.message)" }
    }
    let other = try Self.document(.init("other", 212, .relation, target: "Order"))
    #expect(
      try warnings("a", other) == [
        "BOX184 the store does not get a delete rule of the dump, whose relation the model does not have: "
          + "Line.other (211)"
      ])
    let foreign = try TestModel(.init(name: "Other", uid: 300, fields: [])).document()
    #expect(
      try warnings("b", foreign) == [
        "BOX184 the store does not get 2 delete rules of the dump, whose relations the model does not have; "
          + "the first one: Line.order (210)"
      ])
    #expect(try warnings("c", nil) == [])
    #expect(try warnings("d", Self.document(.init("x", 211, .relation, target: "Order"))) == [])
  }

  /// An import that was killed before its first commit leaves such a file.
  @Test func aFileWithoutATransactionIsANewStore() throws {
    try fixture.directory.write("", to: "data/data.mdb")
    let one = try Self.document()
    #expect(try imported(one) == [210])
  }

  @Test func aRuleWhoseIndexTheModelLacksIsRefused() throws {
    let error = #expect(throws: StoreError.self) { try imported(Self.document(index: false)) }
    guard case .incompatibleModel(let findings) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(findings.map(\.rule.id) == ["BOX614"])
    #expect(try imported(Self.document(index: false), Declarations()) == [])
  }

  /// Whatever is wrong with the rules, it is the dump that is wrong.
  @Test(arguments: [
    (#"{"rules":2,"declarations":[]}"#, "format 2 was written by a newer version"),
    (#"{"rules":0,"declarations":[]}"#, "there is no format 0"),
    ("{}", "this is no file of rules"), ("[]", "\"rules\" is not an object"),
    (
      #"{"rules":1,"declarations":[{"relation":"101","targetRemoved":"deny"}]}"#,
      "101 is the property Order.id"
    ),
    (
      #"{"rules":1,"declarations":[{"relation":"210","targetRemoved":"casade"}]}"#,
      "'casade' is no rule"
    ),
  ])
  func wrongRulesAreAWrongDump(_ rules: String, _ message: String) throws {
    let text = try fixture.directory.text(of: "dump")
    let before = Self.rules(210, 211).named(
      by: try DumpInput(path: fixture.path("dump"))
        .header?.parsedModel("") ?? Model()
    ).fileJSON.text(indent: 0)
    let wrong = text.replacing("\"rules\":\(before)", with: "\"rules\":\(rules)")
    #expect(wrong != text, "\(text.prefix(400))")
    try fixture.directory.write(
      wrong.split(separator: "\n").dropLast().joined(separator: "\n") + "\n", to: "dump")
    let error = #expect(throws: DumpError.self) { try imported() }
    #expect(error?.kind == .malformed)
    #expect(error?.message.contains(message) ?? false, "\(String(describing: error))")
  }
}
