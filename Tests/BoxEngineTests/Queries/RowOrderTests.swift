import BoxModel
import TestSupport
import Testing

@testable import BoxEngine

/// Rows of values have the order of objects with these values.
struct RowOrderTests {
  @Test func rowsAreInTheOrderOfTheirObjects() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_QUERIES", default: 5000) / 100
    for _ in 0..<count {
      let sample = try QuerySample(&random, variants: [true])
      let entity = try sample.stores[0].entity(named: "Thing")
      let objects = sample.world.answer("Thing", .always, [])
      for _ in 0..<10 {
        let order = QueryModel.order(entity, &random)
        let rows = RowOrder(order).sorted(objects) { object in
          order.map { term in
            let isID = entity.property(named: term.property)?.flags.contains(.id) == true
            return .value(isID ? .unsigned(object.id) : object[term.property])
          }
        }
        let expected = sample.world.answer("Thing", .always, order)
        try #require(rows.map(\.id) == expected.map(\.id), "by \(order)")
      }
    }
  }

  /// Sums that no integer of 64 bits is, and null as the zero of integers and of numbers.
  ///
  /// Rows that are equal stay as they were in both directions.
  @Test(
    arguments: [
      ([.sum(1 << 70), .sum(-(1 << 70)), .sum(5), .sum(-1)], [1, 3, 2, 0], [0, 2, 3, 1]),
      ([.sum(1), .value(.null), .sum(-1), .sum(0)], [2, 1, 3, 0], [0, 1, 3, 2]),
      (
        [.value(.double(.nan)), .value(.null), .value(.double(-0.5)), .value(.double(-0.0))],
        [2, 1, 3, 0], [0, 1, 3, 2]
      ),
      (
        [.value(.unsigned(.max)), .value(.integer(-1)), .value(.bool(true))], [1, 2, 0], [0, 2, 1]
      ),
      ([.value(.integers([1])), .value(.integer(-2)), .value(.null)], [1, 0, 2], [0, 2, 1]),
    ] as [([RowValue], [Int], [Int])])
  func numbersAreInTheirOrder(_ values: [RowValue], _ ascending: [Int], _ descending: [Int]) {
    for (isDescending, expected) in [(false, ascending), (true, descending)] {
      let order = RowOrder([QueryOrder("n", descending: isDescending, nulls: .zero)])
      #expect(order.sorted(Array(values.indices)) { [values[$0]] } == expected)
    }
  }
}
