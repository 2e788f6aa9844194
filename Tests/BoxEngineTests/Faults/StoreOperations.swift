import BoxConvert
import BoxJSON
import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A call of a function in a transaction, by the name of the function.
struct TransactionOperation: Sendable, CustomTestStringConvertible {
  let name: String
  let run: @Sendable (Transaction) throws -> Void
  var testDescription: String { name }

  init(_ name: String, _ run: @escaping @Sendable (Transaction) throws -> Void) {
    self.name = name
    self.run = run
  }
}

extension Transaction {
  fileprivate var person: EntitySchema { get throws { try store.entity(named: "Person") } }
  fileprivate var pet: EntitySchema { get throws { try store.entity(named: "Pet") } }

  fileprivate func property(_ name: String) throws -> PropertySchema {
    try person.property(named: name).orFail("no property")
  }

  fileprivate func friends() throws -> RelationSchema {
    try person.relation(named: "friends").orFail("no relation")
  }
}

extension TransactionOperation {
  private static func people(_ transaction: Transaction) throws -> [DynamicObject] {
    try ["Cy", "Di", "Ed"].map { name in
      var object = DynamicObject(try transaction.person)
      (object["name"], object["age"]) = (.string(name), .integer(50))
      return object
    }
  }

  /// A query that takes an index, a relation backwards, and an order that is no index's.
  private static func query(_ transaction: Transaction) throws -> PreparedQuery {
    try transaction.store.prepare(
      try transaction.person,
      try ConditionParser.parse(
        "age between 1 and 90 && (any(friends, id > 0) || name == \"Ada\")"),
      order: [QueryOrder("name", descending: true)])
  }

