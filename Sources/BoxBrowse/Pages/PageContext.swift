internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool

/// The things that a page is made of: an open store, one state of it, and the way to other pages.
struct PageContext {
  let server: BrowseServer
  let store: BrowseStore
  let open: OpenStore
  let transaction: Transaction
  let cancellation: BrowseCancellation
  /// The zone of dates as addresses have it; nil for UTC.
  var zoneName: String?
  /// The zone of dates.
  var zone: DateZone { zoneName.flatMap { DateZone($0) } ?? .utc }
  private let begin = ContinuousClock.now

  init(
    _ server: BrowseServer, _ store: BrowseStore, _ open: OpenStore, _ transaction: Transaction,
    _ cancellation: BrowseCancellation
  ) {
    self.server = server
    self.store = store
    self.open = open
    self.transaction = transaction
    self.cancellation = cancellation
  }

  /// The time since the page was begun, as text.
  var elapsed: String {
    let (seconds, attoseconds) = (ContinuousClock.now - begin).components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  /// The rest of the time for which a page may read.
  var remaining: Duration { max(.zero, StoreAnswers.limit - (ContinuousClock.now - begin)) }

  /// The path of a page of the store.
  func link(_ page: BrowseAddress.StorePage, _ query: String = "") -> String {
    server.address(.page(store: store.name, page)) + query
  }

  /// The entity of a name.
  ///
  /// - Throws: ``BrowseProblem`` for an unknown one, with the nearest.
  func entity(_ name: String) throws(BrowseProblem) -> EntitySchema {
    if let entity = open.store.entities.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      return entity
    }
    throw BrowseProblem(404, open.store.unknownEntity(name).message)
  }

  /// The problem of an object that does not exist.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func missing(_ entity: EntitySchema, _ id: UInt64) throws -> BrowseProblem {
    BrowseProblem(
      404,
      "there is no \(entity.name) with id \(id); the last id that was given is \(try transaction.lastID(entity))"
    )
  }

  /// The vector with the numbers of the object that it names.
  ///
  /// - Throws: ``BrowseProblem`` for an object without a vector, `StoreError` if the store cannot be read.
  func vector(_ nearest: NearestVector, of entity: EntitySchema) throws -> NearestVector {
    do {
      return try nearest.read(from: entity, in: transaction)
    } catch let failure as CommandFailure where failure.kind == .impossible {
      throw BrowseProblem(404, failure.message)
    }
  }

  /// A page of the store that says why another one is not shown.
  func problem(_ problem: BrowseProblem) throws -> BrowseAnswer {
    let note: HTMLText = "<div class=\"note red\"><p>\(problem.message.sentence)</p></div>"
    return try StoreFrame(self, problem.status.title, current: nil).answer(
      problem.status, "<div class=\"top\"><h1>\(problem.status.title)</h1>\(note)</div>")
  }

  /// An option of a command with its value.
  func option(_ name: String, _ value: String) -> String { "--\(name) \(shellQuoted(value))" }

  /// The command of the page, as it is typed.
  func command(_ words: [String]) -> HTMLText {
    let line = "boxjoint " + words.joined(separator: " ")
    return "<pre class=\"command\">\(lines: line)</pre>"
  }
}

/// The texts by which people know objects.
final class ObjectLabels {
  private let transaction: Transaction
  /// The property with the text; nil for an entity without one.
  private var properties: [UID: PropertySchema?] = [:]

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// The label of an object.
  enum Label {
    case text(String)
    /// The object has no text.
    case none
    /// There is no object with the id, or it cannot be read.
    case missing, damaged
  }

  /// The property whose text is the label: `name`, `title`, a unique string, or any string.
  func property(of entity: EntitySchema) -> PropertySchema? {
    if let known = properties[entity.uid] { return known }
    let strings = entity.properties.filter { $0.modelType == .string }
    let found =
      strings.first { $0.name.lowercased() == "name" }
      ?? strings.first { $0.name.lowercased() == "title" }
      ?? strings.first { $0.index?.isUnique ?? false } ?? strings.first
    properties[entity.uid] = .some(found)
    return found
  }

  /// The label of an object.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(log *n*).
  func label(_ entity: EntitySchema, _ id: UInt64) throws -> Label {
    do {
      guard let property = property(of: entity) else {
        return try transaction.contains(entity, id) ? .none : .missing
      }
      let text = try transaction.get(entity, id) { record -> Label in
        record.string(property.slot).map { $0.isEmpty ? .none : .text($0) } ?? .none
      }
      return text ?? .missing
    } catch StoreError.damagedRecord {
      return .damaged
    }
  }
}

extension PageContext {
  /// The path of the page of an object, in the zone of this one.
  func link(_ entity: EntitySchema, _ id: UInt64, from origin: RelationOrigin? = nil) -> String {
    link(
      .object(entity: entity.name, id: id), ObjectParameters(origin: origin, zone: zoneName).text)
  }

  /// A link to an object, with its label.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func link(
    _ entity: EntitySchema, _ id: UInt64, _ labels: ObjectLabels, from origin: RelationOrigin? = nil
  ) throws -> HTMLText {
    let path = link(entity, id, from: origin)
    switch try labels.label(entity, id) {
    case .text(let text):
      return
        "<a class=\"rel\" href=\"\(path)\"><span class=\"id\">\(id.text)</span> \(ValueView.cut(text, 60))</a>"
    case .none: return "<a class=\"rel\" href=\"\(path)\"><span class=\"id\">\(id.text)</span></a>"
    case .damaged:
      return
        "<a class=\"rel\" href=\"\(path)\"><span class=\"id\">\(id.text)</span> <span class=\"wrong\">damaged</span></a>"
    case .missing:
      return
        "<span class=\"id\">\(id.text)</span> <span class=\"nil\">no such \(entity.name)</span>"
    }
  }
}

extension UInt64 {
  /// The digits.
  var text: String { String(self) }
}

extension EntitySchema {
  /// The name in words of a page about some of its objects.
  func objects(_ count: Int) -> String { counted(count, "object") }
}
