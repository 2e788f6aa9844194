import BoxJSON
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxEngine
@testable import BoxStoreTool

/// The plans of queries about the books of `docs/examples/library`, as JSON.
struct QueryPlanTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try await directory.loadLibrary()
  }

  private func plan(_ change: (inout QueryRequest) -> Void) throws -> QueryPlan {
    var request = QueryRequest(directory.path(of: "data"), "Book")
    change(&request)
    return try request.explain(in: directory.place())
  }

  @Test func eachPartHasAPlace() throws {
    let plan = QueryPlan(
      entity: "Book", objects: 13,
      access: .ids(
        steps: [.init(kind: "index", property: "author", condition: "author == 1", ids: 3)],
        ids: 3),
      tests: ["pages > 200"], orderedBy: ["title desc"], order: .first(2),
      links: [
        .init(plan: QueryPlan(entity: "Author", objects: 7, access: .scan(objects: 7)), ids: 1)
      ])
    let expected: [String] = [
      #"{"schemaVersion":1,"entity":"Book","objects":13,"access":{"kind":"ids","ids":3,"#,
      #""steps":[{"kind":"index","property":"author","condition":"author == 1","ids":3}]},"#,
      #""tests":["pages > 200"],"#,
      #""order":{"by":["title desc"],"method":"sort-first","objects":2},"#,
      #""links":[{"ids":1,"plan":{"entity":"Author","objects":7,"#,
      #""access":{"kind":"scan","objects":7},"tests":[],"#,
      #""order":{"by":[],"method":"by-id","objects":null},"links":[]}}]}"#,
    ]
    #expect(plan.json.text(indent: 0) == expected.joined())
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func plansFollowTheirSchema() async throws {
    for change in [
      { _ in }, { $0.condition = "(false)" }, { $0.condition = "year == 1969" },
      { $0.condition = "author.name == 'Homer' && pages > 3" },
      {
        $0.order = [.init("year", descending: true)]
        $0.limit = 2
      },
      { $0.order = [.init("title")] },
      { $0.nearest = NearestVector("mood", [1, 1, 1]) },
      { $0.condition = "any(Reader.borrowed, name == 'Ole')" },
    ] as [(inout QueryRequest) -> Void] {
      let json = try plan(change).json.displayText
      #expect(
        try await SchemaValidator.violations(
          of: Array(json.utf8), against: "query-plan.schema.json") == "", "\(json)")
    }
  }

  @Test func theNearestAreSoughtAmongTheObjectsOfTheCondition() throws {
    let plan = try plan {
      $0.nearest = NearestVector("mood", [1, 1, 1])
      $0.condition = "pages > 300"
      $0.limit = 2
    }
    #expect(plan.tests == ["pages > 300"])
    #expect("\(plan)".hasSuffix("\n  nearest 2 by mood, a look at each vector"))
  }

  /// The limit of a result that needs all objects is not one of the plan.
  @Test func aLimitOfGroupsIsNotOneOfObjects() throws {
    let limited = try plan {
      $0.order = [.init("title")]
      $0.limit = 2
    }
    #expect(limited.order == .first(2))
    let groups = try plan {
      $0.rows = .groups(by: "genre", [.count])
      $0.order = [.init("count")]
      $0.limit = 2
    }
    #expect(groups.order == .byID)
    let distinct = try plan {
      $0.select("genre", distinct: true)
      $0.order = [.init("title")]
      $0.limit = 2
    }
    #expect(distinct.order == .sorted)
  }
}