  /// Functions that only read.
  static let readings: [TransactionOperation] = [
    .init("get") { _ = try $0.get($0.person, 1) },
    .init("get of several") { _ = try $0.get($0.person, [1, 2, 3]) },
    .init("get by a function") { _ = try $0.get($0.person, 1) { _ in } },
    .init("contains") { _ = try $0.contains($0.person, 1) },
    .init("count") { _ = try $0.count($0.person) },
    .init("count of a relation") { _ = try $0.count($0.friends()) },
    .init("isEmpty") { _ = try $0.isEmpty($0.person) },
    .init("visit") { try $0.visit($0.person) { _, _ in .next } },
    .init("visitObjects") { try $0.visitObjects($0.person) { _ in .next } },
    .init("visitWhole") { try $0.visitWhole($0.person, { _ in }, { _, _ in .next }) },
    .init("visitIDs of a value") {
      try $0.visitIDs($0.person, where: $0.property("name"), equals: .string("Ada")) { _ in .next }
    },
    .init("visitIDs in order") {
      try $0.visitIDs($0.person, orderedBy: $0.property("age")) { _ in .next }
    },
    .init("firstID of an integer") {
      _ = try $0.firstID($0.person, where: $0.property("age"), equals: .integer(7))
    },
    .init("firstID of a string") {
      _ = try $0.firstID($0.person, where: $0.property("name"), equals: .string("Ada"))
    },
    .init("ids") { _ = try $0.ids($0.person, where: $0.property("age"), equals: .integer(7)) },
    .init("targets") { _ = try $0.targets($0.friends(), of: 1) },
    .init("sources") { _ = try $0.sources($0.friends(), of: 2) },
    .init("sources of a relation to one") {
      _ = try $0.sources($0.person, $0.property("favourite"), of: 1)
    },
    .init("visitEntries") { try $0.visitEntries($0.friends()) { _, _ in .next } },
    .init("lastID") { _ = try $0.lastID($0.person) },
    .init("modelText") { _ = try $0.modelText() },
    .init("checkpoint") { _ = try $0.checkpoint([1]) },
    .init("visitChecksums of ids") { try $0.visitChecksums(of: $0.person, [1, 2]) { _, _ in } },
    .init("visitChecksums") { try $0.visitChecksums(of: $0.person) { _, _ in } },
    .init("visitReplaced") {
      try $0.visitReplaced(of: $0.person, [1, 2], since: $0) { _, _, _, _ in }
    },
    .init("visitHidden") { try $0.visitHidden { _, _, _ in } },
    .init("visitHidden of objects") { transaction in
      let ids = transaction.store.entities.map { _ in [1, 2] as [UInt64] }
      try transaction.visitHidden(of: ids, missingIn: transaction) { _, _, _ in }
    },
    .init("snapshot") { _ = try $0.snapshot($0.person, 1) },
    .init("object") {
      let bytes = try $0.snapshot($0.person, 1).orFail("no object")
      _ = try $0.object($0.person, 1, in: bytes)
    },
    .init("requireWhole") { try $0.requireWhole() },
    .init("hasTwin") { _ = try $0.hasTwin($0.friends(), 1, 2) },
    .init("hasEnds") { _ = try $0.hasEnds($0.friends(), 1, 2) },
    .init("counts") { _ = try $0.counts($0.friends()) },
    .init("visit of a query") { try $0.visit(query($0)) { _, _ in .next } },
    .init("ids of a query") { _ = try $0.ids(query($0), limit: 2) },
    .init("count of a query") { _ = try $0.count(query($0)) },
    .init("explain") { _ = try $0.explain(query($0)) },
    .init("place") { _ = try $0.place(of: 1, in: query($0)) },
    .init("visitPage") { _ = try $0.visitPage(query($0), limit: 2) { _, _ in .next } },
    .init("visitPage in the order of the ids") {
      let page = try $0.store.prepare(StoreQuery($0.person)).page(after: nil, reversed: true)
      _ = try $0.visitPage(page, limit: 2) { _, _ in .next }
    },
    .init("page in the order of an index") {
      let query = try $0.store.prepare(StoreQuery($0.person, order: [QueryOrder("age")]))
      let page = query.page(after: try $0.place(of: 2, in: query), reversed: true)
      _ = try $0.ids(page, limit: 1)
    },
    .init("orphans") { _ = try $0.orphans() },
    .init("visitOutbox") { transaction in
      try transaction.visitOutbox { _, _ in .next }
      _ = try transaction.count(transaction.person)
    },
    .init("query in the order of an index") {
      let order = [QueryOrder("age", descending: true)]
      _ = try $0.ids($0.store.prepare(StoreQuery($0.person, order: order)), limit: 1)
    },
    .init("summarize") {
      _ = try $0.summarize(query($0), [$0.store.column("age", of: $0.person)])
    },
    .init("groups") {
      _ = try $0.groups(query($0), by: $0.store.column("favourite.name", of: $0.person))
    },
    .init("visitValues") {
      let age = try $0.store.column("age", of: $0.person)
      try $0.visitValues(query($0), age, ColumnOptions()) { _ in .next }
    },
    .init("summarize distinct values") {
      var options = ColumnOptions()
      options.isDistinct = true
      _ = try $0.summarize(query($0), $0.store.column("age", of: $0.person), options)
    },
    .init("countDuplicates") {
      _ = try $0.countDuplicates(of: $0.property("name"), in: $0.person, skipsZero: false)
    },
    .init("visitDuplicates") {
      try $0.visitDuplicates(of: $0.property("name"), in: $0.person, skipsZero: false) { _, _ in }
    },
  ]

