internal import BoxHash

/// The bytes of an entry in the log, and the chain over them.
enum EntryCoding {
  /// The chain after an entry: FNV-1a of 64 bits over the chain before it and the whole entry.
  static func chain(after chain: UInt64, _ entry: LogEntry) -> UInt64 {
    var writer = ByteWriter(capacity: 256)
    writer.fixed(chain)
    write(entry, &writer)
    var hash = Fingerprint()
    hash.combine(bytes: writer.bytes)
    // 0 is the chain of a client without a base.
    return max(1, hash.value)
  }

  static func write(_ entry: LogEntry, _ writer: inout ByteWriter) {
    writer.varint(entry.position)
    writer.fixed(entry.number)
    writer.varint(entry.n)
    writer.fixed(entry.mark)
    writer.varint(UInt64(entry.code.rawValue))
    writer.varint(entry.place)
    writer.byte((entry.isExact ? 1 : 0) | (entry.isFork ? 2 : 0))
    writer.varint(entry.effects.count)
    for effect in entry.effects where !PlantedFault.omits(.effectsInChain) {
      write(effect, &writer)
    }
  }

  private static func write(_ logged: LoggedEffect, _ writer: inout ByteWriter) {
    switch logged.effect {
    case .put(let key, let life, let fields, let isWhole):
      writer.byte(isWhole ? 0x11 : 1)
      write(key, life, &writer)
      write(fields, &writer)
    case .pairs: break
    case .remove(let key, let life):
      writer.byte(3)
      write(key, life, &writer)
    case .forget: break
    case .link(let pair):
      writer.byte(5)
      write(pair, &writer)
    case .unlink(let pair):
      writer.byte(6)
      write(pair, &writer)
    }
    writer.varint(UInt64(logged.lifeBefore))
    write(logged.before, &writer)
    writer.byte(logged.whole == nil ? 0 : 1)
    if let whole = logged.whole {
      write(whole, &writer)
      writer.varint(logged.pairs.count)
      for pair in logged.pairs { write(pair, &writer) }
    }
  }

  private static func write(_ key: GlobalKey, _ life: UInt32, _ writer: inout ByteWriter) {
    writer.fixed(key.entity)
    write(key.id, &writer)
    writer.varint(UInt64(life))
  }

  private static func write(_ id: GlobalID, _ writer: inout ByteWriter) {
    writer.fixed(id.number)
    writer.varint(id.id)
  }

  private static func write(_ pair: GlobalPair, _ writer: inout ByteWriter) {
    writer.fixed(pair.relation)
    write(pair.source, &writer)
    write(pair.target, &writer)
  }

  private static func write(_ fields: Fields<GlobalID>, _ writer: inout ByteWriter) {
    writer.varint(fields.list.count)
    for field in fields.list {
      writer.fixed(field.property)
      switch field.value {
      case .value(let value): writer.value(value)
      case .reference(let id):
        writer.byte(ValueTag.reference.rawValue)
        write(id, &writer)
      }
    }
  }
}
