import BoxModel
import BoxStorage
import TestSupport

@testable import BoxEngine

extension StoreOperation {
  private init(
    _ name: String, _ run: @escaping @Sendable (Arrivals, _ person: EntitySchema) throws -> Void
  ) {
    self.init(name) { (store: ObjectStore) in
      let (person, pet) = (try store.entity(named: "Person"), try store.entity(named: "Pet"))
      try store.switchOnSync([person, pet])
      try store.writeArrivals { try run($0, person) }
    }
  }

  /// The operations of the captured objects.
  private static func operations(_ arrivals: Arrivals) throws -> [CapturedOperation] {
    try arrivals.transactions(.outbox).flatMap(\.operations)
  }

  /// Functions with which a client of data sync reads a store, and writes to it.
  static let arrivals: [StoreOperation] = [
    .init("writeArrivals") { _, _ in },
    .init("transactions") { arrivals, _ in
      _ = try arrivals.transactions(.outbox)
      _ = try arrivals.transactions(.rejections, after: 1)
    },
    .init("lastPlace") { arrivals, _ in _ = try arrivals.lastPlace() },
    .init("values") { arrivals, _ in
      for operation in try operations(arrivals) { _ = try arrivals.values(of: operation) }
    },
    .init("object") { arrivals, person in _ = try arrivals.object(person, 1) },
    .init("identity") { arrivals, person in _ = try arrivals.identity(person.uid, 1) },
    .init("knownIDs") { arrivals, person in _ = try arrivals.knownIDs(person) },
    .init("parkedObjects") { arrivals, _ in _ = try arrivals.parkedObjects() },
    .init("holder") { arrivals, person in
      let age = try person.property(named: "age").orFail("no property")
      _ = try arrivals.holder(person, age, .integer(36))
    },
    .init("localID") { arrivals, person in
      _ = try arrivals.localID(person.uid, number: 3, id: 4)
    },
    .init("useID") { arrivals, person in _ = try arrivals.useID(person, 90) },
    .init("isLinked") { arrivals, person in
      _ = try arrivals.isLinked(person.relation(named: "friends").orFail("no relation"), 1, 2)
    },
    .init("pairVersions") { arrivals, _ in _ = try arrivals.pairVersions() },
    .init("state") { arrivals, _ in _ = try arrivals.state("seed") },
    .init("base") { arrivals, _ in _ = try arrivals.base() },
    .init("clock") { arrivals, _ in _ = try arrivals.clock() },
    .init("write arrivals") { arrivals, person in
      var changes = [1, 2, 50].map { Arrivals.ObjectChange(person, $0) }
      changes[0].presence = .gone
      var values = [Value?](repeating: nil, count: person.properties.count)
      values[1] = .string("Zoe")
      changes[1].presence = .put(values)
      changes[1].version = .some(Arrivals.Version(life: 1, values: values))
      changes[2].presence = .put(values)
      changes[2].version = .some(nil)
      changes[2].identity = .some(LocalIdentity(life: 3, number: 4, id: 5))
      try arrivals.write(changes)
    },
    .init("setVersion") { arrivals, person in
      let friends = try person.relation(named: "friends").orFail("no relation")
      let pair = StoredPair(relation: friends.uid, source: 1, target: 2)
      try arrivals.setVersion(of: pair, true)
      try arrivals.setVersion(of: pair, nil)
    },
    .init("setHead") { arrivals, _ in
      for captured in try arrivals.transactions(.outbox) {
        var head = captured.head
        (head.number, head.chunks) = (9, 0)
        try arrivals.setHead(head, at: captured.place)
      }
    },
    .init("removeTransaction") { arrivals, _ in
      try arrivals.removeTransaction(.outbox, at: arrivals.lastPlace())
    },
    .init("reject") { arrivals, _ in
      let captured = try arrivals.transactions(.outbox).first.orFail("no transaction")
      _ = try arrivals.reject(captured.place, as: captured.head)
    },
    .init("moveTransactions") { arrivals, _ in
      let places = try arrivals.transactions(.outbox).map(\.place)
      try arrivals.moveTransactions(Array(zip(places, places.reversed())).map { ($0, $1) })
    },
    .init("setBase") { arrivals, _ in try arrivals.setBase(position: 1, chain: 2) },
    .init("setClock") { arrivals, _ in try arrivals.setClock(1, offset: -1) },
    .init("setState") { arrivals, _ in
      try arrivals.setState("numbers", [1])
      try arrivals.setState("numbers", nil)
    },
  ]
}
