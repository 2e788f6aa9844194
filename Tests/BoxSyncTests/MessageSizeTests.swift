import BoxModel
import TestSupport
import Testing

@testable import BoxSync

/// The bytes of transactions in messages of 100, which `scripts/bench sync-core` prints as well.
@Suite struct MessageSizeTests {
  /// The entity of `scripts/bench store`, with numbers and a name in its objects.
  private static let model = SyncModel([SyncEntity(10, (11...18).map { SyncProperty($0) })])
  private static let number: UInt64 = 1 << 60

  /// A number of either sign, with any length up to a number of bits.
  private static func integer(_ bits: Int, _ random: inout SplitMix64) -> Value {
    let magnitude = Int64(random.next() >> UInt64(64 - bits + random.below(bits)))
    return .integer(random.oneIn(2) ? magnitude : -magnitude)
  }

  private static func values(_ random: inout SplitMix64) -> [Value] {
    [
      .integer(Int64(Int32(truncatingIfNeeded: random.next()))), integer(20, &random),
      .double(Double(bitPattern: random.next())),
      .float(Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))), .bool(random.oneIn(2)),
      integer(40, &random), .integer(1_700_000_000_000 + Int64(random.below(1 << 40))),
      .string("Object number \(random.below(1_000_000))"),
    ]
  }

  private static func size(_ isInsert: Bool, _ random: inout SplitMix64) -> Int {
    let first = UInt64(1 + random.below(1 << 20))
    let submissions = (0..<UInt64(100)).map { place in
      let id = UInt64(1 + random.below(16_383))
      let key = GlobalKey(entity: 10, id: GlobalID(number: number, id: id))
      let values = isInsert ? values(&random) : [integer(20, &random)]
      let fields = Fields<GlobalID>(zip(UID(11)..., values).map { .init($0, .value($1)) })
      let operation = SyncOperation(
        isInsert ? .insert : .update, key, life: 1, fields: fields, isFresh: isInsert)
      return Submission(
        number: number, n: first + place, mark: random.next(), operations: [operation])
    }
    return MessageEncoder.encode(.changes(submissions), Numbering(model)).count
  }

  @Test(arguments: [("update of an Int", 18), ("insert of an object of bench store", 90)])
  func `A transaction with generated values is short in a batch of 100`(name: String, limit: Int) {
    var random = TestSeed.next()
    let sizes = (0..<100).map { _ in Self.size(limit == 90, &random) }
    record(name, Double(sizes.reduce(0, +)) / 10_000)
    for size in sizes { #expect(size <= 100 * limit, "\(name): \(size) bytes") }
  }
}
