import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Objects that are made ready outside of a transaction, and notes of work over several.
struct PreparedObjectsTests {
  @Test func putsWithTheirIDs() throws {
    let store = try ObjectsModel.store()
    let entity = try store.entity(named: "Plain")
    let slot = try #require(entity.property(named: "text")).slot
    let prepared = PreparedObjects(entity)
    try prepared.append(id: 7) { $0.set(slot, "seven") }
    try prepared.append(id: 3) { $0.set(slot, "three") }
    try store.write { (transaction) throws in
      // Ids of the entity are not assigned by the caller: a put would refuse them.
      #expect(try transaction.putPrepared(prepared, at: 0, mode: .insert))
      #expect(try transaction.putPrepared(prepared, at: 1, mode: .insert))
      #expect(try !transaction.putPrepared(prepared, at: 1))
    }
    #expect(try store.ids("Plain") == [3, 7])
    #expect(try store.value("Plain", 7, "text") == "seven")
    #expect(try store.put("Plain", ["text": "next"]) == 8)
    #expect(try store.verify().isEmpty)
  }

  @Test func obeysTheMode() throws {
    let store = try ObjectsModel.store()
    let prepared = PreparedObjects(try store.entity(named: "Plain"))
    try prepared.append(id: 1) { _ in }
    #expect(
      try storeError { try store.write { _ = try $0.putPrepared(prepared, at: 0, mode: .update) } }
        == .notFound(entity: "Plain", id: 1))
    try store.write { _ = try $0.putPrepared(prepared, at: 0) }
    #expect(
      try storeError { try store.write { _ = try $0.putPrepared(prepared, at: 0, mode: .insert) } }
        == .alreadyExists(entity: "Plain", id: 1))
  }

  @Test func refusesIDsThatNoObjectHas() throws {
    let store = try ObjectsModel.store()
    let prepared = PreparedObjects(try store.entity(named: "Plain"))
    #expect(
      try storeError { try prepared.append(id: 0) { _ in } } == .notFound(entity: "Plain", id: 0))
    #expect(
      try storeError { try prepared.append(id: 1 << 63) { _ in } }
        == .idTooLarge(entity: "Plain", id: 1 << 63))
    #expect(prepared.count == 0)
  }

  @Test func keepsIndexes() throws {
    let store = try ObjectsModel.store()
    let box = try store.entity(named: "Box")
    let item = try store.entity(named: "Item")
    let prepared = PreparedObjects(item)
    for (id, rank) in [(1, 5), (2, 6), (1, 9)] {
      var object = DynamicObject(item, id: UInt64(id))
      object["rank"] = .integer(Int64(rank))
      object["code"] = .string("code \(id)")
      try prepared.append(object)
    }
    try store.write { (transaction) throws in
      for index in 0..<3 { try transaction.putPrepared(prepared, at: index) }
    }
    #expect(try store.read { try $0.find("Item", "rank", 9) } == [1])
    #expect(try store.read { try $0.find("Item", "rank", 5) } == [])
    // One that is in the way is refused, or goes.
    let other = PreparedObjects(item)
    var object = DynamicObject(item, id: 4)
    object["code"] = "code 2"
    try other.append(object)
    #expect(try storeError { try store.write { _ = try $0.putPrepared(other, at: 0) } } != nil)
    let boxes = PreparedObjects(box)
    for id in 1...2 {
      var object = DynamicObject(box, id: UInt64(id))
      object["place"] = 1
      try boxes.append(object)
    }
    try store.write { (transaction) throws in
      for index in 0..<2 { try transaction.putPrepared(boxes, at: index) }
    }
    #expect(try store.ids("Box") == [2])
    #expect(try store.verify().isEmpty)
  }

  /// Values that the model lacks stay as they are, as with any other put.
  @Test func keepsHiddenValues() throws {
    let fixture = try StoreFixture()
    let document = try ObjectsModel.document()
    try fixture.with(document) { (store) throws in
      try store.put("Box", ["name": "first", "place": 4])
    }
    let without = try document.changed { model in
      try model.change("Box") { $0.properties.removeAll { $0.name == "place" } }
    }
    var options = StoreOptions()
    options.acceptsRegeneratedModel = true
    try fixture.with(without, options) { (store) throws in
      let box = try store.entity(named: "Box")
      let prepared = PreparedObjects(box)
      var object = DynamicObject(box, id: 1)
      object["name"] = "second"
      try prepared.append(object)
      try store.write { _ = try $0.putPrepared(prepared, at: 0) }
    }
    try fixture.with(document, options) { (store) throws in
      #expect(try store.value("Box", 1, "name") == "second")
      #expect(try store.value("Box", 1, "place") == 4)
    }
  }

  @Test func raisesTheLastID() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    try store.write { try $0.reserveIDs(plain, through: 41) }
    try store.write { try $0.reserveIDs(plain, through: 5) }
    #expect(try store.put("Plain", ["text": "x"]) == 42)
    #expect(
      try storeError { try store.write { try $0.reserveIDs(plain, through: 1 << 63) } }
        == .idTooLarge(entity: "Plain", id: 1 << 63))
  }

  // MARK: - Notes of work

  @Test func notesBelongToTheTransaction() throws {
    let fixture = try StoreFixture()
    var options = StoreOptions()
    let document = try ObjectsModel.document()
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.checkpoint([1]) } == nil)
      #expect(
        try storeError { try store.write { try $0.setCheckpoint([1], [2]) } } == .noCheckpointSpace)
    }
    options.storesCheckpoints = true
    try fixture.with(document, options) { (store) throws in
      try store.write { try $0.setCheckpoint([1], [2, 3]) }
      _ = try storeError {
        try store.write { (transaction) throws in
          try transaction.setCheckpoint([1], [4])
          throw StoreError.noCheckpointSpace
        }
      }
      #expect(try store.read { try $0.checkpoint([1]) } == [2, 3])
    }
    // A store that has the place keeps it, however it is opened.
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.checkpoint([1]) } == [2, 3])
      try store.write { (transaction) throws in
        try transaction.setCheckpoint([5], [])
        #expect(try transaction.removeCheckpoint([1]))
        #expect(try !transaction.removeCheckpoint([1]))
      }
      #expect(try store.read { try $0.checkpoint([5]) } == [])
      try store.write { try $0.replaceCheckpoints([:]) }
      #expect(try store.read { try $0.checkpoint([5]) } == nil)
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  /// A changed byte, and a note under another key, are found before anybody acts on them.
  @Test func damagedNotesAreNotRead() throws {
    var options = StoreOptions()
    options.storesCheckpoints = true
    let fixture = try StoreFixture()
    let document = try ObjectsModel.document()
    let notes: [(key: [UInt8], note: [UInt8])] = [
      ([1], [7, 7, 7]), ([1, 0], []), ([9], [7, 7, 7]),
    ]
    for damaged in notes.indices {
      for place in 0..<notes[damaged].note.count + 5 {
        try fixture.with(document, options) { (store) throws in
          let space = try #require(store.schema.checkpointSpace)
          try store.write { (transaction) throws in
            try transaction.replaceCheckpoints([:])
            for (key, note) in notes { try transaction.setCheckpoint(key, note) }
            let storage = try transaction.reading()
            let key = notes[damaged].key
            var bytes = try key.withUnsafeBytes { key in
              [UInt8](try #require(try storage.value(space, key)))
            }
            if place < bytes.count {
              bytes[place] ^= 1 << UInt8(place % 8)
            } else {
              // The whole note of another key.
              let other = notes[(damaged + 1) % notes.count].key
              bytes = try other.withUnsafeBytes {
                [UInt8](try #require(try storage.value(space, $0)))
              }
            }
            try key.withUnsafeBytes { key in
              try bytes.withUnsafeBytes { try storage.put(space, key, $0, .replace) }
            }
          }
          for (position, (key, note)) in notes.enumerated() {
            if position == damaged {
              #expect(
                try storeError { _ = try store.read { try $0.checkpoint(key) } }
                  == .damagedCheckpoint)
            } else {
              #expect(try store.read { try $0.checkpoint(key) } == note)
            }
          }
          #expect(try store.verify().map(\.rule.id) == ["BOX711"])
        }
      }
    }
  }

  @Test func snapshotsHaveTheValuesOfTheirMoment() throws {
    let store = try ObjectsModel.store()
    try store.put("Plain", ["text": "before"])
    let plain = try store.entity(named: "Plain")
    let snapshot = try #require(try store.read { try $0.snapshot(plain, 1) })
    try store.put("Plain", ["text": "after"], id: 1)
    try store.read { (transaction) throws in
      #expect(try transaction.object(plain, 1, in: snapshot)["text"] == "before")
      #expect(try transaction.snapshot(plain, 9) == nil)
    }
    // Under another id it is damaged, as every record.
    #expect(try storeError { _ = try store.read { try $0.object(plain, 2, in: snapshot) } } != nil)
  }
}
