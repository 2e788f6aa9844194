import TestSupport
import Testing

/// A commit returns when its data is on disk.
///
/// That a process was killed cannot show it: what was written is in the memory of the system then.
struct SyncTests {
  @Test(.promise(43), .enabled("needs a C compiler, and Linux", WriteRecorder.isAvailable))
  func everyCommitSyncs() async throws {
    let directory = try FaultsDirectory.make()
    let recorder = try await WriteRecorder(directory)
    _ = try ChildProcess("write", in: directory, number: 5).finish()
    let events = try recorder.run("write", number: 20)
    var commits = 0
    var steps: [String]?
    for event in events {
      switch event {
      case .line(let line) where line.hasPrefix("commit"): steps = []
      case .line(let line) where line.hasPrefix("done"):
        // Pages, then a sync of them, then the one page that makes them count, which waits itself.
        let written = (steps ?? []).drop { $0 == "pages" }
        #expect(steps?.first == "pages")
        #expect(Array(written) == ["sync", "head"], "\(line)")
        commits += 1
        steps = nil
      case .line: break
      case .sync: steps?.append("sync")
      case .write(let offset, _, let isSynchronous):
        #expect(steps != nil, "something is written outside a commit")
        #expect(isSynchronous == (offset < 2 * 4096))
        steps?.append(isSynchronous ? "head" : "pages")
      }
    }
    #expect(commits == 20)
  }

  /// Data that ends with the process in any case need not reach a disk.
  @Test(.enabled("needs a C compiler, and Linux", WriteRecorder.isAvailable))
  func aStoreInMemoryIsNeverSynced() async throws {
    let directory = try FaultsDirectory.make()
    let events = try await WriteRecorder(directory).run("memory", number: 20)
    var (writes, syncs) = (0, 0)
    for event in events {
      switch event {
      case .line: break
      case .sync: syncs += 1
      case .write(_, _, let isSynchronous):
        (writes, syncs) = (writes + 1, syncs + (isSynchronous ? 1 : 0))
      }
    }
    #expect(writes >= 20)
    #expect(syncs == 0)
    #expect(!directory.exists("store"))
  }
}
