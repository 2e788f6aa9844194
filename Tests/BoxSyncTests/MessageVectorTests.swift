import TestSupport
import Testing

@testable import BoxSync

/// The vectors in Tests/Fixtures/sync, which were encoded by hand from docs/sync-protocol.md.
@Suite struct MessageVectorTests {
  private let numbering = Numbering(RandomMessages.model)

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
  }

  private static func lines(isRefused: Bool) throws -> [[String]] {
    let lines = try RepositoryFile.text(of: "Tests/Fixtures/sync/messages.txt")
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
    let parts = lines.split(separator: "refused")
    return parts[isRefused ? 1 : 0].map { line in
      line.split(separator: ": ", maxSplits: 2).map(String.init)
    }
  }

  @Test func `Each vector is read, and is what is written`() throws {
    let vectors = try Self.lines(isRefused: false)
    #expect(vectors.count >= 35)
    for vector in vectors {
      let bytes = Self.bytes(vector[1])
      let message = try MessageDecoder.decode(bytes, numbering)
      #expect(MessageEncoder.encode(try #require(message), numbering) == bytes, "\(vector[0])")
    }
  }

  @Test func `Each refused vector has its text`() throws {
    let vectors = try Self.lines(isRefused: true)
    #expect(vectors.count >= 15)
    for vector in vectors {
      do throws(MessageFailure) {
        _ = try MessageDecoder.decode(Self.bytes(vector[1]), numbering)
        Issue.record("\(vector[0]) is read")
      } catch { #expect(error.description == vector[2], "\(vector[0])") }
    }
  }
}
