internal import BoxEngine
internal import BoxModel

/// The ids of the objects that an import has written, of the entities in which that matters.
///
/// Each block of 512 ids is a bit set in the store, so memory does not grow with the input, and a
/// resumed import knows them too.
struct WrittenIDs {
  private struct Block: Hashable {
    var entity: UID
    var number: UInt64
  }

  private typealias Bits = SIMD8<UInt64>

  private let entities: Set<UID>
  /// The blocks that changed since the last flush, complete.
  private var blocks: [Block: Bits] = [:]
  /// The block of the last insertion: ids often ascend.
  private var current: (block: Block, bits: Bits)?

  /// More blocks are not held in memory: 4 MiB.
  private static let maximumBlocks = 1 << 15

  init(_ entities: [EntitySchema]) { self.entities = Set(entities.map(\.uid)) }

  /// Whether objects of an entity are recorded.
  func records(_ entity: EntitySchema) -> Bool {
    !entities.isEmpty && entities.contains(entity.uid)
  }

  /// Adds an object of an entity that is recorded.
  mutating func insert(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws {
    let block = Block(entity: entity.uid, number: id >> 9)
    if current?.block != block {
      settle()
      if blocks.count >= Self.maximumBlocks { try flush(transaction) }
      current = (block, try bits(block, transaction))
    }
    current?.bits[Int(id >> 6 & 7)] |= 1 << (id & 63)
  }

  /// Whether an object was added, by this run or one that was interrupted.
  func contains(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws -> Bool {
    let bits = try bits(Block(entity: entity.uid, number: id >> 9), transaction)
    return bits[Int(id >> 6 & 7)] & 1 << (id & 63) != 0
  }

  /// Writes everything to the store.
  mutating func flush(_ transaction: Transaction) throws {
    settle()
    for (block, bits) in blocks {
      try transaction.setCheckpoint(
        CheckpointKey.written(block.entity, block: block.number),
        (0..<Bits.scalarCount).flatMap { CheckpointKey.bytes(bits[$0]) })
    }
    blocks.removeAll(keepingCapacity: true)
  }

  private mutating func settle() {
    if let current { blocks[current.block] = current.bits }
    current = nil
  }

  private func bits(_ block: Block, _ transaction: Transaction) throws -> Bits {
    if let current, current.block == block { return current.bits }
    if let bits = blocks[block] { return bits }
    var bits = Bits()
    if let note = try transaction.checkpoint(
      CheckpointKey.written(block.entity, block: block.number)),
      note.count == Bits.scalarCount * 8
    {
      for position in 0..<Bits.scalarCount {
        bits[position] = CheckpointKey.integer(note[position * 8..<position * 8 + 8])
      }
    }
    return bits
  }
}
