internal import BoxHash

/// The bytes of a model in the message `model` and in `welcome`, and their digest.
package enum SyncModelCoding {
  /// A hash of a model, by which a server recognizes it.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  package static func digest(_ model: SyncModel) -> UInt64 {
    var writer = ByteWriter()
    write(model, &writer)
    var hash = Fingerprint()
    hash.combine(bytes: writer.bytes)
    return max(1, hash.value)
  }

  static func write(_ model: SyncModel, _ writer: inout ByteWriter) {
    writer.varint(model.entities.count)
    for entity in model.entities.values.sorted(by: { $0.uid < $1.uid }) {
      writer.fixed(entity.uid)
      writer.byte(
        (entity.mergesObjects ? 1 : 0) | (entity.sharesIDs ? 2 : 0)
          | (entity.clock != nil ? 4 : 0) | (entity.precedence != nil ? 8 : 0))
      if let clock = entity.clock { writer.fixed(clock) }
      if let precedence = entity.precedence { writer.fixed(precedence) }
      writer.varint(entity.properties.count)
      for property in entity.properties {
        writer.fixed(property.uid)
        writer.byte(property.unique.rawValue | (property.target != nil ? 4 : 0))
        if let target = property.target { writer.fixed(target) }
      }
    }
    writer.varint(model.relations.count)
    for relation in model.relations.values.sorted(by: { $0.uid < $1.uid }) {
      writer.fixed(relation.uid)
      writer.fixed(relation.source)
      writer.fixed(relation.target)
    }
  }

  static func read(_ reader: inout ByteReader) throws(MessageFailure) -> SyncModel {
    var (entities, relations): ([SyncEntity], [SyncRelation]) = ([], [])
    for _ in 0..<(try reader.count(bytesEach: 10)) {
      let entity = try readEntity(&reader)
      guard entity.uid > entities.last?.uid ?? 0 else {
        throw reader.failure("has UIDs out of order")
      }
      entities.append(entity)
    }
    for _ in 0..<(try reader.count(bytesEach: 24)) {
      let uid = try reader.fixed64()
      guard uid > relations.last?.uid ?? 0 else { throw reader.failure("has UIDs out of order") }
      relations.append(
        SyncRelation(uid, from: try reader.fixed64(), to: try reader.fixed64()))
    }
    return SyncModel(entities, relations)
  }

  private static func readEntity(
    _ reader: inout ByteReader
  ) throws(MessageFailure) -> SyncEntity {
    let uid = try reader.fixed64()
    let flags = try reader.byte()
    guard flags < 16 else { throw reader.failure("has unknown flags") }
    let clock = flags & 4 != 0 ? try reader.fixed64() : nil
    let precedence = flags & 8 != 0 ? try reader.fixed64() : nil
    var properties: [SyncProperty] = []
    for _ in 0..<(try reader.count(bytesEach: 9)) {
      let uid = try reader.fixed64()
      guard uid > properties.last?.uid ?? 0 else { throw reader.failure("has UIDs out of order") }
      let flags = try reader.byte()
      guard flags < 8, let unique = UniqueRule(rawValue: flags & 3) else {
        throw reader.failure("has unknown flags")
      }
      let target = flags & 4 != 0 ? try reader.fixed64() : nil
      properties.append(SyncProperty(uid, unique: unique, target: target))
    }
    return SyncEntity(
      uid, properties, mergesObjects: flags & 1 != 0, clock: clock, precedence: precedence,
      sharesIDs: flags & 2 != 0)
  }
}
