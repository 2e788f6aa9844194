import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Imports of nested objects, which a mapping makes objects of other entities.
struct NestedImportTests {
  private let fixture: ImportFixture
  private let store: ObjectStore

  init() throws {
    fixture = try ImportFixture()
    store = try fixture.open(
      "store",
      TestModel(
        .init(
          name: "Order", uid: 100,
          fields: [
            .init("code", 102, .string, [.indexHash, .unique]),
            .init("customer", 103, .relation, target: "Customer"),
          ], relations: [.init("lines", 600, to: "Line")]),
        .init(
          name: "Customer", uid: 200,
          fields: [.init("name", 202, .string), .init("number", 203, .long)]),
        .init(
          name: "Line", uid: 300,
          fields: [.init("count", 302, .long), .init("of", 303, .relation, target: "Product")]),
        .init(
          name: "Product", uid: 400, fields: [.init("sku", 402, .string, [.indexHash, .unique])])
      ).document())
  }

  private func catalogue(
    customer: String = "Customer", lines: String = "Line"
  ) throws -> Catalogue {
    let text = """
      {"mappings": {
        "Order": {"relations": {
          "customer": {"from": "/customer", "to": "\(customer)"},
          "lines": {"from": "/lines", "to": "\(lines)"}}},
        "Customer": {"properties": {"number": "/id"}},
        "Line": {"relations": {"of": {"from": "/sku", "to": "Product", "key": "sku"}}}}}
      """
    let document = try JSONDocument(parsing: Array(text.utf8))
    return try Catalogue(document.exactValue(of: document.root))
  }

  private func refusal(_ text: String, _ catalogue: Catalogue) throws -> String {
    try fixture.refusal(text, into: store) {
      $0.entity = "Order"
      $0.catalogue = catalogue
    }?.message ?? "none"
  }

  private func dump() throws -> String {
    let output = MemoryOutput()
    try DumpExporter(store).export(to: output)
    return output.text().split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
  }

  @Test func eachNestedObjectIsAnObjectOfItsOwn() throws {
    let catalogue = try catalogue()
    let summary = try fixture.load(
      text: """
        {"code":"a","customer":{"id":7,"name":"Ann"},"lines":[{"count":1,"sku":"x"},{"count":2,"sku":"y"}]}
        {"code":"b","customer":{"id":7,"name":"Ann"},"lines":[{"count":3,"sku":"x"}]}
        {"code":"c","customer":null,"lines":[]}
        """, into: store
    ) {
      $0.entity = "Order"
      $0.catalogue = catalogue
    }
    #expect(
      try dump() == """
        {"Order":{"id":1,"code":"a","customer":1}}
        {"Order":{"id":2,"code":"b","customer":2}}
        {"Order":{"id":3,"code":"c","customer":null}}
        {"Customer":{"id":1,"name":"Ann","number":7}}
        {"Customer":{"id":2,"name":"Ann","number":7}}
        {"Line":{"id":1,"count":1,"of":1}}
        {"Line":{"id":2,"count":2,"of":2}}
        {"Line":{"id":3,"count":3,"of":1}}
        {"Product":{"id":1,"sku":"x"}}
        {"Product":{"id":2,"sku":"y"}}
        {"Order.lines":{"source":1,"targets":[1,2]}}
        {"Order.lines":{"source":2,"targets":[3]}}
        """)
    #expect(summary.entities.map(\.inserted).reduce(0, +) == 10)
  }

  /// Two orders exchange their unique values, so that both wait, with what is in them.
  @Test func anObjectThatWaitsKeepsItsNestedObjects() throws {
    let catalogue = try catalogue()
    try fixture.load(text: "{\"code\":\"a\"}\n{\"code\":\"b\"}", into: store) {
      $0.entity = "Order"
    }
    try fixture.load(
      text: """
        {"id":1,"code":"b","customer":{"name":"Bo"},"lines":[{"count":5,"sku":"z"}]}
        {"id":2,"code":"a","customer":{"name":"Cy"}}
        """, into: store
    ) {
      $0.entity = "Order"
      $0.mode = .replace
      $0.catalogue = catalogue
    }
    let text = try dump()
    for line in [
      "{\"Customer\":{\"id\":1,\"name\":\"Bo\"", "{\"Customer\":{\"id\":2,\"name\":\"Cy\"",
      "{\"Order\":{\"id\":1,\"code\":\"b\",\"customer\":1}}",
      "{\"Order\":{\"id\":2,\"code\":\"a\",\"customer\":2}}",
      "{\"Line\":{\"id\":1,\"count\":5,\"of\":1}}", "{\"Product\":{\"id\":1,\"sku\":\"z\"}}",
      "{\"Order.lines\":{\"source\":1,\"targets\":[1]}}",
    ] { #expect(text.contains(line), "\(line) in \(text)") }
  }

  @Test func whatIsNotANestedObjectIsRefusedWithItsPlace() throws {
    let catalogue = try catalogue()
    #expect(
      try refusal("{\"customer\":7}", catalogue).contains("expected nested objects, of which each"))
    #expect(
      try refusal("{\"customer\":[{},{}]}", catalogue)
        .contains("there are 2 objects at /customer for a relation to one"))
    #expect(
      try refusal("{\"lines\":[{\"count\":\"x\"}]}", catalogue)
        .contains("in the object at /lines, count: expected"))
    #expect(
      try refusal("{\"lines\":[{\"id\":4}]}", catalogue).contains("nested objects get ids of their")
    )
    #expect(
      try refusal("{\"customer\":{\"nme\":\"x\"}}", catalogue).contains("no property \"nme\""))
    #expect(try dump().isEmpty)
  }

  @Test func anEntityWithAUniquePropertyNeedsAKey() throws {
    let text =
      "{\"mappings\": {\"Line\": {\"relations\": {\"of\": {\"from\": \"/of\", \"to\": \"Product\"}}}}}"
    let document = try JSONDocument(parsing: Array(text.utf8))
    let catalogue = try Catalogue(document.exactValue(of: document.root))
    let refusal = try fixture.refusal("{\"of\":{\"sku\":\"x\"}}", into: store) {
      $0.entity = "Line"
      $0.catalogue = catalogue
    }
    #expect(refusal?.message.contains("Product.sku is unique") == true)
  }
}
