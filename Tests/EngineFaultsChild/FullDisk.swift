import BoxEngine
import BoxModel
import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes to a store until there is no room, and goes on once there is.
struct FullDisk {
  private let place: Place
  /// A file that takes room on the disk until it is removed; none where the limit of the process is
  /// what makes the disk full.
  private var ballast: String { place.directory + "/../ballast" }

  init(_ place: Place) { self.place = place }

  /// Runs the whole story.
  ///
  /// - Parameter room: Bytes by which files may grow beyond what the store takes after a few
  ///   transactions; 0 to write until the disk itself is full.
  /// - Throws: ``LedgerError`` for a broken promise, and the errors of the store.
  func run(room: Int) throws {
    signal(SIGXFSZ, SIG_IGN)
    let isLimited = room > 0
    let ledger = try Ledger(place.open())
    var number = try ledger.check()
    for _ in 0..<5 {
      number += 1
      try ledger.write(number)
    }
    if isLimited { setLimit(try dataSize() + room) }
    let refused = writeUntilRefused(ledger, &number)
    emit("refused \(refused)")
    // Nothing is lost, and what was refused is not there.
    if try ledger.check() != number { throw LedgerError("the refused transaction is there") }
    emit("again \(growing(ledger))")
    if try ledger.check() != number { throw LedgerError("the refused transaction is there") }
    if isLimited { setLimit(nil) } else { unlink(ballast) }
    for _ in 0..<50 {
      number += 1
      try ledger.write(number)
    }
    emit("written \(number) \(try ledger.check() == number)")
  }

  /// Writes until it fails; the ledger alone stops growing some day, so large texts go with it.
  private func writeUntilRefused(_ ledger: Ledger, _ number: inout Int) -> String {
    for _ in 0..<10_000 {
      let next = number + 1
      let refused = FaultsChild.kind { try ledger.write(next) }
      if refused != "nothing" { return refused }
      number = next
      let padded = growing(ledger)
      if padded != "nothing" { return padded }
    }
    return "nothing"
  }

  /// Adds objects of an entity that the ledger does not look at.
  private func growing(_ ledger: Ledger) -> String {
    FaultsChild.kind {
      let padding = try ledger.store.entity(named: "Padding")
      try ledger.store.write { transaction in
        var object = DynamicObject(padding)
        object["text"] = .string(String(repeating: "p", count: 20_000))
        for _ in 0..<5 { try transaction.put(object) }
      }
    }
  }

  /// Puts more in one transaction than LMDB keeps in memory, so that a put itself writes and fails.
  func spill(bytes: Int) throws {
    signal(SIGXFSZ, SIG_IGN)
    let ledger = try Ledger(place.open())
    try ledger.write(1)
    setLimit(try dataSize() + (1 << 20))
    let padding = try ledger.store.entity(named: "Padding")
    var puts = 0
    var object = DynamicObject(padding)
    object["text"] = .string(String(repeating: "p", count: 3000))
    var refused = "nothing"
    let left = FaultsChild.kind {
      try ledger.store.write { transaction in
        while puts < bytes / 3000 && refused == "nothing" {
          refused = FaultsChild.kind { try transaction.put(object) }
          puts += 1
        }
        // The transaction goes on after the caught error, and must not commit a part.
        try ledger.step(2, transaction)
      }
    }
    emit("refused \(refused) \(left)")
    setLimit(nil)
    let number = try ledger.check()
    for next in number + 1...number + 50 { try ledger.write(next) }
    let count = try ledger.store.read { try $0.count(padding) }
    emit("written \(number) \(try ledger.check() == number + 50) \(count)")
  }

  /// Limits the size of the files of this process; nil for no limit.
  private func setLimit(_ bytes: Int?) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(resource, &limit)
  }

  private func dataSize() throws -> Int {
    var attributes = stat()
    guard stat(place.directory + "/data.mdb", &attributes) == 0 else {
      throw LedgerError("there is no data file")
    }
    return Int(attributes.st_size)
  }
}
