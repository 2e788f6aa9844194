import BoxEngine
import BoxModel
import BoxStorage
import TestSupport

@testable import BoxSync

/// A server in memory, and clients whose stores are directories.
final class StoreScene {
  static let note: UID = 100
  static let tag: UID = 200

  /// Notes have a text, a unique code, an extra text if the model is whole, and a tag; tags have a text.
  static func document(isWhole: Bool = true) throws -> ModelDocument {
    var fields: [TestModel.Property] = [
      .init("text", 110, .string), .init("code", 111, .string, [.indexHash, .unique]),
      .init("tag", 112, .relation, target: "Tag"),
    ]
    if isWhole { fields.append(.init("extra", 113, .string)) }
    var model = TestModel(
      .init(
        name: "Note", uid: note, fields: fields, relations: [.init("tags", 150, to: "Tag")]),
      .init(name: "Tag", uid: tag, fields: [.init("text", 210, .string)])
    ).model
    for index in model.entities.indices { model.entities[index].flags = .syncEnabled }
    return try TestModel.document(model)
  }

  struct Client {
    var store: ObjectStore
    var machine: SyncClientMachine<StoreClientBase>
    var connection: Int?
    var toClient: [SyncMessage?] = []
  }

  let directory: TemporaryDirectory
  let backend = MemoryBackend(start: 7)
  private var server: SyncServerMachine<MemoryBackend>
  var clients: [Client] = []
  private var connections = 0
  private var now: UInt64 = 1_000_000

  init(clients count: Int) throws {
    directory = try TemporaryDirectory()
    let whole = try ObjectStore.open(
      .memory("scene \(directory.path)"), model: Self.document())
    server = SyncServerMachine(
      backend, model: SyncModel(flaggedIn: whole), access: OpenAccess(), process: 0)
    whole.close()
    for index in 0..<count {
      let store = try open(index)
      clients.append(Client(store: store, machine: try SyncClientMachine(store)))
    }
  }

  func open(_ index: Int, isWhole: Bool = true) throws -> ObjectStore {
    var options = StoreOptions()
    options.acceptsRegeneratedModel = true
    return try ObjectStore.open(
      .directory(directory.path(of: "store\(index)")), model: Self.document(isWhole: isWhole),
      options: options)
  }

  /// Ends the program of a client, and starts it again.
  func restart(_ index: Int, isWhole: Bool = true) throws {
    cut(index)
    clients[index].machine.view.base.close()
    clients[index].store.close()
    let store = try open(index, isWhole: isWhole)
    clients[index] = Client(store: store, machine: try SyncClientMachine(store))
  }

  // MARK: - Apps

  @discardableResult func put(
    _ index: Int, id: UInt64 = 0, _ values: [String: Value]
  ) throws -> UInt64 {
    let store = clients[index].store
    return try store.write { transaction in
      let entity = try store.entity(named: "Note")
      var object = try transaction.get(entity, id) ?? DynamicObject(entity, id: id)
      for (name, value) in values { try object.set(name, value) }
      return try transaction.put(object)
    }
  }

  /// The values of a property of all notes, by their texts.
  func notes(_ index: Int, _ property: String = "text") throws -> [String: Value] {
    let store = clients[index].store
    var notes: [String: Value] = [:]
    try store.read { transaction in
      try transaction.visitObjects(store.entity(named: "Note")) { object in
        if case .string(let text) = object["text"] { notes[text] = object[property] }
        return .next
      }
    }
    return notes
  }

  // MARK: - Network

  func cut(_ index: Int) {
    if let connection = clients[index].connection { server.close(connection) }
    clients[index].machine.end()
    (clients[index].connection, clients[index].toClient) = (nil, [])
  }

  private func send(_ index: Int) throws {
    if clients[index].connection == nil || clients[index].machine.phase == .disconnected {
      cut(index)
      connections += 1
      clients[index].connection = connections
      server.open(connections)
      try clients[index].machine.perform { $0.connect() }
    }
    try clients[index].machine.perform { $0.sendPending() }
    guard let connection = clients[index].connection else { return }
    for message in clients[index].machine.takeOutgoing() {
      server.receive(message, from: connection, now: now)
    }
  }

  private func serve() {
    var isQuiet = false
    while !isQuiet {
      now += 1
      server.step(now: now)
      let outputs = server.takeOutputs()
      isQuiet = outputs.isEmpty && !server.isBusy
      for output in outputs {
        for index in clients.indices where clients[index].connection == output.connection {
          clients[index].toClient.append(output.message)
        }
      }
    }
  }

  func deliver(_ index: Int) throws {
    let messages = clients[index].toClient
    clients[index].toClient = []
    for message in messages {
      guard let message, clients[index].machine.phase != .disconnected else { break }
      let now = now
      try clients[index].machine.perform { $0.receive(message, now: now) }
    }
  }

  /// Lets everything come to rest.
  ///
  /// - Throws: The errors of the stores, and `TestFailure` if it does not.
  func settle() throws {
    for _ in 0..<100 {
      for index in clients.indices { try send(index) }
      serve()
      for index in clients.indices { try deliver(index) }
      let isQuiet = clients.allSatisfy {
        $0.machine.isComplete && $0.machine.status.position == backend.head
      }
      if isQuiet { return }
    }
    throw TestFailure("nothing comes to rest")
  }
}
