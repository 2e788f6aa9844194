import BoxEngine
import BoxModel
import BoxStorage

/// The transactions that the child processes write: each is numbered, and changes several objects,
/// so that a part of one differs from a whole one.
///
/// The content of a store follows from the number of its last transaction alone.
struct Ledger {
  let store: ObjectStore
  private let counters: EntitySchema
  private let entries: EntitySchema
  private let number: PropertySchema
  private let counter: PropertySchema
  private let relation: RelationSchema

  /// The counter that has the number of the last transaction.
  private static let last: UInt64 = 100
  /// A transaction removes the entries of the one that is so many before it.
  private static let kept = 30
  private static let counterCount = 7
  private static let entryCount = 3

  init(_ store: ObjectStore) throws {
    self.store = store
    counters = try store.entity(named: "Counter")
    entries = try store.entity(named: "Entry")
    guard let number = entries.property(named: "number"),
      let counter = entries.property(named: "counter"),
      let relation = entries.relation(named: "counters")
    else { throw LedgerError("the model lacks a property") }
    self.number = number
    self.counter = counter
    self.relation = relation
  }

  private static func counter(of number: Int) -> UInt64 { UInt64(number % counterCount + 1) }

  private static func text(_ number: Int, _ position: Int) -> String {
    // Now and then one that needs pages of its own.
    let length =
      number % 10 == position ? 5000 + number % 7 * 4000 : (number * 37 + position * 911) % 300
    return "\(number).\(position) " + String(repeating: "x", count: length)
  }

  // MARK: - Writing

  /// Writes a transaction.
  ///
  /// - Parameters:
  ///   - number: Its number, which follows that of the one before.
  ///   - beforeCommit: Called after all objects are put, before the commit.
  /// - Throws: The errors of the store and of `beforeCommit`.
  func write(_ number: Int, beforeCommit: () throws -> Void = {}) throws {
    try store.write { transaction in
      try step(number, transaction)
      try beforeCommit()
    }
  }

  /// Writes the transaction that follows the last one, whoever wrote that.
  ///
  /// - Returns: Its number.
  /// - Throws: The errors of the store.
  func writeNext() throws -> Int {
    try store.write { transaction in
      let number = try lastNumber(transaction) + 1
      try step(number, transaction)
      return number
    }
  }

  /// Does what a transaction does.
  func step(_ number: Int, _ transaction: Transaction) throws {
    let counterID = Self.counter(of: number)
    for id in [counterID, Self.last] {
      var counter = DynamicObject(counters, id: id)
      counter["total"] = .integer(Int64(number))
      try transaction.put(counter)
    }
    for position in 0..<Self.entryCount {
      var entry = DynamicObject(entries)
      entry["number"] = .integer(Int64(number))
      entry["text"] = .string(Self.text(number, position))
      entry["counter"] = .unsigned(counterID)
      let id = try transaction.put(entry)
      try transaction.link(relation, id, counterID)
    }
    for position in 0..<Self.entryCount where number > Self.kept {
      try transaction.remove(entries, Self.entryID(number - Self.kept, position))
    }
  }

  /// Writes what a transaction would write as if it came from the server, and its number as the position.
  ///
  /// - Parameters:
  ///   - number: The number of the transaction, which follows that of the one before.
  ///   - beforeCommit: Called after everything is written, before the commit.
  /// - Throws: The errors of the store and of `beforeCommit`.
  func arrive(_ number: Int, beforeCommit: () throws -> Void) throws {
    try store.writeArrivals { arrivals in
      let counterID = Self.counter(of: number)
      var changes: [Arrivals.ObjectChange] = []
      for id in [counterID, Self.last] {
        changes.append(put(counters, id, ["total": .integer(Int64(number))]))
      }
      for position in 0..<Self.entryCount {
        var change = put(
          entries, Self.entryID(number, position),
          [
            "number": .integer(Int64(number)), "text": .string(Self.text(number, position)),
            "counter": .unsigned(counterID),
          ])
        change.identity = .some(LocalIdentity(life: 1, number: 7, id: change.id))
        changes.append(change)
        guard number > Self.kept else { continue }
        var removal = Arrivals.ObjectChange(
          entries, Self.entryID(number - Self.kept, position))
        removal.presence = .gone
        removal.identity = .some(LocalIdentity(life: 2, number: 7, id: removal.id))
        changes.append(removal)
      }
      try arrivals.write(changes)
      for position in 0..<Self.entryCount {
        try arrivals.transaction.link(relation, Self.entryID(number, position), counterID)
      }
      try arrivals.setBase(position: UInt64(number), chain: 1)
      try beforeCommit()
    }
  }

