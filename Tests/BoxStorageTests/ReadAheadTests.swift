import TestSupport
import Testing

@testable import BoxStorage

/// Pages of a file that are read before they are asked for.
struct ReadAheadTests {
  /// A file in memory that counts how often it is read.
  private final class File {
    var bytes: [UInt8]
    var reads = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func reader() -> ReadAhead {
      ReadAhead { (offset, buffer) throws(StorageError) in
        self.reads += 1
        let start = min(Int(offset), self.bytes.count)
        let end = min(start + buffer.count, self.bytes.count)
        buffer.copyBytes(from: self.bytes[start..<end])
        return end - start
      }
    }
  }

  private func bytes(_ reader: ReadAhead, _ offset: Int, _ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = try bytes.withUnsafeMutableBytes { try reader.fill($0, from: UInt64(offset)) }
    return Array(bytes[..<found])
  }

  /// Requests in any order, for any number of bytes, in a file that others write to.
  @Test func givesTheBytesOfTheFile() throws {
    var random = TestSeed.next()
    for _ in 0..<50 {
      let size = random.below(400_000)
      let file = File((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      let reader = file.reader()
      var offset = 0
      for _ in 0..<200 {
        if random.oneIn(15) { offset = random.below(size + 5000) }
        let count = random.oneIn(10) ? random.below(100_000) : 4096
        let expected = file.bytes.dropFirst(offset).prefix(count)
        #expect(try bytes(reader, offset, count) == Array(expected))
        // What was read may change: a new request for it has to see that.
        if random.oneIn(4), offset < size { file.bytes[offset] &+= 1 }
        offset += random.oneIn(20) ? 0 : count
      }
    }
  }

  @Test func readsPagesInOrderInFewCalls() throws {
    let file = File([UInt8](repeating: 7, count: 4096 * 1000))
    let reader = file.reader()
    for page in 0..<1000 { #expect(try bytes(reader, 4096 * page, 4096).count == 4096) }
    // Sixteen pages at once, after the first few.
    #expect(file.reads < 70)
    let scattered = File(file.bytes)
    let other = scattered.reader()
    for page in 0..<500 { _ = try bytes(other, 4096 * ((page * 389) % 1000), 4096) }
    #expect(scattered.reads == 500)
  }
}
