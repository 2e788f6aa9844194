import BoxModel
import TestSupport
import Testing

/// No reader sees a part of a transaction, in whichever process it is written.
struct ReadersTests {
  @Test func seeWholeTransactions() throws {
    let seconds = TestSeed.count("BOXJOINT_SOAK_READER_SECONDS", default: 1)
    let folder = try FaultsFolder.make()
    _ = try ChildProcess("write", in: folder, number: 1).finish()
    let readers = try (0..<4).map { _ in
      try ChildProcess("check", in: folder, number: seconds)
    }
    let writer = try ChildProcess("write", in: folder)
    var checks = 0
    for reader in readers {
      let lines = try reader.finish()
      let words = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
      #expect(words.count == 2 && words[0] > 1 && words[1] > 1)
      checks += words.first ?? 0
    }
    writer.kill9()
    var last = 1
    for line in writer.lines() where line.hasPrefix("done") {
      last = Int(line.dropFirst(5)) ?? last
    }
    print("\(checks) reads beside \(last) transactions")
    let found = try FaultsFolder.check(folder.path(of: "store"))
    #expect(found == last || found == last + 1)
  }
}
