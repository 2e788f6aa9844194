internal import BoxModel

/// The entities and relations that an opening of a store captures.
final class CaptureSchema: Sendable {
  /// A captured entity.
  struct Entity: Sendable {
    let uid: UID
    /// The slots that are sent, without the one of the clock.
    let slots: [Int]
    /// The number of words that have a bit for each slot.
    let words: Int
    /// The slot that gets a clock with each put.
    let clock: Int?
  }

  /// The captured entities by the positions of all; nil for others.
  let entities: [Entity?]
  /// The UIDs of the relations to many between captured entities.
  let relations: Set<UID>
  let spaces: SyncSpaces

  init(_ schema: StoreSchema, _ uids: [UID], _ spaces: SyncSpaces) {
    let captured = Set(uids)
    entities = schema.entities.map { captured.contains($0.uid) ? Entity($0) : nil }
    let visible = schema.entities.flatMap(\.relations)
    relations = Set(
      visible.filter { captured.contains($0.source) && captured.contains($0.target) }.map(\.uid))
    self.spaces = spaces
  }
}

extension CaptureSchema.Entity {
  fileprivate init(_ entity: EntitySchema) {
    uid = entity.uid
    clock =
      entity.properties.first { $0.flags.contains(.syncClock) && $0.type.width == 8 }.map(\.slot)
    let id = entity.idPosition.map { entity.properties[$0].slot }
    let (clock, all) = (clock, entity.properties.map(\.slot))
    slots = all.filter { $0 != id && $0 != clock }.sorted()
    words = (all.max() ?? 0) / 64 + 1
  }

  /// The slots that two records do not have in common, a bit each; empty without any.
  ///
  /// A value that a record does not store differs from every one that it does, also from the constant that is read in
  /// its place. Where another slot differs, the clock does too.
  func differences(_ old: borrowing RecordView, _ new: borrowing RecordView) -> [UInt64] {
    var bits: [UInt64] = []
    for slot in slots {
      let isStored = new.isStored(slot)
      if old.isStored(slot) == isStored, !isStored || new.hasSameValue(slot, as: old) { continue }
      if bits.isEmpty { bits = Array(repeating: 0, count: words) }
      bits[slot / 64] |= 1 << (slot % 64)
    }
    if let clock, !bits.isEmpty { bits[clock / 64] |= 1 << (clock % 64) }
    return bits
  }

  /// All slots that are sent, a bit each.
  var allSlots: [UInt64] {
    var bits = [UInt64](repeating: 0, count: words)
    for slot in slots + [clock].compactMap(\.self) { bits[slot / 64] |= 1 << (slot % 64) }
    return bits
  }
}
