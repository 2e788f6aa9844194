import BoxEngine
import BoxModel
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads all objects of one store and puts them into another, whose `b` is a string: the least that
/// an application would do by hand to migrate them, in transactions of 10,000.
struct Conversion {
  private let old: ObjectStore
  private let new: ObjectStore

  /// Makes the new store, whose directory must not be there.
  init(_ old: ObjectStore, into directory: String, _ model: ModelDocument) throws {
    if mkdir(directory, 0o777) != 0 { exit(73) }
    self.old = old
    new = try ObjectStore.open(.directory(directory), model: model)
  }

  func run() throws -> Outcome {
    var outcome = Outcome()
    let (before, after) = (try old.entity(named: "Mixed"), try new.entity(named: "Mixed"))
    let (from, to) = (Slots(before), Slots(after))
    start_measure(&outcome.measurement)
    var next: UInt64? = 1
    while let start = next {
      next = nil
      try new.write { transaction in
        // The new store gives its ids in the same order.
        var left = BATCH
        try old.read { reading in
          try reading.visit(before, from: start) { id, record in
            if left == 0 {
              next = id
              return .stop
            }
            left -= 1
            var object = from.read(record, id: id)
            outcome.objects += 1
            outcome.checksum &+= sum_of_mixed(&object)
            let text = hundredths(object.b)
            try transaction.put(after) { try to.write(&object, withText: text, to: &$0) }
            return .next
          }
        }
      }
    }
    stop_measure(&outcome.measurement)
    return outcome
  }

  /// An integer as a number with two digits after the point.
  private func hundredths(_ value: Int32) -> String {
    let (units, rest) = value.magnitude.quotientAndRemainder(dividingBy: 100)
    return (value < 0 ? "-" : "") + "\(units)." + (rest < 10 ? "0" : "") + "\(rest)"
  }
}
