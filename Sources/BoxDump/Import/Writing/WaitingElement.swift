internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// An element that waits for another object to give up the value of a unique property.
struct WaitingElement {
  var object: ImportObject
  /// The id of its object in the store.
  var id: UInt64
  /// Whether its object does not exist yet.
  var isNew: Bool
}

/// The form in which elements that wait are part of the store.
///
/// Values are stored as records, which keep each bit of a number.
extension WaitingElement {
  /// The note of the element.
  ///
  /// - Throws: ``StoreError`` if the values do not match the properties.
  func noteBytes() throws -> [UInt8] {
    var note = NoteWriter()
    note.append(object.plan.name)
    note.append(object.id)
    note.append(id)
    note.append(isNew ? 1 : 0)
    note.append(object.place.note)
    note.append(UInt64(object.places.count))
    for place in object.places {
      note.append(UInt64(place.line))
      note.append(UInt64(place.column))
    }
    note.append(try Self.record(values))
    note.append(UInt64(object.links.count))
    for links in object.links { try Self.append(links, to: &note) }
    note.append(object.element == nil ? 0 : 1)
    if let element = object.element {
      note.append(element.isLine ? 1 : 0)
      note.append(element.name == nil ? 0 : 1)
      note.append(element.name ?? "")
      note.append(element.text)
      note.append(element.header == nil ? 0 : 1)
      note.append(element.header ?? [])
    }
    try Self.append(object.nested, to: &note)
    return note.bytes
  }

  private static func append(_ nested: [ImportNested], to note: inout NoteWriter) throws {
    note.append(UInt64(nested.count))
    for relation in nested {
      note.append(relation.relation?.uid ?? 0)
      note.append(UInt64(relation.position + 1))
      note.append(UInt64(relation.objects.count))
      for part in relation.objects {
        note.append(part.plan.name)
        note.append(try record(WaitingElement(object: part, id: 1, isNew: true).values))
        note.append(UInt64(part.links.count))
        for links in part.links { try append(links, to: &note) }
        try append(part.nested, to: &note)
      }
    }
  }

  /// The object with the values of the input, relations included: its targets have the ids of the
  /// input.
  var values: DynamicObject {
    var object = DynamicObject(self.object.plan.entity, id: id)
    for (position, value) in self.object.values { object.values[position] = value }
    return object
  }

  private static func record(_ object: DynamicObject) throws -> [UInt8] {
    let prepared = PreparedObjects(object.entity)
    try prepared.append(object)
    return prepared.snapshot(at: 0)
  }

  private static func append(_ links: ImportKeyLinks, to note: inout NoteWriter) throws {
    note.append(links.relation?.uid ?? 0)
    note.append(UInt64(links.position + 1))
    note.append(links.target.uid)
    note.append(UInt64(links.key))
    note.append(UInt64(links.values.count))
    for value in links.values {
      var target = DynamicObject(links.target, id: 1)
      target.values[links.key] = value
      note.append(try record(target))
    }
  }

  /// Reads a note.
  ///
  /// - Throws: ``DumpError`` if it is not a note of this import, and ``StoreError``.
  init(
    _ bytes: [UInt8], _ importPlan: ImportPlan, _ store: ObjectStore, _ transaction: Transaction
  ) throws {
    var note = NoteReader(bytes)
    guard let plan = importPlan.entities[ExactText(try note.string())] else {
      throw NoteReader.invalid
    }
    object = ImportObject(
      plan: plan, id: try note.integer(), values: [], place: ElementLine(note: 0))
    id = try note.integer()
    isNew = try note.integer() != 0
    object.place = ElementLine(note: try note.integer())
    for _ in 0..<(try note.count()) {
      object.places.append(JSONPosition(line: try note.count(), column: try note.count()))
    }
    object.values = Self.values(try transaction.object(plan.entity, id, in: note.field()))
    for _ in 0..<(try note.count()) {
      object.links.append(try Self.links(&note, plan.entity, store, transaction))
    }
    if try note.integer() != 0 {
      let isLine = try note.integer() != 0
      let hasName = try note.integer() != 0
      let name = try note.string()
      var element = RejectedElement(
        name: hasName ? name : nil, text: try note.field(), isLine: isLine)
      // An older version did not note the header.
      if !note.isAtEnd {
        let hasHeader = try note.integer() != 0
        let header = try note.field()
        if hasHeader { element.header = header }
      }
      object.element = element
    }
    // Nor did it note nested objects.
    if !note.isAtEnd {
      object.nested = try Self.nested(&note, of: object, importPlan, store, transaction)
    }
  }

