import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Removals by delete rules, and what is left by those without, as commands show them.
struct DeleteRuleRequestTests {
  private let directory: TemporaryDirectory

  private static let rules = Declarations(relations: [
    .init(relation: 201, name: "Order.address", sourceRemoved: .cascade),
    .init(relation: 202, name: "Order.customer", targetRemoved: .deny),
    .init(relation: 301, name: "Line.order", targetRemoved: .cascade),
    .init(relation: 401, name: "Invoice.order", targetRemoved: .nullify),
  ])

  private static func document() throws -> ModelDocument {
    try TestModel(
      .init(name: "Customer", uid: 100, fields: []),
      .init(
        name: "Order", uid: 200,
        properties: [
          .init("id", 250, .long, .id), .init("address", 201, .relation, target: "Address"),
          .init("customer", 202, .relation, target: "Customer"),
          .init("text", 203, .string),
          .init(
            name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 204),
          .init("next", 205, .relation, target: "Order"),
        ]),
      .init(
        name: "Line", uid: 300,
        properties: [.init("id", 350, .long, .id), .init("order", 301, .relation, target: "Order")]),
      .init(
        name: "Invoice", uid: 400,
        properties: [.init("id", 450, .long, .id), .init("order", 401, .relation, target: "Order")]),
      .init(name: "Address", uid: 500, fields: [])
    ).document()
  }

  private func open(_ rules: Declarations) throws -> ObjectStore {
    var options = StoreOptions()
    options.declarations = rules
    return try ObjectStore.open(
      .directory(directory.path(of: "data")), model: Self.document(), options: options)
  }

  /// Two orders of a customer, each with an address, two lines and an invoice.
  init() throws {
    directory = try TemporaryDirectory()
    let store = try open(Self.rules)
    defer { store.close() }
    try store.write { transaction in
      func put(_ name: String, _ values: KeyValuePairs<String, Value>) throws {
        var object = DynamicObject(try store.entity(named: name))
        for (name, value) in values { object[name] = value }
        try transaction.put(object)
      }
      try put("Customer", [:])
      for id in 1...2 as ClosedRange<UInt64> {
        try put("Address", [:])
        try put(
          "Order",
          [
            "address": .unsigned(id), "customer": .unsigned(1), "text": .string("same"),
            "code": .string("\(id)"),
          ])
        try put("Invoice", ["order": .unsigned(id)])
        for _ in 1...2 { try put("Line", ["order": .unsigned(id)]) }
      }
    }
  }

