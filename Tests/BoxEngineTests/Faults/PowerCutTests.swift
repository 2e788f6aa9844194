import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

/// A disk that loses its power keeps what was synced, and any part of what was written since.
struct PowerCutTests {
  @Test(
    .promise(36, 43), .enabled("needs a C compiler, and Linux", WriteRecorder.isAvailable),
    arguments: ["write", "captured", "arrive"])
  func keepsWhatWasSynced(scenario: String) async throws {
    var random = TestSeed.next()
    let transactions = TestSeed.count("BOXJOINT_SOAK_POWER_CUTS", default: 5)
    let directory = try FaultsDirectory.make()
    let recorder = try await WriteRecorder(directory)
    // Enough transactions before for pages to be free and written again.
    _ = try ChildProcess("write", in: directory, number: 40).finish()
    if scenario != "write" {
      let store = try FaultsDirectory.open(directory.path(of: "store"))
      try store.switchOnSync(store.entities)
      store.close()
    }
    let before = try directory.bytes(of: "store/data.mdb")
    let events = try recorder.run(
      scenario == "arrive" ? scenario : "write", number: transactions)
    var disk = try SimulatedDisk(before, directory, number: 40)
    disk.hasPositions = scenario == "arrive"
    for event in events { try disk.take(event, &random) }
    #expect(disk.done == 40 + transactions)
    #expect(disk.image == (try directory.bytes(of: "store/data.mdb")), "a write was not recorded")
    print("\(disk.cuts) power cuts in \(transactions) transactions")
    #expect(disk.cuts > transactions * 4)
  }

  @Test(.enabled("needs a C compiler, and Linux", WriteRecorder.isAvailable))
  func keepsWhatWasSyncedOfANewStore() async throws {
    var random = TestSeed.next()
    let directory = try FaultsDirectory.make()
    let recorder = try await WriteRecorder(directory)
    let events = try recorder.run("write", number: 3)
    var disk = try SimulatedDisk([], directory, number: 0)
    for event in events { try disk.take(event, &random) }
    #expect(disk.done == 3)
    #expect(disk.image == (try directory.bytes(of: "store/data.mdb")), "a write was not recorded")
  }
}

/// The data file as a disk has it, and what was written since the last sync.
private struct SimulatedDisk {
  private var durable: [UInt8]
  private var pending: [Write] = []
  private let directory: TemporaryDirectory
  /// The last transaction that was reported as committed, and the last whose commit began.
  private(set) var done: Int
  private var begun: Int
  private(set) var cuts = 0
  /// Whether the transactions come from a server.
  var hasPositions = false

  private struct Write {
    var offset: Int
    var bytes: ArraySlice<UInt8>

    /// The writes of its pages, as a disk does them.
    var pages: [Write] {
      stride(from: bytes.startIndex, to: bytes.endIndex, by: 4096).map { start in
        Write(
          offset: offset + start - bytes.startIndex,
          bytes: bytes[start..<min(start + 4096, bytes.endIndex)])
      }
    }

    /// The first part of it, cut at a sector.
    func torn(_ random: inout SplitMix64) -> Write {
      Write(offset: offset, bytes: bytes.prefix(512 * random.below(bytes.count / 512 + 1)))
    }
  }

  init(_ durable: [UInt8], _ directory: TemporaryDirectory, number: Int) throws {
    self.durable = durable
    self.directory = directory
    done = number
    begun = number
  }

  /// The content of the file after all writes.
  var image: [UInt8] { Self.image(durable, pending) }

  private static func image(_ bytes: [UInt8], _ writes: some Sequence<Write>) -> [UInt8] {
    var bytes = bytes
    for write in writes {
      let end = write.offset + write.bytes.count
      if end > bytes.count { bytes += Array(repeating: 0, count: end - bytes.count) }
      bytes.replaceSubrange(write.offset..<end, with: write.bytes)
    }
    return bytes
  }

  mutating func take(_ event: RecordedEvent, _ random: inout SplitMix64) throws {
    switch event {
    case .line(let line):
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int(words[1]) else { return }
      if words[0] == "commit" { begun = number }
      if words[0] == "done" {
        done = number
        // The moment after a commit: nothing that is not synced may be needed.
        try cut([])
      }
    case .write(let offset, let bytes, let isSynchronous):
      let write = Write(offset: offset, bytes: bytes[...])
      if isSynchronous {
        // What waits may be there or not while this is written, and still afterwards.
        try cutEverywhere(&random)
        durable = Self.image(durable, [write])
        try cut([])
      } else {
        pending.append(write)
      }
    case .sync:
      try cutEverywhere(&random)
      durable = image
      pending = []
      try cut([])
    }
  }

  /// Every prefix of what waits, all but one of them, some of them, and torn ones.
  private mutating func cutEverywhere(_ random: inout SplitMix64) throws {
    let pages = pending.flatMap(\.pages)
    for count in 0...pages.count { try cut(pages[..<count]) }
    for missing in pages.indices {
      try cut(pages.indices.filter { $0 != missing }.map { pages[$0] }[...])
    }
    for _ in 0..<(pages.isEmpty ? 0 : 4) {
      try cut(pages.filter { _ in random.oneIn(2) }[...])
      // In any order, and the last one torn.
      var some = pages.filter { _ in random.oneIn(2) }.shuffled(using: &random)
      if let last = some.popLast() { some.append(last.torn(&random)) }
      try cut(some[...])
    }
  }

  /// Opens what the disk has if only these writes got there.
  private mutating func cut(_ writes: ArraySlice<Write>) throws {
    cuts += 1
    let name = "cut"
    try directory.write(Self.image(durable, writes), to: name + "/data.mdb")
    // Nothing but an empty store may be there before the first commit.
    if begun == 0 {
      let found = try Ledger(FaultsDirectory.open(directory.path(of: name))).check()
      #expect(found == 0)
    }
    let found = try FaultsDirectory.check(directory.path(of: name))
    #expect(
      found == done || found == begun, "\(done) was committed, and the store has \(found)")
    if hasPositions, found > 40 {
      let store = try FaultsDirectory.open(directory.path(of: name))
      defer { store.close() }
      #expect(try Ledger(store).position() == found)
    }
  }
}