  private func put(
    _ entity: EntitySchema, _ id: UInt64, _ values: [String: Value]
  ) -> Arrivals.ObjectChange {
    var change = Arrivals.ObjectChange(entity, id)
    change.presence = .put(entity.properties.map { values[$0.name] ?? .null })
    return change
  }

  /// The position of data sync, which is the number of the last transaction if that came from the server.
  func position() throws -> Int { try store.writeArrivals { Int(try $0.base().position) } }

  private static func entryID(_ number: Int, _ position: Int) -> UInt64 {
    UInt64((number - 1) * entryCount + position + 1)
  }

  // MARK: - Checking

  /// Compares all that can be read with what the transactions up to the last one leave.
  ///
  /// - Returns: The number of the last transaction.
  /// - Throws: ``LedgerError`` if anything of it is missing, or there is more.
  func check() throws -> Int {
    try store.read { transaction in
      let number = try lastNumber(transaction)
      try checkCounters(number, transaction)
      try checkEntries(number, transaction)
      return number
    }
  }

  private func lastNumber(_ transaction: Transaction) throws -> Int {
    guard let counter = try transaction.get(counters, Self.last) else { return 0 }
    guard case .integer(let total) = counter["total"] else {
      throw LedgerError("the last number is missing")
    }
    return Int(total)
  }

  private func checkCounters(_ number: Int, _ transaction: Transaction) throws {
    var found: [UInt64: Int] = [:]
    try transaction.visitObjects(counters) { counter in
      if case .integer(let total) = counter["total"] { found[counter.id] = Int(total) }
      return .next
    }
    var expected: [UInt64: Int] = [:]
    if number > 0 {
      expected[Self.last] = number
      for earlier in max(1, number - Self.counterCount + 1)...number {
        expected[Self.counter(of: earlier)] = earlier
      }
    }
    if found != expected {
      throw LedgerError("after \(number) the counters are \(found) instead of \(expected)")
    }
  }

  private func checkEntries(_ number: Int, _ transaction: Transaction) throws {
    let numbers = number == 0 ? [] : Array(max(1, number - Self.kept + 1)...number)
    var found: [UInt64: DynamicObject] = [:]
    try transaction.visitObjects(entries) { entry in
      found[entry.id] = entry
      return .next
    }
    if found.count != numbers.count * Self.entryCount {
      throw LedgerError("after \(number) there are \(found.count) entries")
    }
    var links: [UInt64: [UInt64]] = [:]
    for earlier in numbers {
      let ids = (0..<Self.entryCount).map { Self.entryID(earlier, $0) }
      let counterID = Self.counter(of: earlier)
      for (position, id) in ids.enumerated() {
        guard let entry = found[id], entry["number"] == .integer(Int64(earlier)),
          entry["text"] == .string(Self.text(earlier, position)),
          entry["counter"] == .unsigned(counterID),
          try transaction.targets(relation, of: id) == [counterID]
        else { throw LedgerError("after \(number) entry \(id) is missing or another") }
      }
      if try transaction.ids(entries, where: self.number, equals: .integer(Int64(earlier))) != ids {
        throw LedgerError("after \(number) the index of numbers is wrong at \(earlier)")
      }
      links[counterID, default: []] += ids
    }
    for (counterID, ids) in links {
      if try transaction.sources(relation, of: counterID) != ids
        || transaction.sources(entries, counter, of: counterID) != ids
      {
        throw LedgerError("after \(number) the relations of counter \(counterID) are wrong")
      }
    }
  }
}

/// An error in a store.
struct LedgerError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
