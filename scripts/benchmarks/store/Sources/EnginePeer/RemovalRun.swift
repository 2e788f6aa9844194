import BoxEngine
import BoxModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Removals of orders with their lines: by a delete rule, and by all ids.
enum RemovalRun {
  /// The number of orders, over which the lines are spread.
  private static let orders = 10

  /// Puts orders and lines, prints an empty line, removes all of them in one transaction, and prints its nanoseconds.
  ///
  /// - Parameters:
  ///   - operation: `cascade` removes the orders of a store with a rule; `ids` removes lines and orders by their ids.
  ///   - directory: The directory of the store.
  ///   - count: The number of lines.
  /// - Throws: The errors of the store.
  static func run(_ operation: String, _ directory: String, count: Int) throws {
    var options = StoreOptions()
    if operation == "cascade" {
      options.declarations = Declarations(
        relations: [RelationDeclaration(relation: 22, name: "Line.order", targetRemoved: .cascade)])
    }
    let store = try ObjectStore.open(
      .directory(directory), model: ModelDocument(parsing: Array(model.utf8)), options: options)
    let (order, line) = (try store.entity(named: "Order"), try store.entity(named: "Line"))
    let (orders, lines) = try store.write { transaction in
      let orders = try (0..<Self.orders).map { _ in try transaction.put(DynamicObject(order)) }
      let lines = try (0..<count).map { number in
        var object = DynamicObject(line)
        (object["order"], object["amount"]) = (
          .unsigned(orders[number % orders.count]), .integer(Int64(number))
        )
        return try transaction.put(object)
      }
      return (orders, lines)
    }
    // From here on the memory of the process is measured.
    print()
    fflush(nil)
    usleep(20_000)
    let start = now()
    let removed = try store.write { transaction in
      if operation == "ids" { try transaction.remove(line, lines) }
      return try transaction.remove(order, orders)
    }
    let time = now() - start
    let left = try store.read { try $0.count(line) }
    guard removed == orders.count, left == 0 else { exit(1) }
    print(time)
  }

  private static let model = """
    {"entities":[
    {"id":"1:1","lastPropertyId":"1:11","name":"Order","properties":[
    {"id":"1:11","name":"id","type":6,"flags":1}]},
    {"id":"2:2","lastPropertyId":"3:23","name":"Line","properties":[
    {"id":"1:21","name":"id","type":6,"flags":1},
    {"id":"2:22","name":"order","indexId":"1:31","type":11,"flags":520,"relationTarget":"Order"},
    {"id":"3:23","name":"amount","type":6}]}],
    "lastEntityId":"2:2","lastIndexId":"1:31","lastRelationId":"0:0","modelVersion":5,
    "modelVersionParserMinimum":5,"version":1}
    """

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
