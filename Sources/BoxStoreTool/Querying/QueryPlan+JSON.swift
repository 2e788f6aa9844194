package import BoxEngine
package import BoxJSON

extension QueryPlan {
  /// The plan for programs.
  package var json: JSONValue {
    guard case .object(let members) = body else { return body }
    let nearest = nearest.map { [JSONValue.Member("nearest", .string($0))] } ?? []
    return .object([.init("schemaVersion", 1)] + members + nearest)
  }

  private var body: JSONValue {
    [
      "entity": .string(entity), "objects": .int(objects),
      "access": access.json,
      "tests": .array(tests.map { .string($0) }),
      "order": [
        "by": .array(orderedBy.map { .string($0) }), "method": .string(order.word),
        "objects": order.count.map { .int($0) } ?? .null,
      ],
      "links": .array(links.map { ["ids": .int($0.ids), "plan": $0.plan.body] }),
    ]
  }
}

extension QueryPlan.Access {
  fileprivate var json: JSONValue {
    switch self {
    case .nothing: ["kind": "nothing"]
    case .scan(let objects): ["kind": "scan", "objects": .int(objects)]
    case .ordered(let index): ["kind": "ordered", "index": .string(index)]
    case .ids(let steps, let ids):
      [
        "kind": "ids", "ids": .int(ids),
        "steps": .array(
          steps.map {
            [
              "kind": .string($0.kind), "property": $0.property.map { .string($0) } ?? .null,
              "condition": .string($0.condition), "ids": .int($0.ids),
            ]
          }),
      ]
    }
  }
}

extension QueryPlan.Order {
  /// The way in which the order is reached, as a word.
  fileprivate var word: String {
    switch self {
    case .byID: "by-id"
    case .asFound: "as-found"
    case .sorted: "sort"
    case .first: "sort-first"
    }
  }

  /// The number of objects that are kept while they are sorted; nil for all.
  fileprivate var count: Int? {
    if case .first(let count) = self { count } else { nil }
  }
}