  /// Functions that write.
  static let writings: [TransactionOperation] = [
    .init("put") { try $0.put(people($0)[0]) },
    .init("put by a function") { transaction in
      try transaction.put(transaction.person, id: 1) { try $0.set(people(transaction)[0]) }
    },
    .init("put of several") { try $0.put(people($0)) },
    .init("putPrepared") {
      let prepared = PreparedObjects(try $0.person)
      var object = try people($0)[0]
      object.id = 9
      try prepared.append(object)
      try $0.putPrepared(prepared, at: 0)
    },
    .init("rewrite") { try $0.rewrite($0.pet) { _, _, _ in .replace } },
    .init("remove") { try $0.remove($0.person, 1) },
    .init("remove of several") { try $0.remove($0.person, [1, 2, 3]) },
    .init("remove of a query") { try $0.remove(query($0)) },
    .init("removeAlone") { _ = try $0.removeAlone($0.person, 1) },
    .init("remove of several entities") { try $0.remove([($0.person, [1]), ($0.pet, [1, 2])]) },
    .init("removeAll with its effects") {
      var effects: RemovalEffects?
      _ = try $0.removeAll($0.person, effects: &effects)
    },
    .init("displacing") { transaction in
      _ = try transaction.displacing { try transaction.put(people(transaction)[0]) }
    },
    .init("removeDisplaced") { transaction in
      transaction.displaced = DisplacedObjects()
      defer { transaction.displaced = nil }
      transaction.displaced?.add(.init(entity: try transaction.person.position, id: 1))
      try transaction.removeDisplaced()
    },
    .init("removal") { try $0.removal(of: [($0.person, [1])]).write() },
    .init("removeAll") { try $0.removeAll($0.person) },
    .init("reserveIDs") { try $0.reserveIDs($0.person, through: 100) },
    .init("reserveID") {
      _ = try $0.reserveID($0.person)
      try $0.remove($0.person, 1)
    },
    .init("putBuilt") { transaction in
      let person = try transaction.person
      let id = try transaction.reserveID(person)
      try transaction.withRecordWriter { writer in
        writer.pointee.begin(person)
        writer.pointee.set(try transaction.property("name").slot, "Flo")
        _ = try transaction.putBuilt(person, id: id, mode: .insert, in: &writer.pointee)
      }
    },
    .init("withRecordWriter") { transaction in
      let person = try transaction.person
      try transaction.withRecordWriter { writer in
        writer.pointee.begin(person)
        _ = try transaction.putBuilt(person, id: 1, mode: .update, in: &writer.pointee)
      }
    },
    .init("requireGiven") {
      try $0.requireGiven($0.person, 1)
      try $0.remove($0.person, 1)
    },
    .init("requireTarget") {
      try $0.requireTarget(1, of: $0.person.position)
      try $0.remove($0.person, 1)
    },
    .init("requireAssigned") {
      try $0.requireAssigned(1, of: $0.person.position, unlessStoredIn: $0.person, 1, at: 0)
      try $0.remove($0.person, 1)
    },
    .init("hasTarget") {
      _ = try $0.hasTarget(1, of: $0.person)
      try $0.remove($0.person, 1)
    },
    .init("interruptingCoding") { transaction in
      transaction.beginCoding()
      defer { transaction.endCoding() }
      try transaction.interruptingCoding { _ = try transaction.remove(transaction.person, 1) }
    },
    .init("savepoint") { transaction in
      try transaction.savepoint { _ = try transaction.remove(transaction.person, 1) }
    },
    .init("revert") { transaction in
      let (person, friends) = (try transaction.person, try transaction.friends())
      let mark = transaction.undoMark
      let id = try transaction.put(people(transaction)[0])
      transaction.onUndo(.remove(person, id))
      if try transaction.link(friends, 1, id) { transaction.onUndo(.unlink(friends, 1, id)) }
      try transaction.revert(to: mark)
    },
    .init("link") { try $0.link($0.friends(), 2, 1) },
    .init("unlink") { try $0.unlink($0.friends(), 1, 2) },
    .init("seedSync") { transaction in
      _ = try transaction.seedSync(atMost: 1)
      try transaction.remove(transaction.person, 1)
    },
    .init("setCheckpoint") { try $0.setCheckpoint([2], [3]) },
    .init("removeCheckpoint") { try $0.removeCheckpoint([1]) },
    .init("replaceCheckpoints") { try $0.replaceCheckpoints([[4]: [5]]) },
  ]
}

/// A call of a function of a store, by the name of the function.
struct StoreOperation: Sendable, CustomTestStringConvertible {
  let name: String
  let run: @Sendable (ObjectStore) throws -> Void
  var testDescription: String { name }

  init(_ name: String, _ run: @escaping @Sendable (ObjectStore) throws -> Void) {
    self.name = name
    self.run = run
  }

  static let all = common + arrivals

