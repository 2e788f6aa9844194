import BoxModel
import TestSupport
import Testing

@testable import BoxSync

/// Messages as bytes.
@Suite struct MessageTests {
  private let numbering = Numbering(RandomMessages.model)

  private func failure(_ bytes: [UInt8], _ numbering: Numbering?) -> MessageFailure? {
    do throws(MessageFailure) {
      _ = try MessageDecoder.decode(bytes, numbering)
      return nil
    } catch { return error }
  }

  @Test func `Every message comes back from its bytes`() throws {
    var random = TestSeed.next()
    for _ in 0..<20_000 {
      let message = RandomMessages.message(&random)
      let bytes = MessageEncoder.encode(message, numbering)
      #expect(try MessageDecoder.decode(bytes, numbering) == message)
    }
  }

  @Test func `A cut message is refused`() {
    var random = TestSeed.next()
    for _ in 0..<2_000 {
      let bytes = MessageEncoder.encode(RandomMessages.message(&random), numbering)
      for length in 0..<bytes.count {
        // Groups of transactions have no count: those before the cut may be complete.
        if bytes[0] == MessageKind.changes.rawValue { continue }
        #expect(failure(Array(bytes.prefix(length)), numbering) != nil)
      }
    }
  }

  @Test func `Changed bytes are refused, or are a message that comes back`() throws {
    var random = TestSeed.next()
    for _ in 0..<50_000 {
      var bytes = MessageEncoder.encode(RandomMessages.message(&random), numbering)
      for _ in 0..<(1 + random.below(3)) {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      guard failure(bytes, numbering) == nil,
        let message = try MessageDecoder.decode(bytes, numbering)
      else { continue }
      let again = MessageEncoder.encode(message, numbering)
      let second = try MessageDecoder.decode(again, numbering)
      // NaN is equal to nothing, but its bytes are.
      #expect(MessageEncoder.encode(try #require(second), numbering) == again)
    }
  }

  @Test func `A failure names the message, what is wrong and the place`() {
    var writer = ByteWriter()
    for byte: UInt8 in [7, 0, 1] { writer.byte(byte) }
    writer.fixed(5 as UInt64)
    for byte: UInt8 in [1, 0, 1, 3] { writer.byte(byte) }
    for _ in 0..<2 {
      writer.fixed(9 as UInt64)
      writer.byte(0)
    }
    // A mark, one operation, and a removal whose id continues after the last byte.
    let third: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 2, 27, 0, 0x80]
    #expect(
      failure(writer.bytes + third, numbering)?.description
        == "the message 'changes' is cut off in transaction 3; the connection was closed")
    #expect(failure([77, 0], nil)?.code == .badVersion)
    #expect(
      failure([77, 0], nil)?.description
        == "a message has the unknown kind 77; the connection was closed")
    #expect(failure([], nil)?.code == .reqRejected)
    #expect(
      failure([13, 0] + [UInt8](repeating: 0x80, count: 11), nil)?.description
        == "the message 'end' has a number of more than ten bytes in its head; the connection was closed"
    )
    #expect(
      failure([7, 0, 0], nil)?.description
        == "the message 'changes' came before the welcome; the connection was closed")
  }

  @Test func `A kind of a later version is skipped`() throws {
    #expect(try MessageDecoder.decode([200, 1, 2, 3], nil) == nil)
  }

  @Test func `A count above the rest of the message reserves nothing`() {
    // Two to the 62 entries, with no bytes of them.
    let count: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40]
    #expect(
      failure([12, 0, 0] + count, numbering)?.description
        == "the message 'page' has a count above the rest of the message in its head; the connection was closed"
    )
  }

  @Test func `Bits beyond the model, ids of 0 and unknown elements are refused`() {
    // A put of entity 0, number 0, id 1, life 1, with a bit of a fifth property of four.
    #expect(
      failure([12, 0, 0, 1, 9, 0, 0, 1, 0x10], numbering)?.description
        == "the message 'page' has bits of properties beyond the model in its head; the connection was closed"
    )
    #expect(
      failure([12, 0, 0, 1, 9, 0, 0, 0, 0], numbering)?.description.contains("an id of 0") == true)
    #expect(
      failure([12, 0, 0, 1, 9, 5, 0, 1, 0], numbering)?.description.contains("entity") == true)
  }

  @Test func `An update of an Int takes at most 18 bytes in a batch of 100`() {
    let updates = (1...100).map { n in
      Submission(
        number: 1 << 60, n: 1000 + UInt64(n), mark: UInt64(n) << 50,
        operations: [
          SyncOperation(
            .update, GlobalKey(entity: 10, id: GlobalID(number: 1 << 60, id: 1000 + UInt64(n))),
            life: 1, fields: Fields([.init(11, .value(.integer(4000)))]))
        ])
    }
    let size = MessageEncoder.encode(.changes(updates), numbering).count
    #expect(size <= 1800, "\(size) bytes")
  }
}
