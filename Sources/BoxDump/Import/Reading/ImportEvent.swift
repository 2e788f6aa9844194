internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// An event that the reader of an import passes to its writer, in the order of the input.
enum ImportEvent: Sendable {
  /// Objects that are ready to be put.
  case prepared(Owned<PreparedChunk>)
  /// Objects that depend on what is in the store.
  case objects([ImportObject])
  case links([ImportLinks])
  case issue(ImportIssue)
  /// The numbers of objects with members that were ignored, by `Entity.member`, since the last such event.
  case ignored([ExactText: Int])
  /// A harmless oddity, as a sentence.
  case note(String)
  /// The end of a file that others follow, with its number.
  case fileEnd(Int, InputIdentity)
  /// The end of a batch.
  case boundary(InputPlace)
  /// The end of the input.
  case end(ImportEnd)
  /// An error after which the input cannot be read any further.
  case failure(DumpError)
}

/// Objects of one entity that are ready to be put.
///
/// Handed from the reader to the writer and back.
final class PreparedChunk {
  let plan: EntityPlan
  let objects: PreparedObjects
  /// The number of the file that they are in.
  @safe @exclusivity(unchecked) var file = 0
  @safe @exclusivity(unchecked) var lines: [Int] = []
  /// The positions of their values that have to be unique, object by object.
  @safe @exclusivity(unchecked) var places: [JSONPosition] = []
  /// Their texts, if rejected ones are kept.
  @safe @exclusivity(unchecked) var texts: [RejectedElement] = []

  init(_ plan: EntityPlan) {
    self.plan = plan
    objects = PreparedObjects(plan.entity)
  }

  /// The places of the unique values of an object.
  func places(at index: Int) -> ArraySlice<JSONPosition> {
    let count = plan.uniqueFields.count
    return places[index * count..<(index + 1) * count]
  }

  func removeAll() {
    objects.removeAll()
    lines.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
  }
}

/// An object whose values are not in a record yet.
struct ImportObject: Sendable {
  var plan: EntityPlan
  /// 0 for one that has none.
  var id: UInt64
  /// Positions of properties, and the values that the input gives them.
  var values: [(position: Int, value: Value)]
  /// Relations to objects that are found by a value of theirs.
  var links: [ImportKeyLinks] = []
  /// Relations to objects that are made with it.
  var nested: [ImportNested] = []
  var place: ElementLine
  /// The places of the values that have to be unique.
  var places: [JSONPosition] = []
  var element: RejectedElement?
}

/// The line at which an element begins.
struct ElementLine: Hashable, Sendable {
  /// The number of the file.
  var file: Int
  var line: Int
}

extension ElementLine {
  /// The bits of the line in a note; an older version noted nothing but the line.
  private static let lineBits: UInt64 = 40

  /// The place as a number.
  var note: UInt64 { UInt64(file) << Self.lineBits | UInt64(line) }

  /// Reads a note.
  init(note: UInt64) {
    file = Int(note >> Self.lineBits)
    line = Int(note & (1 << Self.lineBits - 1))
  }
}

/// Relations of an object to others that are found by a value of theirs, or made with it.
struct ImportKeyLinks: Sendable {
  /// The to-many relation; nil for a to-one relation.
  var relation: RelationSchema?
  /// The position of the property that is the to-one relation.
  var position: Int
  var target: EntitySchema
  /// The position of the property of the targets.
  var key: Int
  var values: [Value]
}

/// A relation of an object to others that are made with it: the nested objects of foreign JSON.
struct ImportNested: Sendable {
  /// The to-many relation; nil for a to-one relation.
  var relation: RelationSchema?
  /// The position of the property that is the to-one relation.
  var position: Int
  /// The objects, without ids.
  var objects: [ImportObject]
}

/// The targets of an object in a to-many relation.
struct ImportLinks: Sendable {
  var plan: RelationPlan
  var source: UInt64
  var targets: [UInt64]
  var place: ElementLine
  var element: RejectedElement?
}

/// The facts that are known at the end of the input.
struct ImportEnd: Sendable {
  /// The last ids that the store gave from which the dump was made, by the names of the dump.
  var lastIDs: [(plan: EntityPlan, id: UInt64)] = []
  /// Harmless oddities, as sentences.
  var notes: [String] = []
  var identity: InputIdentity?
}
