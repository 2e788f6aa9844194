import BoxEngine
import BoxModel
import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that tests start, limit and kill.
///
/// It writes what it did to its standard output, a line each, and what went wrong to its standard
/// error.
@main
struct FaultsChild {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      // Without the buffers of the library, which a limit on the size of files would stop.
      emit("failed: \(error)", to: 2)
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard arguments.count >= 3 else { throw LedgerError("usage: SCENARIO DIRECTORY MODEL …") }
    let place = Place(directory: arguments[1], model: arguments[2])
    let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    switch arguments[0] {
    case "write": try write(place, count: number)
    case "contend": try contend(place, count: number)
    case "seed": try Capturing.seed(place)
    case "arrive": try Capturing.arrive(place, count: number)
    case "reopen": try Capturing.writeAlways(place)
    case "check": try check(place, seconds: number)
    case "open": try open(place, count: number)
    case "memory": try writeInMemory(place, count: number)
    case "hold": try hold(place)
    case "listen": try listen(place, commits: number)
    case "crowd":
      let seconds = getenv("CROWD_SECONDS").flatMap { Int(String(cString: $0)) } ?? 1
      try Crowd.run(place, seconds: seconds, seed: UInt64(number))
    case "opening": try keepOpening(place)
    case "fork": try useAfterFork(place)
    case "remove": try RuledRemoval(place).run(entries: number)
    case "repair": try StoreRepairs.run(place, endingAt: number)
    case "compete": try StoreRepairs.compete(place)
    case "full": try FullDisk(place).run(room: number)
    case "fill": try FullDisk(place).spill(bytes: number)
    default: throw LedgerError("there is no scenario \(arguments[0])")
    }
  }

  /// Writes transactions from the one after the last, so many or until the process is killed.
  private static func write(_ place: Place, count: Int) throws {
    let ledger = try Ledger(place.open())
    let first = try ledger.check() + 1
    var number = first
    while count == 0 || number < first + count {
      try ledger.write(number) { emit("commit \(number)") }
      emit("done \(number)")
      number += 1
    }
  }

  /// Writes transactions beside other writers, so many or until the process is killed.
  private static func contend(_ place: Place, count: Int) throws {
    let ledger = try Ledger(place.open())
    emit("open")
    var written = 0
    while count == 0 || written < count {
      emit("done \(try ledger.writeNext())")
      written += 1
    }
  }

  /// Opens a store with a check of its pages, reads everything and closes it, so many times.
  private static func open(_ place: Place, count: Int) throws {
    var options = StoreOptions()
    options.storage.pageCheck = PageCheck { _, _ in }
    var last = 0
    for _ in 0..<count {
      let store = try place.open(options: options)
      let number = try Ledger(store).check()
      if number < last { throw LedgerError("\(number) was seen after \(last)") }
      last = number
      store.close()
    }
    emit("opened \(count) \(last)")
  }

  /// Writes transactions to a store that nobody else sees.
  private static func writeInMemory(_ place: Place, count: Int) throws {
    let ledger = try Ledger(place.open(.memory("ledger")))
    for number in 1...count { try ledger.write(number) }
    emit("done \(try ledger.check())")
  }

  /// Reads everything again and again, for some seconds and until something has changed.
  private static func check(_ place: Place, seconds: Int) throws {
    let ledger = try Ledger(place.open())
    let end = time(nil) + seconds
    let first = try ledger.check()
    var (checks, last) = (1, first)
    repeat {
      let number = try ledger.check()
      if number < last { throw LedgerError("\(number) was seen after \(last)") }
      last = number
      checks += 1
    } while time(nil) < end || last == first && time(nil) < end + 60
    emit("checked \(checks) \(last)")
  }

  /// Hears what others commit until the ledger has so many commits, and compares it with the store.
  private static func listen(_ place: Place, commits: Int) throws {
    var options = StoreOptions()
    options.hearing = .everywhere()
    let store = try place.open(options: options)
    let copy = try FollowedCopy(
      store, try ["Counter", "Entry"].map { (name) throws in try store.entity(named: name) })
    emit("listening")
    let ledger = try Ledger(store)
    while try ledger.check() < commits { usleep(10_000) }
    if let difference = try copy.difference() { throw LedgerError(difference) }
    let told = copy.takeCommits()
    let isWhole = told.contains { $0.entities.contains(where: \.isWhole) }
    emit("heard \(told.count)\(isWhole ? " whole" : "")")
  }

  /// Keeps a read transaction until the process is killed.
  private static func hold(_ place: Place) throws {
    try place.open().read { _ in
      emit("holding")
      while true { pause() }
    }
  }

  /// Holds the lock that LMDB has while it opens a store, until the process is killed.
  private static func keepOpening(_ place: Place) throws {
    let file = fopen(place.directory + "/lock.mdb", "r+").map(fileno) ?? -1
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = 1
    guard fcntl(file, F_SETLK, &lock) == 0 else { throw LedgerError("the lock is not free") }
    emit("opening")
    while true { pause() }
  }

  /// Uses a store in a process that was forked from the one that opened it.
  private static func useAfterFork(_ place: Place) throws {
    // Swift has no fork, as little of it works afterwards; programs in C have.
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { throw LedgerError("there is no fork") }
    let fork = unsafeBitCast(symbol, to: Fork.self)
    var ledger: Ledger? = try Ledger(place.open())
    try ledger?.write(1)
    let child = fork()
    if child == 0 {
      for (name, use) in [
        ("read", { try ledger?.store.read { _ in } }),
        ("write", { try ledger?.store.write { _ in } }),
        ("status", { _ = try ledger?.store.status() }),
      ] as [(String, () throws -> Void)] {
        emit("\(name) \(kind(use))")
      }
      // Letting go of it must not take the locks of the parent away.
      ledger = nil
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    try ledger?.write(2)
    emit("parent \(try ledger?.check() ?? 0) \(status)")
    if let store = ledger?.store { try Self.fork(inTransactionsOf: store, fork) }
  }

  /// Ends transactions in a child process in which they were not begun.
  private static func fork(
    inTransactionsOf store: ObjectStore, _ fork: @convention(c) () -> pid_t
  ) throws {
    var isChild = false
    func inChild(_ name: String, _ outcome: String) {
      if !isChild { return }
      emit("in a \(name) transaction: \(outcome)")
      _exit(0)
    }
    func split() {
      let child = fork()
      isChild = child == 0
      if !isChild { waitpid(child, nil, 0) }
    }
    var readers = 0
    let reading = kind {
      try store.read { _ in
        split()
        if !isChild { readers = try store.status().readers.count { $0.transaction > 0 } }
      }
    }
    inChild("read", reading)
    let writing = kind { try store.write { _ in split() } }
    inChild("write", writing)
    emit("parent \(reading) \(readers) \(writing)")
  }

  /// The kind of the storage's error that a function throws.
  static func kind(_ body: () throws -> Void) -> String {
    do throws(any Error) {
      try body()
      return "nothing"
    } catch StoreError.storage(let error) {
      return "\(error.kind)"
    } catch {
      return "\(error)"
    }
  }
}

/// The directory of the store, and the path of its model file.
struct Place {
  var directory: String
  var model: String

  /// Opens the store in the directory, or another one with its model.
  func open(
    _ location: StorageLocation? = nil, options: StoreOptions = StoreOptions()
  ) throws -> ObjectStore {
    guard let file = fopen(model, "r") else { throw LedgerError("no model at \(model)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return try ObjectStore.open(
      location ?? .directory(directory), model: ModelDocument(parsing: Array(bytes.prefix(count))),
      options: options)
  }
}

/// Writes a line at once: what was written before a kill is there.
func emit(_ line: String, to descriptor: Int32 = 1) {
  let bytes = Array((line + "\n").utf8)
  var start = 0
  while start < bytes.count {
    let count = bytes.withUnsafeBytes {
      write(descriptor, $0.baseAddress.map { $0 + start }, bytes.count - start)
    }
    if count <= 0 { exit(2) }
    start += count
  }
}
