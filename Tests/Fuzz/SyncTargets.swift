@testable import BoxSync

/// The numbering of the messages: an entity with each kind of property, and one with many.
private let numbering = Numbering(
  SyncModel(
    [
      SyncEntity(
        10, [SyncProperty(11), SyncProperty(12, unique: .plain), SyncProperty(13, target: 20)]),
      SyncEntity(20, (21...38).map { SyncProperty($0) }, clock: 22),
    ], [SyncRelation(50, from: 10, to: 20)]))

/// A message of a client or a server, before and after the welcome.
func fuzzSyncMessage(_ bytes: [UInt8]) {
  _ = try? MessageDecoder.decode(bytes, nil)
  guard let message = try? MessageDecoder.decode(bytes, numbering) else { return }
  let again = MessageEncoder.encode(message, numbering)
  guard let second = try? MessageDecoder.decode(again, numbering) else {
    return expect(false, "a message is read from its own bytes")
  }
  expect(
    MessageEncoder.encode(second, numbering) == again, "a message comes back from its bytes")
}
