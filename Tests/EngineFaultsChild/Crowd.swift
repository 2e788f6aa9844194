import BoxEngine
import BoxModel
import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One of many processes that write one store, and each follow what all of them write.
struct Crowd {
  private let store: ObjectStore
  private let counters: EntitySchema
  private let entries: EntitySchema
  private let relation: RelationSchema
  private let copy: FollowedCopy
  private var state: UInt64

  /// Writes and compares until the time is over.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - seconds: The seconds to go on for.
  ///   - seed: Decides what is written.
  /// - Throws: ``LedgerError`` if the copy differs from the store, and the errors of the store.
  static func run(_ place: Place, seconds: Int, seed: UInt64) throws {
    var crowd = try Crowd(place, seed: seed)
    let end = time(nil) + seconds
    emit("writing")
    var rounds = 0
    while time(nil) < end {
      rounds += 1
      try crowd.change()
      if rounds % 20 == 0 { try crowd.compare() }
      usleep(UInt32(crowd.below(3000)))
    }
    try crowd.compare()
    let commits = crowd.copy.takeCommits()
    emit("followed \(commits.count { $0.origin == .elsewhere }) of others, \(rounds) written")
  }

  private init(_ place: Place, seed: UInt64) throws {
    var options = StoreOptions()
    options.hearing = .everywhere()
    store = try place.open(options: options)
    counters = try store.entity(named: "Counter")
    entries = try store.entity(named: "Entry")
    guard let relation = entries.relation(named: "counters") else {
      throw LedgerError("the model lacks a relation")
    }
    self.relation = relation
    // Nobody commits between what the copy reads first and what it is told first.
    let (store, entities) = (store, [counters, entries])
    copy = try store.write { _ in try FollowedCopy(store, entities) }
    state = seed
  }

  /// A number below a limit: the upper bits of a linear congruential generator.
  private mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  private mutating func change() throws {
    let steps = (0...below(below(10) == 0 ? 200 : 6)).map { _ in
      (kind: below(8), id: UInt64(below(80) + 1), target: UInt64(below(20) + 1), value: below(1000))
    }
    try store.write { transaction in
      for step in steps {
        switch step.kind {
        case 0...2:
          var entry = DynamicObject(entries)
          entry["number"] = .integer(Int64(step.value))
          let length = step.value % 7 == 0 ? 6000 : step.value
          entry["text"] = .string(String(repeating: "x", count: length))
          try transaction.put(entry)
        case 3:
          var counter = DynamicObject(counters, id: step.target)
          counter["total"] = .integer(Int64(step.value))
          try transaction.put(counter)
        case 4:
          var (last, left): (UInt64, Int) = (0, step.value % 40)
          try transaction.visitObjects(entries) { entry in
            (last, left) = (entry.id, left - 1)
            return left < 0 ? .stop : .next
          }
          try transaction.remove(entries, last)
        case 5: try transaction.remove(counters, step.target)
        case 6:
          if try transaction.get(entries, step.id) != nil,
            try transaction.get(counters, step.target) != nil
          {
            try transaction.link(relation, step.id, step.target)
          }
        default: try transaction.unlink(relation, step.id, step.target)
        }
      }
    }
  }

  /// Compares the copy with the store while nobody else can write.
  private func compare() throws {
    try store.write { _ in
      if let difference = try copy.difference() { throw LedgerError(difference) }
    }
  }
}
