import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

#if canImport(Glibc)
  import Glibc
#endif

/// A write without room is refused, nothing is lost, and the store works on once there is room.
struct FullDiskTests {
  /// Bytes that the file may grow by: less than a page, within a page, and several transactions.
  @Test(arguments: [1, 4096, 5000, 20_000, 100_000, 300_001])
  func limitOfTheProcess(room: Int) throws {
    let directory = try FaultsDirectory.make()
    let lines = try ChildProcess("full", in: directory, number: room).finish()
    try expectRefusal(lines)
    #expect(try FaultsDirectory.check(directory.path(of: "store")) >= 55)
  }

  private func expectRefusal(_ lines: [String]) throws {
    #expect(lines.count == 3)
    #expect(lines.first == "refused noSpace")
    #expect(lines.dropFirst().first == "again noSpace")
    #expect(lines.last?.hasSuffix(" true") == true)
  }

  /// A put that writes itself, as its transaction has more pages than LMDB keeps in memory: 131,071.
  @Test func duringAPut() throws {
    let directory = try FaultsDirectory.make()
    // An object of 3000 bytes takes a page, and those of the tree come to them.
    let bytes = TestSeed.count("BOXJOINT_SOAK_SPILLED_BYTES", default: 420_000_000)
    let lines = try ChildProcess("fill", in: directory, number: bytes).finish()
    // The error that was caught must not let the rest be committed.
    #expect(lines.first?.hasPrefix("refused noSpace") == true)
    #expect(lines.first != "refused noSpace nothing")
    #expect(lines.last == "written 1 true 0")
    #expect(try FaultsDirectory.check(directory.path(of: "store")) == 51)
  }

  #if os(Linux)
    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"))
    func aSmallDisk() throws {
      let directory = try FaultsDirectory.make()
      let disk = try #require(SmallDisk(directory, bytes: 2 << 20))
      try disk.fill(leaving: 1 << 20)
      let lines = try ChildProcess("full", in: directory, store: "disk/store").finish()
      try expectRefusal(lines)
      #expect(try FaultsDirectory.check(directory.path(of: "disk/store")) >= 55)
    }

    /// Wherever the making of a store runs out of room, it is an error, and works later.
    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"))
    func aNewStoreOnASmallDisk() throws {
      let directory = try FaultsDirectory.make()
      let disk = try #require(SmallDisk(directory, bytes: 1 << 20))
      var refusals = 0
      for pages in 0..<40 {
        try disk.fill(leaving: pages * 4096)
        let path = directory.path(of: "disk/store\(pages)")
        let refused = FaultsChild.kind { _ = try FaultsDirectory.open(path) }
        #expect(refused == "noSpace" || refused == "nothing")
        if refused == "noSpace" { refusals += 1 }
        disk.empty()
        #expect(try Ledger(FaultsDirectory.open(path)).check() == 0)
        #expect(try FaultsDirectory.check(path) == 0)
        removeStore(path)
      }
      #expect(refusals > 0)
      #expect(refusals < 40)
    }