  private static let common: [StoreOperation] = [
    .init("read") { try $0.read { _ in } },
    .init("readCommitted") { try $0.readCommitted { _ in } },
    .init("write") { try $0.write { _ = try $0.put("Pet", ["name": "Mia"]) } },
    .init("enqueue") { store in
      let failure = Mutex<(any Error)?>(nil)
      let isQueued = try store.enqueue(within: 10) {
        _ = try $0.put("Pet", ["name": "Mia"])
      } completion: { error in
        failure.withLock { $0 = error }
      }
      #expect(isQueued && store.waitForSubmissions())
      if let error = failure.withLock({ $0 }) { throw error }
    },
    .init("status") { _ = try $0.status() },
    .init("statistics") { _ = try $0.statistics() },
    .init("switchOnSync") { try $0.switchOnSync([$0.entity(named: "Pet")]) },
    .init("switchOffSync") { store in
      try store.switchOnSync([store.entity(named: "Pet")])
      try store.switchOffSync()
    },
    .init("takeSyncLock") { store in
      _ = try store.takeSyncLock()
      _ = try store.status()
    },
    .init("hasCurrentModel") { _ = try $0.hasCurrentModel() },
    .init("verify") { _ = try $0.verify() },
    .init("requireWholeRelations") { try $0.requireWholeRelations() },
    .init("buildIndexes") { _ = try $0.buildIndexes(replacingCheckpoints: [:]) },
    .init("keepHearing") { _ = try $0.keepHearing() },
    .init("observe") { _ = try $0.observe($0.entity(named: "Pet")) { _ in } },
    .init("entity") { _ = try $0.entity(named: "Pet") },
    .init("scan") {
      let catalogue = try Catalogue([
        "properties": ["Pet.name": ["type": "enum", "values": ["rex": "Rex"]]]
      ])
      _ = try $0.scan(catalogue)
    },
    .init("copy") { store in
      let file = try tmpfile().orFail("no file")
      defer { fclose(file) }
      try store.copy(to: fileno(file), compacting: true)
    },
  ]
}

/// A call of a function that opens, replaces or checks the store of a directory.
struct DirectoryOperation: Sendable, CustomTestStringConvertible {
  let name: String
  let run: @Sendable (_ directory: String, StoreOptions) throws -> Void
  var testDescription: String { name }

  init(_ name: String, _ run: @escaping @Sendable (String, StoreOptions) throws -> Void) {
    self.name = name
    self.run = run
  }

  private static func changed() throws -> ModelDocument {
    try PeopleModel.document().changed {
      try $0.addIndex(.indexed, uid: 100_950, to: "weight", of: "Pet")
    }
  }

  static let all: [DirectoryOperation] = [
    .init("open") { _ = try ObjectStore.open(.directory($0), options: $1) },
    .init("open with another model") {
      _ = try ObjectStore.open(.directory($0), model: changed(), options: $1)
    },
    .init("open with deferred indexes, which are built") {
      var options = $1
      (options.defersIndexes, options.indexBytes) = (true, 16)
      let store = try ObjectStore.open(.directory($0), model: changed(), options: options)
      _ = try store.buildIndexes()
    },
    .init("apply") { try RebuildSession($0, options: $1).apply(changed()) },
    .init("run a backup") { directory, options in
      let target = try TemporaryDirectory()
      _ = try BackupSession(of: directory, to: target.path(of: "copy"), options: options).run()
    },
    .init("adopt") { try ObjectStore.adopt($0, model: changed(), options: $1) },
    .init("rebuild") {
      try ObjectStore.rebuild($0, model: changed(), options: $1) { old, new in
        try new.write { writing in
          try old.read { reading in
            try reading.visitObjects(old.entity(named: "Pet")) { pet in
              try writing.put(
                "Pet", ["name": pet["name"], "weight": pet["weight"]])
              return .next
            }
          }
        }
      }
    },
    .init("compact") { try ObjectStore.compact($0, options: $1.storage) },
    .init("compact and purge") { try ObjectStore.compact($0, purge: true, options: $1.storage) },
    .init("verify") { _ = try ObjectStore.verify($0, options: $1) },
    .init("requireWhole") { try ObjectStore.requireWhole($0, options: $1) },
    .init("repair") {
      var repair = StoreRepair($0, options: $1.storage)
      repair.checks = .everything
      let report = try repair.run()
      #expect(report == nil)
    },
    .init("run of a repair") { _ = try StoreRepair($0, options: $1.storage).run() },
    .init("requireUnused") { try ObjectStore.requireUnused($0, options: $1.storage) },
  ]
}
