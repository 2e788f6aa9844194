internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// The limits of bytes and objects at which a transaction is committed.
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
  /// The number of objects that cannot be carried over and are listed before the migration ends; 0 to end it with the
  /// first.
  private let maximumFailures: Int
  private let report: (_ done: Int, _ total: Int) throws -> Void
  private var offsets = IDOffsets()
  private var lastIDs: [UID: UInt64] = [:]
  private var total = 0
  private var done = 0
  /// The number of objects that were put.
  private(set) var objects = 0
  private var failures: [MigrationError] = []
  private var failed = 0
  /// The number of links that were dropped because one of their objects was dropped.
  private(set) var droppedLinks = 0
  /// The data that the mapping drops or replaces.
  private(set) var dropped = DroppedData()

  /// The maximum number of links of a transaction.
  private static let maximumLinks = 200_000

  init(
    from old: ObjectStore, to new: ObjectStore, _ mapping: ResolvedMapping,
    _ constants: [UID: Value]?, maximumFailures: Int,
    _ report: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    self.old = old
    self.new = new
    self.mapping = mapping
    let known = old.entities.flatMap(\.properties).filter { $0.constantValue != nil }.map(\.uid)
    becameOptional = Set(known.filter { uid in constants.map { $0[uid] == nil } ?? false })
    self.maximumFailures = maximumFailures
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
      for route in source.routes where route.assignedID != nil { try assignIDs(route) }
    }
    try reserveIDs()
    try noteIDsOfMergedEntities()
    for source in mapping.sources {
      guard let entity = old.entity(source.entity) else { continue }
      try carry(entity, source)
    }
    if failed > 0 { throw MigrationError.objects(failures, count: failed) }
    for links in mapping.links { try carry(links) }
    try report(total, total)
  }

  /// Looks up the ids that a rule gives.
  ///
  /// - Throws: ``MigrationError/unfitValue(entity:id:property:_:reason:)`` for an invalid id, and for an id
  ///   that two objects get.
  private mutating func assignIDs(_ route: ResolvedMapping.Route) throws {
    guard let from = old.entity(route.old), let to = new.entity(route.new),
      let rule = route.assignedID
    else { return }
    let carrier = RecordCarrier(route, from: from, in: old, to: to, mapping, becameOptional)
    var owners: [UInt64: UInt64] = [:]
    try old.read { transaction in
      try carrier.related.visit(from, in: transaction) { id, record, related in
        if !carrier.includes(record, id, related) { return .next }
        do {
          let number = try Self.assignedID(carrier.idValue(record, id, related), rule, offsets)
          if let other = owners.updateValue(id, forKey: number) {
            throw UnfitValue(
              rule.names, .unsigned(number), "object \(other) has this id already")
          }
          offsets.assign(number, to: id, route.old, route.new)
          lastIDs[route.new] = max(lastIDs[route.new] ?? 0, number)
        } catch let error as UnfitValue {
          try fail(.unfitValue(from, id, error))
        }
        return .next
      }
    }
    // Without objects there is nothing to follow, either.
    if owners.isEmpty { offsets.assign(0, to: 0, route.old, route.new) }
  }

  /// The id that a rule makes of a value.
  private static func assignedID(
    _ value: Value, _ rule: ValueCarrier, _ offsets: IDOffsets
  ) throws(UnfitValue) -> UInt64 {
    let number: UInt64?
    switch try rule.carry(value, offsets) {
    case .unsigned(let id): number = id
    case .integer(let id): number = UInt64(exactly: id)
    default: number = nil
    }
    guard let number, number > 0, number <= ObjectStore.maximumID else {
      throw UnfitValue(rule.names, value, "an id is a number above 0")
    }
    return number
  }

  /// Notes an object that cannot be carried over.
  ///
  /// - Throws: The error, where the migration ends with the first.
  private mutating func fail(_ error: MigrationError) throws {
    if maximumFailures == 0 { throw error }
    failed += 1
    if failures.count < maximumFailures { failures.append(error) }
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

  /// Notes which objects come to an entity that is made of several: a reference without an object would find a stranger
  /// there, which has the id now.
  private mutating func noteIDsOfMergedEntities() throws {
    var origins: [UID: Set<UID>] = [:]
    for route in mapping.sources.flatMap(\.routes) {
      origins[route.new, default: []].insert(route.old)
    }
    for (uid, entities) in origins where old.entity(uid) != nil && !entities.contains(uid) {
      offsets.assign(0, to: 0, uid, uid)
    }
    for source in mapping.sources {
      for route in source.routes where route.assignedID == nil && route.ids != .new {
        guard origins[route.new]?.count ?? 0 > 1, let from = old.entity(route.old) else { continue }
        let offset = route.ids == .shifted ? offsets[route.old, route.new] : 0
        offsets.assign(0, to: 0, route.old, route.new)
        var related = RelatedValues()
        let conditions = RouteConditions(route.conditions, of: from, in: old, &related)
        try old.read { transaction in
          try related.visit(from, in: transaction) { id, record, values in
            if conditions.areFulfilled(for: record, id, values) {
              offsets.assign(id + offset, to: id, route.old, route.new)
            }
            return .next
          }
        }
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
          try part.putUnlessFull(object.id, of: entity, this.maximumFailures) {
            try this.put(object, function, source, targets, transaction)
          }
        }
      }
      return
    }
    let carriers = zip(source.routes, targets).map {
      RecordCarrier($0, from: entity, in: old, to: $1, mapping, becameOptional)
    }
    let hasRelated = carriers.contains { !$0.related.isEmpty }
    try inParts(of: entity) { this, reading, start, part, transaction in
      // While the part is changed, nothing in it can be.
      var (leftBehind, lossy): ([UInt64], [UInt64]) = ([], [])
      func put(
        _ record: borrowing RecordView, _ id: UInt64, _ related: (Int) -> [Value]
      ) throws -> Int {
        var bytes: Int?
        for (number, carrier) in carriers.enumerated()
        where carrier.includes(record, id, related(number)) {
          bytes =
            try (bytes ?? 0)
            + this.put(record, id, related(number), carrier, transaction, &lossy)
        }
        if bytes == nil { leftBehind.append(id) }
        return bytes ?? 0
      }
      if hasRelated {
        for id in try reading.ids(of: entity, from: start, limit: maximumObjects + 1) {
          let related = try carriers.map { try $0.related.read(entity, id, in: reading) }
          let step = try part.putUnlessFull(id, of: entity, this.maximumFailures) {
            try reading.get(entity, id) { try put($0, id) { related[$0] } } ?? 0
          }
          if step == .stop { break }
        }
      } else {
        try reading.visit(entity, from: start) { id, record in
          try part.putUnlessFull(id, of: entity, this.maximumFailures) {
            try put(record, id) { _ in [] }
          }
        }
      }
      try this.note(leftBehind, lossy, of: entity, in: reading)
    }
  }

  /// Notes the objects that met no rule, with their links, and the records of those that lost a value.
  private mutating func note(
    _ leftBehind: [UInt64], _ lossy: [UInt64], of entity: EntitySchema, in reading: Transaction
  ) throws {
    try reading.visitChecksums(of: entity, lossy) { dropped.add(record: $1 ?? 0, of: $0) }
    if leftBehind.isEmpty { return }
    try reading.visitChecksums(of: entity, leftBehind) {
      dropped.add(.objects, entity.name, nil, $0, UInt64($1 ?? 0))
    }
    let carried = mapping.carriedRelations(of: entity.uid)
    for relation in entity.relations where carried.contains(relation.uid) {
      for id in leftBehind {
        for target in try reading.targets(relation, of: id) {
          dropped.add(.links, entity.name, relation.name, id, target)
        }
      }
    }
  }

  /// The part of the objects of an entity that one transaction puts.
  private struct Part {
    var bytes = 0
    var count = 0
    var failures: [MigrationError] = []
    var failed = 0
    /// The id of the first object of the next transaction.
    var next: UInt64?

    /// Puts an object, unless the part is full.
    @inline(__always)
    mutating func putUnlessFull(
      _ id: UInt64, of entity: EntitySchema, _ maximumFailures: Int, _ put: () throws -> Int
    ) throws -> VisitStep {
      if bytes >= maximumBytes || count >= maximumObjects {
        next = id
        return .stop
      }
      do {
        bytes += try put()
      } catch let error {
        try fail(.carrying(entity, id, error), maximumFailures)
      }
      count += 1
      return .next
    }

    private mutating func fail(_ error: MigrationError, _ maximumFailures: Int) throws {
      // What the storage refuses, it refuses for the next object too.
      if case .object(_, _, let cause) = error, case StoreError.storage = cause { throw error }
      if maximumFailures == 0 { throw error }
      failed += 1
      if failures.count < maximumFailures { failures.append(error) }
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
      failed += part.failed
      failures += part.failures.prefix(maximumFailures - failures.count)
      try report(done, total)
    }
  }

  /// Puts the object made from a record, and returns the number of its bytes.
  private mutating func put(
    _ record: borrowing RecordView, _ id: UInt64, _ related: [Value], _ carrier: RecordCarrier,
    _ transaction: Transaction, _ lossy: inout [UInt64]
  ) throws -> Int {
    var bytes = 0
    var lost: [RecordCarrier.Lost] = []
    // The rule for the id has failed, which is noted.
    guard let newID = newID(id, carrier.route) else { return 0 }
    try transaction.put(carrier.target, id: newID, mode: .insert) { writer in
      try carrier.write(record, id, related, offsets, to: &writer, lost: &lost)
      bytes = writer.byteCount
    }
    if !lost.isEmpty { note(lost, of: id, carrier, &lossy) }
    objects += 1
    return bytes
  }

  /// Notes what the object made from a record lacks.
  private mutating func note(
    _ lost: [RecordCarrier.Lost], of id: UInt64, _ carrier: RecordCarrier, _ lossy: inout [UInt64]
  ) {
    let entity = old.entity(carrier.route.old)?.name ?? ""
    for part in lost {
      let rule = carrier.carrier(part.carrier)
      let isOfLinks = if case .only = rule.kind { true } else { false }
      dropped.add(
        isOfLinks ? .links : .values, entity, rule.names.source, count: part.count, id, 0)
    }
    if lossy.last != id { lossy.append(id) }
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
    for created in output.created {
      var new = created.object
      new.id = newID(object.id, source.routes[created.route]) ?? 0
      try transaction.put(new, mode: .insert)
      objects += 1
      bytes += new.values.reduce(64) { $0 + $1.approximateBytes }
    }
    return bytes
  }

  private func newID(_ id: UInt64, _ route: ResolvedMapping.Route) -> UInt64? {
    if route.assignedID != nil { return offsets.moved(id, route.old, route.new) }
    switch route.ids {
    case .same: return id
    case .new: return 0
    case .shifted: return id + offsets[route.old, route.new]
    }
  }

  // MARK: - Links

  private mutating func carry(_ links: ResolvedMapping.Links) throws {
    let route = mapping.sources[links.source].routes[links.route]
    guard let to = new.entities.flatMap(\.relations).first(where: { $0.uid == links.new }),
      let source = old.entity(links.sources.old), let newSource = new.entity(links.sources.new),
      let newTarget = new.entity(links.targets.new)
    else { return }
    let (sources, ends) = (links.sources, links.targets)
    var related = RelatedValues()
    let conditions = RouteConditions(route.conditions, of: source, in: old, &related)
    let position = related.add(links.origin, in: old)
    let own = links.origin.ownRelation.flatMap { uid in source.relations.first { $0.uid == uid } }
    var next: UInt64? = 0
    while let start = next {
      next = nil
      try new.write { transaction in
        try old.read { reading in
          let ids = try reading.ids(of: source, from: start, limit: maximumObjects + 1)
          var count = 0
          for (number, id) in ids.enumerated() {
            if number == maximumObjects || count > Self.maximumLinks {
              next = id
              break
            }
            let values = try related.read(source, id, in: reading)
            let isTaken = try reading.get(source, id) {
              conditions.areFulfilled(for: $0, id, values)
            }
            // Of several routes into one entity, another may have made the object.
            guard isTaken == true else { continue }
            let targets = values[position].ids
            count += targets.count
            let newID = offsets.moved(id, sources.old, sources.new) ?? 0
            let isThere = try transaction.contains(newSource, newID)
            for target in targets {
              let end = offsets.moved(target, ends.old, ends.new) ?? 0
              if try isThere && transaction.contains(newTarget, end) {
                try transaction.link(to, newID, end)
              } else {
                droppedLinks += 1
                if let own { dropped.add(.links, source.name, own.name, id, target) }
              }
            }
          }
        }
      }
    }
  }
}

extension MigrationError {
  fileprivate static func unfitValue(
    _ entity: EntitySchema, _ id: UInt64, _ error: UnfitValue
  ) -> MigrationError {
    .unfitValue(
      entity: entity.name, id: id, property: error.property, error.value, reason: error.reason)
  }

  /// The error for an object whose carrying failed.
  fileprivate static func carrying(
    _ entity: EntitySchema, _ id: UInt64, _ error: any Error
  ) -> MigrationError {
    (error as? UnfitValue).map { .unfitValue(entity, id, $0) }
      ?? .object(entity: entity.name, id: id, error)
  }
}

extension Value {
  /// The ids of the objects to which one or several references refer.
  var ids: [UInt64] {
    switch self {
    case .unsigned(let id): id == 0 ? [] : [id]
    case .unsignedIntegers(let ids): ids
    default: []
    }
  }

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