    /// No room for a copy of the undamaged data is never an empty store.
    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"))
    func aRepairOnASmallDisk() throws {
      let directory = try FaultsDirectory.make()
      let disk = try #require(SmallDisk(directory, bytes: 4 << 20))
      let store = try FaultsDirectory.open(directory.path(of: "disk/store"))
      let ledger = try Ledger(store)
      for number in 1...20 { try ledger.write(number) }
      store.close()
      var bytes = try directory.bytes(of: "disk/store/data.mdb")
      // A text of the last transaction, which is on no free page.
      let text = Array("20.0 xxxx".utf8)
      let place = try #require(bytes.indices.last { bytes[$0...].starts(with: text) })
      bytes[place + 6] ^= 1
      try directory.write(bytes, to: "disk/store/data.mdb")
      var repair = StoreRepair(directory.path(of: "disk/store"))
      repair.checks = .everything
      var refusals = 0
      for pages in stride(from: 0, to: 400, by: 20) {
        try disk.fill(leaving: pages * 4096)
        let refused = FaultsChild.kind { _ = try repair.run() }
        #expect(refused == "noSpace" || refused == "nothing", "\(pages) pages")
        if refused == "nothing" { break }
        refusals += 1
        disk.empty()
        #expect(try directory.bytes(of: "disk/store/data.mdb") == bytes, "\(pages) pages")
        #expect(!directory.exists("disk/store/damaged"), "\(pages) pages")
      }
      disk.empty()
      #expect(refusals > 0)
      let kept = directory.names(in: "disk/store/damaged")
      #expect(try kept.map { try directory.bytes(of: "disk/store/damaged/\($0)") } == [bytes])
      #expect(
        try FaultsDirectory.open(directory.path(of: "disk/store")).statistics().entities.count == 3)
    }

    /// A quota shows in no number: that there is no room is found by trying.
    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"))
    func roomIsFoundOutByTrying() throws {
      let directory = try FaultsDirectory.make()
      let disk = try #require(SmallDisk(directory, bytes: 1 << 20))
      let path = directory.path(of: "disk")
      #expect(!DiskRoom.isUsedUp(in: path))
      // What the attempt took is free again.
      #expect(!DiskRoom.isUsedUp(in: path))
      for room in [0, 1 << 12, 1 << 17] {
        try disk.fill(leaving: room)
        #expect(DiskRoom.isUsedUp(in: path))
      }
      disk.empty()
      #expect(!DiskRoom.isUsedUp(in: path))
      #expect(!DiskRoom.isUsedUp(in: directory.path(of: "nothing")))
    }

    /// A store that is readable on a read-only disk is also readable on a full disk.
    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"))
    func aStoreWithoutALockFileIsReadOnAFullDisk() throws {
      let directory = try FaultsDirectory.make()
      let disk = try #require(SmallDisk(directory, bytes: 2 << 20))
      let path = directory.path(of: "disk/store")
      let written = try Ledger(FaultsDirectory.open(path)).check()
      for names in [["lock.mdb"], ["lock.mdb", "store.lock"]] {
        for name in names { unlink(path + "/" + name) }
        try disk.fill(leaving: 0)
        for _ in 0..<2 {
          var options = StoreOptions()
          options.storage.isReadOnly = true
          let store = try ObjectStore.open(.directory(path), options: options)
          #expect(store.warnings.map(\.rule) == [OpeningRule.noLocks])
          #expect(try store.verify().isEmpty)
          store.close()
          // Nobody would leave the pages of a state that a listener compares.
          options.hearing = .everywhere()
          #expect(throws: StoreError.self) {
            try ObjectStore.open(.directory(path), options: options)
          }
        }
        #expect(FaultsChild.kind { _ = try FaultsDirectory.open(path) } == "noSpace")
        disk.empty()
        // With room there are locks again.
        #expect(try Ledger(FaultsDirectory.open(path)).check() == written)
      }
    }

    private func removeStore(_ path: String) {
      for name in ["data.mdb", "lock.mdb", "store.lock"] { unlink(path + "/" + name) }
      rmdir(path)
    }
  #endif
}

#if os(Linux)
  /// A disk in memory on the directory `disk`, with a file in it that takes room.
  private final class SmallDisk {
    private let path: String
    private let bytes: Int

    /// Whether this process may mount one.
    static let isAvailable: Bool = {
      guard let directory = try? TemporaryDirectory() else { return false }
      return withExtendedLifetime(directory) { SmallDisk(directory, bytes: 1 << 20) != nil }
    }()

    /// Mounts it; nil where this process may not.
    init?(_ directory: TemporaryDirectory, bytes: Int) {
      path = directory.path(of: "disk")
      self.bytes = bytes
      mkdir(path, 0o700)
      if mount("none", path, "tmpfs", 0, "size=\(bytes)") != 0 { return nil }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    func empty() {
      // A process that is being started may have the file open.
      truncate(path + "/ballast", 0)
      unlink(path + "/ballast")
    }

    /// Takes all room but so many bytes.
    func fill(leaving room: Int) throws {
      empty()
      var system = statvfs()
      guard statvfs(path, &system) == 0 else { throw TestFailure("no room is known") }
      let free = Int(system.f_bavail) * Int(system.f_bsize)
      let file = open(path + "/ballast", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(file) }
      if free > room, posix_fallocate(file, 0, off_t(free - room)) != 0 {
        throw TestFailure("the disk cannot be filled")
      }
    }
  }
#endif
