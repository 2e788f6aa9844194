internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxStorage
internal import Synchronization

/// One side of a comparison: its model, and its objects section by section.
protocol DiffSource: AnyObject {
  /// Begins with the objects of an entity, or the entries of a relation.
  func begin(_ section: String) throws

  /// The JSON of the next object or entry of the section; nil at its end.
  func next() throws -> [UInt8]?
}

struct DiffSide {
  var path: String
  var model: Model
  /// The existing entities.
  var entities: [String]
  /// The existing properties and relations; nil for all.
  var fields: Set<ExactText>?
  /// The converters of the values; values are compared in the forms that these give.
  var catalogue = Catalogue.empty
  var source: any DiffSource

  /// Opens a side for the duration of a call: a store is read in one transaction.
  static func with<R>(
    _ side: DumpDifference.Side, _ forms: DumpForms, _ limits: DecompressionLimits,
    _ body: (DiffSide) throws -> R
  ) throws -> R {
    if side.kind != .store {
      let source = try DumpSource(side.path, isDirectory: side.kind == .directory, limits)
      let own = DumpForms(source.header)
      if own.dates != forms.dates || own.bytes != forms.bytes {
        let kind = own.dates != forms.dates ? "dates" : "bytes"
        throw DumpError(
          "the two dumps write \(kind) in different forms: export one of them again",
          kind: .impossible, path: side.path)
      }
      if own.converters != forms.converters {
        throw DumpError(
          "the two dumps were written with different converters", kind: .impossible,
          path: side.path, remedy: .exportWithoutConverters)
      }
      return try body(try DiffSide(side.path, source))
    }
    let converters = try forms.storeConverters(side.path)
    var options = StoreOptions()
    options.storage = side.storage
    options.storage.isReadOnly = true
    return try DumpDifference.StoreFailure.naming(side.path) {
      let store = try ObjectStore.open(.directory(side.path), options: options)
      defer { store.close() }
      return try store.read { transaction in
        try body(
          DiffSide(
            path: side.path, model: store.model, entities: store.entities.map(\.name), fields: nil,
            source: StoreSource(side.path, transaction, forms, converters)))
      }
    }
  }

  private init(
    path: String, model: Model, entities: [String], fields: Set<ExactText>?, source: any DiffSource
  ) {
    self.path = path
    self.model = model
    self.entities = entities
    self.fields = fields
    self.source = source
  }

  private init(_ path: String, _ source: DumpSource) throws(DumpError) {
    self.init(
      path: path, model: source.model, entities: source.header.entities,
      fields: source.header.fields.map { Set($0.map { ExactText($0) }) }, source: source)
    // One that cannot be read says nothing of any property; two dumps with it can be compared.
    catalogue = (try? source.header.catalogue(path)) ?? .empty
  }
}

extension DiffSide {
  /// The test whether a property or relation of an entity is in the dump: all are if none of them
  /// was selected.
  func presence(in entity: Entity) -> (String) -> Bool {
    let prefix = entity.name + "."
    guard let fields, fields.contains(where: { $0.text.withoutPrefix(prefix) != nil }) else {
      return { _ in true }
    }
    return { fields.contains(ExactText(prefix + $0)) }
  }

  /// Whether the values of a property are converted, as far as a dump says so: a store is read as the
  /// dump is that it is compared with.
  func isConverted(_ property: String, of entity: Entity) -> Bool {
    catalogue.binding(entity: entity.name, property: property) != nil
  }

  /// Whether the target entity of a relation exists: a dump has no relations to missing entities.
  func hasTarget(of relation: Relation) -> Bool {
    model.entities.contains {
      $0.pair.uid == relation.target.uid && entities.contains($0.name)
    }
  }
}

/// The objects of a store, as a dump would have them.
private final class StoreSource: DiffSource {
  private let path: String
  private let transaction: Transaction
  private let forms: DumpForms
  private let converters: StoreConverters
  private var entity: EntitySchema?
  private var relation: RelationSchema?
  private var writer: ObjectWriter?
  /// The lines that were written and not taken yet, last first.
  private var lines: [[UInt8]] = []
  /// The id to continue at; nil at the end.
  private var start: UInt64?

  private static let batch = 1024

  init(
    _ path: String, _ transaction: Transaction, _ forms: DumpForms, _ converters: StoreConverters
  ) {
    self.path = path
    self.transaction = transaction
    self.forms = forms
    self.converters = converters
  }

  func begin(_ section: String) throws {
    (lines, start, entity, relation) = ([], 0, nil, nil)
    let entities = transaction.store.entities
    entity = entities.first { $0.name.hasSameBytes(as: section) }
    if let entity {
      writer = ObjectWriter(
        entity,
        try entity.properties.map { property in
          let converter = try converters.converter(entity, property)
          return (
            property,
            converter.map { .converted($0) }
              ?? WrittenForm(property, forms.integers, forms.dates, forms.bytes)
          )
        },
        quotesIDs: forms.integers == .string)
    } else {
      relation =
        entities.flatMap { entity in entity.relations.map { (entity, $0) } }
        .first { "\($0.0.name).\($0.1.name)".hasSameBytes(as: section) }?.1
    }
  }

  func next() throws -> [UInt8]? {
    if lines.isEmpty, let start {
      try DumpDifference.StoreFailure.naming(path) { try fill(from: start) }
    }
    return lines.popLast()
  }

  private func fill(from first: UInt64) throws {
    start = nil
    if let entity, let writer {
      let stream = CollectingStream()
      let queue = WritingQueue()
      var output = BlockWriter(queue, try OutputFile(stream, .none))
      var count = 0
      try transaction.visit(entity, from: first) { id, record in
        if count == Self.batch {
          start = id
          return .stop
        }
        count += 1
        do throws(ObjectWriter.Failure) {
          try writer.write(id, record, to: &output)
        } catch {
          throw DumpError(
            "\(entity.name) \(id): \(error.property): \(error.message)", path: path)
        }
        output.append([UInt8(ascii: "\n")])
        return .next
      }
      _ = try output.flush()
      lines = stream.bytes.withLock { $0 }.split(separator: UInt8(ascii: "\n")).map(Array.init)
        .reversed()
    } else if let relation {
      try fill(relation, from: first)
    }
  }

  private func fill(_ relation: RelationSchema, from first: UInt64) throws {
    var entries: [(source: UInt64, targets: [UInt64])] = []
    try transaction.visitEntries(relation, from: first) { source, target in
      if entries.last?.source != source {
        if entries.count == Self.batch {
          start = source
          return .stop
        }
        entries.append((source, []))
      }
      entries[entries.count - 1].targets.append(target)
      return .next
    }
    lines = entries.reversed().map { entry in
      let targets = entry.targets.map(String.init).joined(separator: ",")
      return Array("{\"source\":\(entry.source),\"targets\":[\(targets)]}".utf8)
    }
  }
}

/// Keeps what is written.
private final class CollectingStream: DumpStream {
  let bytes = Mutex<[UInt8]>([])

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    self.bytes.withLock { unsafe $0.append(contentsOf: bytes) }
  }

  func finish() throws {}
}
