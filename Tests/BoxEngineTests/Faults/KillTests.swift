import TestSupport
import Testing

@testable import EngineFaultsChild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that is killed loses nothing that it committed, and leaves no half of a transaction.
struct KillTests {
  @Test(.promise(36)) func keepsWhatWasCommitted() throws {
    var random = TestSeed.next()
    let kills = TestSeed.count("BOXJOINT_SOAK_KILLS", default: 8)
    let directory = try FaultsDirectory.make()
    var (inside, trials, store, known) = (0, 0, 0, 0)
    // Where a kill lands that aims at a commit is not ours to say; half of them have to be in one.
    while trials < kills || inside < kills / 2 {
      if trials > kills * 20 {
        Issue.record("only \(inside) of \(trials) kills were inside a commit")
        return
      }
      // A new store now and then: a kill may come while it is made.
      if random.oneIn(20) { (store, known) = (store + 1, 0) }
      let aimsInside = trials % 2 == 0 || trials >= kills
      if try kill(aimsInside, directory, "store\(store)", &known, &random) { inside += 1 }
      trials += 1
    }
    print("killed \(trials) times, \(inside) of them inside a commit")
  }

  /// Kills a writer, and checks what it leaves; whether it was inside a commit.
  ///
  /// The transactions that the check after the last kill found are still there afterwards.
  private func kill(
    _ aimsInside: Bool, _ directory: TemporaryDirectory, _ store: String, _ known: inout Int,
    _ random: inout SplitMix64
  ) throws -> Bool {
    let child = try ChildProcess("write", in: directory, store: store)
    var (begun, done) = (known, known)
    // Some are killed before they have written anything.
    for _ in 0..<random.below(60) {
      guard let line = child.line() else { throw TestFailure("the child failed: \(child.errors)") }
      note(line, &begun, &done)
    }
    if aimsInside {
      repeat {
        guard let line = child.line() else { throw TestFailure("the child failed") }
        note(line, &begun, &done)
      } while begun == done
    }
    usleep(UInt32(random.below(aimsInside ? 400 : 8000)))
    child.kill9()
    for line in child.lines() { note(line, &begun, &done) }
    #expect(child.wait() == -SIGKILL, "\(child.errors)")
    guard directory.exists(store + "/data.mdb") else {
      #expect(done == 0, "the store of \(done) transactions is gone")
      return false
    }
    // Where nothing was reported the store may not be made yet: opening makes it.
    if begun == 0 { _ = try FaultsDirectory.open(directory.path(of: store)) }
    let found = try FaultsDirectory.check(directory.path(of: store))
    #expect(found >= done, "\(done) was committed, and the store has \(found)")
    #expect(found <= begun, "\(found) is there before its commit")
    known = found
    return begun > done
  }

  private func note(_ line: String, _ begun: inout Int, _ done: inout Int) {
    let words = line.split(separator: " ")
    guard words.count == 2, let number = Int(words[1]) else { return }
    if words[0] == "commit" { begun = number }
    if words[0] == "done" { done = number }
  }
}
