internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// A transaction ends when it has written so many bytes, or so many objects.
private let maximumBytes = 16 << 20
private let maximumObjects = 20_000

/// Carries the objects of a store over to a new one, as a mapping says.
///
/// Each write transaction takes a bounded number of bytes, so the memory does not grow with the data.
struct ObjectCarrier {
  private let old: ObjectStore
  private let new: ObjectStore
  private let mapping: ResolvedMapping
  /// The properties that are optional in the new version and were not in the old one.
  private let becameOptional: Set<UID>
  private let report: (_ done: Int, _ total: Int) throws -> Void
  private var offsets = IDOffsets()
  private var lastIDs: [UID: UInt64] = [:]
  private var total = 0
  private var done = 0
  /// The number of objects that were put.
  private(set) var objects = 0
  /// The number of links that were dropped, because an end was left behind.
  private(set) var droppedLinks = 0

  /// The maximum number of links of a transaction.
  private static let maximumLinks = 200_000

  init(
    from old: ObjectStore, to new: ObjectStore, _ mapping: ResolvedMapping,
    _ constants: [UID: Value]?, _ report: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    self.old = old
    self.new = new
    self.mapping = mapping
    let known = old.entities.flatMap(\.properties).filter { $0.constantValue != nil }.map(\.uid)
    becameOptional = Set(known.filter { uid in constants.map { $0[uid] == nil } ?? false })
    self.report = report
    for entity in try old.statistics().entities {
      lastIDs[entity.uid] = entity.lastID
      if mapping.sources.contains(where: { $0.entity == entity.uid }) {
        total += entity.objects.entries
      }
    }
  }

  mutating func run() throws {
    try report(0, total)
    for source in mapping.sources {
      for route in source.routes where route.givenID != nil { try giveIDs(route) }
    }
    try reserveIDs()
    for source in mapping.sources {
      guard let entity = old.entity(source.entity) else { continue }
      try carry(entity, source)
    }
    for links in mapping.links { try carry(links) }
    try report(total, total)
  }

  /// Looks up the ids that a rule gives.
  ///
  /// - Throws: ``MigrationError/unfitValue(entity:id:property:_:reason:)`` for what is no id, and for one that two
  ///   objects get.
  private mutating func giveIDs(_ route: ResolvedMapping.Route) throws {
    guard let from = old.entity(route.old), let to = new.entity(route.new),
      let rule = route.givenID
    else { return }
    let carrier = RecordCarrier(route, from: from, to: to, becameOptional)
    var owners: [UInt64: UInt64] = [:]
    try old.read { transaction in
      try transaction.visit(from) { id, record in
        if !carrier.takes(record, id) { return .next }
        func unfit(_ value: Value, _ reason: String) -> MigrationError {
          .unfitValue(
            entity: from.name, id: id, property: rule.names.destination, value, reason: reason)
        }
        let value = carrier.idSource?.value(record, id) ?? .null
        let made: Value
        do {
          made = try rule.carry(value, offsets)
        } catch let error as UnfitValue {
          throw unfit(error.value, error.reason)
        }
        let number: UInt64?
        switch made {
        case .unsigned(let id): number = id
        case .integer(let id): number = UInt64(exactly: id)
        default: number = nil
        }
        guard let number, number > 0, number <= ObjectStore.maximumID else {
          throw unfit(value, "an id is a number above 0")
        }
        if let other = owners.updateValue(id, forKey: number) {
          throw unfit(value, "object \(other) has the id \(number) already")
        }
        offsets.give(number, to: id, route.old, route.new)
        lastIDs[route.new] = max(lastIDs[route.new] ?? 0, number)
        return .next
      }
    }
    // Without objects there is nothing to follow, either.
    if owners.isEmpty { offsets.give(0, to: 0, route.old, route.new) }
  }

  /// An id that was given in the old store is not given again in the new one.
  private mutating func reserveIDs() throws {
    var highest: [UID: UInt64] = [:]
    for entity in new.entities { highest[entity.uid] = lastIDs[entity.uid] ?? 0 }
    let routes = mapping.sources.flatMap(\.routes)
    for route in routes where route.ids == .same {
      highest[route.new] = max(highest[route.new] ?? 0, lastIDs[route.old] ?? 0)
    }
    for route in routes where route.ids == .shifted {
      let base = highest[route.new] ?? 0
      let (last, overflow) = base.addingReportingOverflow(lastIDs[route.old] ?? 0)
      if overflow || last > ObjectStore.maximumID {
        throw StoreError.idsExhausted(entity: new.entity(route.new)?.name ?? "\(route.new)")
      }
      offsets[route.old, route.new] = base
      highest[route.new] = last
    }
    try new.write { transaction in
      for entity in new.entities {
        try transaction.reserveIDs(entity, through: highest[entity.uid] ?? 0)
      }
    }
  }

  // MARK: - Objects