  @Test func aDryRunShowsWhatWouldGo() async throws {
    let run = try await directory.remove("Order", .ids([1])) { $0.isDryRun = true }
    #expect(
      run.text.hasPrefix(
        """
        Order: 1 object would be removed
          Line: 2, by Line.order
          Address: 1, by Order.address
        Invoice.order would be null in 1 object

        """), "\(run.text)\(run.messages)")
    #expect(run.text.hasSuffix("dry run: nothing was kept\n"))
    let real = try await directory.remove("Order", .ids([1]))
    #expect(
      real.only(
        .success,
        """
        Order: 1 object removed
          Line: 2, by Line.order
          Address: 1, by Order.address
        Invoice.order is null in 1 object

        """), "\(real.messages)")
  }

  @Test func theReportForProgramsHasBoth() throws {
    let report = try RemoveRequest(directory.path(of: "data"), "Order", .all).run(in: Workspace())
    #expect(
      report.effects?.cascadedJSON == [
        ["entity": "Line", "removed": 4, "relations": ["Line.order"]],
        ["entity": "Address", "removed": 2, "relations": ["Order.address"]],
      ])
    #expect(report.effects?.nullifiedJSON == [["relation": "Invoice.order", "objects": 2]])
    #expect(report.removed == 2)
    let other = try RemoveRequest(directory.path(of: "data"), "Invoice", .all).run(in: Workspace())
    #expect(other.effects == nil)
  }

  @Test func aRefusalIsImpossible() async throws {
    let run = try await directory.remove("Customer", .ids([1]))
    #expect(run.outcome == .failed(.impossible))
    #expect(
      run.messages.contains(
        "Customer 1 cannot be removed: 2 objects that stay are related to it by Order.customer (deny), first "
          + "Order 1"), "\(run.messages)")
  }

  @Test func theQuestionHasAllEntities() async throws {
    let run = try await directory.remove("Order", .all) {
      $0.confirm = { proposal in
        throw CommandFailure(
          .impossible,
          "\(proposal.count) of \(proposal.entity), \(proposal.others.joined(separator: ", "))")
      }
    }
    #expect(run.messages.contains("2 of Order, 4 of Line, 2 of Address"), "\(run.messages)")
  }

  @Test func aSetThatTakesAValueShowsWhatGoes() async throws {
    func set(_ change: (inout EditOptions) -> Void = { _ in }) async throws -> EditReport {
      var request = SetRequest(
        directory.path(of: "data"), "Order", .ids([2]), [#"code="1""#])
      change(&request.options)
      return try request.run(in: Workspace())
    }
    let dry = try await set { $0.isDryRun = true }
    #expect(
      dry.text.hasPrefix(
        """
        Order: 1 object would be changed, 1 object would be removed, as their unique value belongs to another one now
          Line: 2, by Line.order
          Address: 1, by Order.address
        Invoice.order would be null in 1 object

        """), "\(dry.text)")
    let real = try await set()
    #expect(real.displaced == 1)
    #expect(
      real.effects?.cascadedJSON == [
        ["entity": "Line", "removed": 2, "relations": ["Line.order"]],
        ["entity": "Address", "removed": 1, "relations": ["Order.address"]],
      ])
  }

  @Test func aPutThatTakesAValueNotesWhatGoes() throws {
    let request = PutRequest(directory.path(of: "data"), "Order", [#"{"code": "1"}"#])
    let report = try request.run(in: Workspace())
    #expect(
      report.displacementNote
        == "1 object removed, as its unique value belongs to another one now, and by delete rules 2 of Line, "
        + "1 of Address; Invoice.order is null in 1 object")
  }

  @Test func putsThatExchangeValuesApplyNoRule() throws {
    var request = PutRequest(
      directory.path(of: "data"), "Order",
      [#"{"id": 1, "code": "2"}"#, #"{"id": 2, "code": "1"}"#])
    request.mode = .upsert
    let report = try request.run(in: Workspace())
    #expect(report.changed == 2 && report.displaced == 0 && report.displacementNote == nil)
    let store = try open(Self.rules)
    defer { store.close() }
    #expect(try store.read { try $0.count(store.entity(named: "Line")) } == 4)
  }

  @Test func duplicatesKeepTheObjectThatStays() async throws {
    var request = DuplicatesRequest(directory.path(of: "data"), "Order.text")
    request.removes = true
    var rules = Self.rules
    rules.relations.append(
      .init(relation: 205, name: "Order.next", sourceRemoved: .cascade))
    let store = try open(rules)
    try store.write { transaction in
      let order = try store.entity(named: "Order")
      var object = try #require(try transaction.get(order, 2))
      object["next"] = .unsigned(1)
      try transaction.put(object)
    }
    store.close()
    #expect {
      try request.run(in: Workspace())
    } throws: { error in
      "\(error)".contains("Order 1 stays, and a delete rule would remove it with Order 2")
    }
    request.keep = .newest
    let report = try request.run(in: Workspace())
    #expect(report.removed == 1)
    #expect(
      report.effects?.cascadedJSON == [
        ["entity": "Line", "removed": 2, "relations": ["Line.order"]],
        ["entity": "Address", "removed": 1, "relations": ["Order.address"]],
      ])
    let left = try open(rules)
    defer { left.close() }
    #expect(try left.read { try $0.count(left.entity(named: "Order")) } == 1)
  }

  @Test func orphansAreListed() throws {
    func report() throws -> OrphansReport {
      try OrphansReport(directory.path(of: "data"), StoreAccess(), in: Workspace())
    }
    #expect(try report().text == "no orphans\n")
    var store = try open(Declarations())
    try store.write { transaction in
      _ = try transaction.remove(store.entity(named: "Order"), 2)
      var line = DynamicObject(try store.entity(named: "Line"))
      line["order"] = .null
      try transaction.put(line)
    }
    store.close()
    // Without rules nobody owns an object.
    #expect(
      try report().text == """
        Line.order: 2 objects refer to Order objects that do not exist: Line 3, 4
        Invoice.order: 1 object refers to Order objects that do not exist: Invoice 2

        """)
    store = try open(Self.rules)
    store.close()
    let found = try report()
    #expect(
      found.text == """
        Line.order: 2 objects refer to Order objects that do not exist: Line 3, 4
        Invoice.order: 1 object refers to Order objects that do not exist: Invoice 2
        Line: 3 objects belong to no object by Line.order: Line 3, 4, 5
        Address: 1 object belongs to no object by Order.address: Address 2

        """)
    #expect(found.hasOrphans)
  }

  @Test func repointedLinksAreNotFollowed() async throws {
    // The lines of the second order move to the first one, and its own address goes with it.
    let run = try await directory.duplicates("Order.customer") {
      ($0.removes, $0.repoints) = (true, true)
    }
    #expect(run.outcome == .success, "\(run.messages)")
    let store = try open(Self.rules)
    defer { store.close() }
    let counts = try store.read { transaction in
      try ["Order", "Line", "Invoice", "Address"].map {
        try transaction.count(store.entity(named: $0))
      }
    }
    #expect(counts == [1, 4, 2, 1])
  }
}
