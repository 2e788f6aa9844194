import CLMDB
import TestSupport

/// A database of a generated file: its flags, and what keys and values it has.
struct PagesSpecification: Sendable {
  var name: String
  var flags: Int32
  var key: @Sendable (inout SplitMix64) -> [UInt8]
  var value: @Sendable (inout SplitMix64) -> [UInt8]

  static let all: [PagesSpecification] = [
    .init(
      name: "objects", flags: MDB_INTEGERKEY, key: { integer($0.below(4000)) },
      value: {
        let isLong = $0.oneIn(25)
        return bytes(isLong ? 2000 + $0.below(12000) : 10 + $0.below(150), &$0)
      }),
    .init(
      name: "texts", flags: 0, key: { text(1 + $0.below(40), &$0) },
      value: { bytes($0.below(60), &$0) }),
    .init(
      name: "long keys", flags: 0,
      key: {
        let isLong = $0.oneIn(10)
        return text(1 + $0.below(isLong ? 511 : 20), &$0)
      },
      value: { bytes($0.below(9), &$0) }),
    .init(
      name: "reversed", flags: MDB_REVERSEKEY, key: { text(1 + $0.below(9), &$0) },
      value: { bytes($0.below(9), &$0) }),
    .init(
      name: "small integers", flags: MDB_INTEGERKEY, key: { Array(integer($0.below(900))[..<4]) },
      value: { bytes($0.below(9), &$0) }),
    .init(
      name: "relation", flags: MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP | MDB_INTEGERKEY,
      key: { few(6, &$0) }, value: { integer($0.below(3000)) }),
    .init(
      name: "index", flags: MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP,
      key: { $0.oneIn(2) ? [7] : text(1 + $0.below(3), &$0) }, value: { integer($0.below(5000)) }),
    .init(
      name: "small index", flags: MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP,
      key: { few(3, &$0) }, value: { Array(integer($0.below(2500))[..<4]) }),
    .init(
      name: "odd items", flags: MDB_DUPSORT | MDB_DUPFIXED, key: { few(30, &$0) },
      value: { text(5, &$0) }),
    .init(
      name: "single bytes", flags: MDB_DUPSORT | MDB_DUPFIXED, key: { few(30, &$0) },
      value: { text(1, &$0) }),
    .init(
      name: "words", flags: MDB_DUPSORT, key: { few(10, &$0) },
      value: { text(1 + $0.below(60), &$0) }),
    .init(
      name: "reversed words", flags: MDB_DUPSORT | MDB_REVERSEDUP, key: { few(20, &$0) },
      value: { text(1 + $0.below(5), &$0) }),
    .init(
      name: "loose integers", flags: MDB_DUPSORT | MDB_INTEGERDUP, key: { few(6, &$0) },
      value: { integer($0.below(3000)) }),
  ]

  private static func integer(_ number: Int) -> [UInt8] {
    // Spread over all bytes, so that the order of bytes is not the order of numbers.
    withUnsafeBytes(of: UInt64(number + 1) &* 0x1_0003) { Array($0) }
  }

  /// One of a few keys, the lower ones far more often.
  private static func few(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    let limit = 1 + random.below(count)
    return integer(random.below(limit))
  }

  private static func text(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8(97 + random.below(26)) }
  }

  private static func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}

/// Makes files by many transactions that add, replace and remove.
enum PagesGenerator {
  /// The directory of a new file `data.mdb` with every kind of page, made by so many transactions with
  /// so many changes of each database in each.
  static func make(
    _ random: inout SplitMix64, transactions: Int = 10, changes: Int = 150
  ) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let file = try PagesFile(directory.path(of: "data.mdb"))
    for index in 0..<transactions {
      try file.write { transaction in
        for specification in PagesSpecification.all {
          try change(specification, changes, &random, transaction)
        }
        _ = try transaction.open("empty", MDB_CREATE)
        try fillAndEmpty(index, transaction)
        try append(index, transaction)
      }
    }
    return directory
  }

  /// Puts and deletes what a database has.
  static func change(
    _ specification: PagesSpecification, _ changes: Int, _ random: inout SplitMix64,
    _ transaction: PagesTransaction
  ) throws {
    let database = try transaction.open(specification.name, specification.flags | MDB_CREATE)
    for _ in 0..<changes {
      let (key, value) = (specification.key(&random), specification.value(&random))
      // Sets become large where they are rarely removed as a whole.
      let removesValue = specification.flags & MDB_DUPSORT != 0 && !random.oneIn(1000)
      if !random.oneIn(5) {
        try transaction.put(database, key, value)
      } else {
        try transaction.delete(database, key, removesValue ? value : nil)
      }
    }
  }

  /// A database that has many pages after every second transaction and none after the others.
  private static func fillAndEmpty(_ index: Int, _ transaction: PagesTransaction) throws {
    let database = try transaction.open("emptied", MDB_CREATE)
    if index.isMultiple(of: 2) {
      for key in UInt8(0)..<100 {
        try transaction.put(database, [key], Array(repeating: key, count: 500))
      }
    } else {
      try transaction.clear(database)
    }
    if index == 4 {
      let dropped = try transaction.open("dropped", MDB_CREATE)
      try transaction.put(dropped, [1], [2])
      try transaction.clear(dropped, removes: true)
    }
  }

  private static func append(_ index: Int, _ transaction: PagesTransaction) throws {
    let database = try transaction.open("appended", MDB_CREATE)
    for number in index * 100..<index * 100 + 100 {
      let key = withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
      try transaction.put(database, key, key + key, flags: MDB_APPEND)
    }
  }
}