  private mutating func carry(_ entity: EntitySchema, _ source: ResolvedMapping.Source) throws {
    let targets = source.routes.compactMap { new.entity($0.new) }
    guard targets.count == source.routes.count else { return }
    if let function = source.function {
      try inParts(of: entity) { this, reading, start, part, transaction in
        try reading.visitObjects(entity, from: start) { object in
          try part.take(object.id, of: entity) {
            try this.put(object, function, source, targets, transaction)
          }
        }
      }
      return
    }
    let carriers = zip(source.routes, targets).map {
      RecordCarrier($0, from: entity, to: $1, becameOptional)
    }
    try inParts(of: entity) { this, reading, start, part, transaction in
      try reading.visit(entity, from: start) { id, record in
        try part.take(id, of: entity) {
          var bytes = 0
          for carrier in carriers where carrier.takes(record, id) {
            bytes += try this.put(record, id, carrier, transaction)
          }
          return bytes
        }
      }
    }
  }

  /// The part of the objects of an entity that one transaction puts.
  private struct Part {
    var bytes = 0
    var count = 0
    /// The id of the first object of the next transaction.
    var next: UInt64?

    /// Puts an object, unless the part is full.
    @inline(__always)
    mutating func take(
      _ id: UInt64, of entity: EntitySchema, _ put: () throws -> Int
    ) throws -> VisitStep {
      if bytes >= maximumBytes || count >= maximumObjects {
        next = id
        return .stop
      }
      do {
        bytes += try put()
      } catch let error as UnfitValue {
        throw MigrationError.unfitValue(
          entity: entity.name, id: id, property: error.property, error.value,
          reason: error.reason)
      } catch let error {
        throw MigrationError.object(entity: entity.name, id: id, error)
      }
      count += 1
      return .next
    }
  }

  /// Visits the objects of an entity, each part of them in a transaction.
  private mutating func inParts(
    of entity: EntitySchema,
    _ visit: (
      inout Self, _ reading: Transaction, _ start: UInt64, inout Part, _ writing: Transaction
    ) throws -> Void
  ) throws {
    var next: UInt64? = 0
    while let start = next {
      var part = Part()
      try new.write { transaction in
        try old.read { try visit(&self, $0, start, &part, transaction) }
      }
      next = part.next
      done += part.count
      try report(done, total)
    }
  }

  /// Puts the object made from a record, and returns the number of its bytes.
  private mutating func put(
    _ record: borrowing RecordView, _ id: UInt64, _ carrier: RecordCarrier,
    _ transaction: Transaction
  ) throws -> Int {
    var bytes = 0
    try transaction.put(carrier.target, id: newID(id, carrier.route), mode: .insert) { writer in
      try carrier.write(record, id, offsets, to: &writer)
      bytes = writer.byteCount
    }
    objects += 1
    return bytes
  }

  /// Puts the objects that a function makes from one, and returns their approximate number of
  /// bytes.
  private mutating func put(
    _ object: DynamicObject, _ function: EntityMigration.Function,
    _ source: ResolvedMapping.Source, _ targets: [EntitySchema], _ transaction: Transaction
  ) throws -> Int {
    var output = ObjectOutput(object, source.routes, targets, offsets)
    try function(SourceObject(object: object), &output)
    var bytes = 0
    for made in output.made {
      var new = made.object
      new.id = newID(object.id, source.routes[made.route])
      try transaction.put(new, mode: .insert)
      objects += 1
      bytes += new.values.reduce(64) { $0 + $1.approximateBytes }
    }
    return bytes
  }

  private func newID(_ id: UInt64, _ route: ResolvedMapping.Route) -> UInt64 {
    if route.givenID != nil { return offsets.moved(id, route.old, route.new) ?? 0 }
    switch route.ids {
    case .same: return id
    case .new: return 0
    case .shifted: return id + offsets[route.old, route.new]
    }
  }

  // MARK: - Links

  private mutating func carry(_ links: ResolvedMapping.Links) throws {
    guard let from = old.entities.flatMap(\.relations).first(where: { $0.uid == links.old }),
      let to = new.entities.flatMap(\.relations).first(where: { $0.uid == links.new }),
      let source = old.entity(links.sources.old), let newSource = new.entity(links.sources.new),
      let newTarget = new.entity(links.targets.new)
    else { return }
    let (sources, ends) = (links.sources, links.targets)
    var next: UInt64? = 0
    while let start = next {
      next = nil
      try new.write { transaction in
        try old.read { reading in
          var ids: [UInt64] = []
          try reading.visit(source, from: start) { id, _ in
            if ids.count >= maximumObjects {
              next = id
              return .stop
            }
            ids.append(id)
            return .next
          }
          var count = 0
          for id in ids {
            if count > Self.maximumLinks {
              next = id
              break
            }
            let targets = try reading.targets(from, of: id)
            count += targets.count
            let newID = offsets.moved(id, sources.old, sources.new) ?? 0
            let isThere = try transaction.contains(newSource, newID)
            for target in targets {
              let end = offsets.moved(target, ends.old, ends.new) ?? 0
              if try isThere && transaction.contains(newTarget, end) {
                try transaction.link(to, newID, end)
              } else {
                droppedLinks += 1
              }
            }
          }
        }
      }
    }
  }
}

extension Value {
  /// About how many bytes the value takes in a record.
  fileprivate var approximateBytes: Int {
    switch self {
    case .null: 0
    case .bool, .integer, .unsigned, .float, .double: 8
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .bools(let values): values.count
    case .integers(let values): values.count * 8
    case .unsignedIntegers(let values): values.count * 8
    case .floats(let values): values.count * 4
    case .doubles(let values): values.count * 8
    case .strings(let texts): texts.reduce(0) { $0 + $1.utf8.count + 8 }
    }
  }
}