  private static func nested(
    _ note: inout NoteReader, of object: ImportObject, _ plan: ImportPlan, _ store: ObjectStore,
    _ transaction: Transaction
  ) throws -> [ImportNested] {
    let entity = object.plan.entity
    return try (0..<(try note.count())).map { _ in
      let uid: UID = try note.integer()
      let position = try note.count() - 1
      guard entity.properties.indices.contains(position) || position == -1 else {
        throw NoteReader.invalid
      }
      let objects = try (0..<(try note.count())).map { _ in
        guard let part = plan.entities[ExactText(try note.string())] else {
          throw NoteReader.invalid
        }
        var object = ImportObject(plan: part, id: 0, values: [], place: object.place)
        object.values = values(try transaction.object(part.entity, 1, in: note.field()))
        for _ in 0..<(try note.count()) {
          object.links.append(try links(&note, part.entity, store, transaction))
        }
        object.nested = try nested(&note, of: object, plan, store, transaction)
        return object
      }
      return ImportNested(
        relation: entity.relations.first { $0.uid == uid }, position: position, objects: objects)
    }
  }

  /// The values of an object that are not null, without its id.
  private static func values(_ object: DynamicObject) -> [(position: Int, value: Value)] {
    object.values.enumerated().compactMap { position, value in
      position == object.entity.idPosition || value == .null ? nil : (position, value)
    }
  }

  private static func links(
    _ note: inout NoteReader, _ entity: EntitySchema, _ store: ObjectStore,
    _ transaction: Transaction
  ) throws -> ImportKeyLinks {
    let uid: UID = try note.integer()
    let position = try note.count() - 1
    guard let target = store.entity(try note.integer()) else { throw NoteReader.invalid }
    let key = try note.count()
    guard target.properties.indices.contains(key),
      entity.properties.indices.contains(position)
        || position == -1
    else { throw NoteReader.invalid }
    let values = try (0..<(try note.count())).map { _ in
      try transaction.object(target, 1, in: note.field()).values[key]
    }
    return ImportKeyLinks(
      relation: entity.relations.first { $0.uid == uid }, position: position, target: target,
      key: key, values: values)
  }
}

/// A note of integers and texts, one after the other.
private struct NoteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ integer: UInt64) { bytes += CheckpointKey.bytes(integer) }
  mutating func append(_ text: String) { append(Array(text.utf8)) }

  mutating func append(_ field: [UInt8]) {
    append(UInt64(field.count))
    bytes += field
  }
}

/// Reads what a ``NoteWriter`` has written.
private struct NoteReader {
  static let invalid = DumpError(
    "the notes of an interrupted import in the store cannot be read", remedy: .restart)

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func integer() throws(DumpError) -> UInt64 {
    guard rest.count >= 8 else { throw Self.invalid }
    defer { rest = rest.dropFirst(8) }
    return CheckpointKey.integer(rest.prefix(8))
  }

  mutating func count() throws(DumpError) -> Int {
    guard let count = Int(exactly: try integer()) else { throw Self.invalid }
    return count
  }

  mutating func field() throws(DumpError) -> [UInt8] {
    let count = try count()
    guard rest.count >= count else { throw Self.invalid }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func string() throws(DumpError) -> String {
    String(decoding: try field(), as: UTF8.self)
  }
}
