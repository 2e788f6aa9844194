import BoxEngine
import BoxStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Repairs of a damaged store.
enum StoreRepairs {
  /// Repairs a store; the process ends itself at a call of the storage or before a step.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - call: The number of the call; 0 for none.
  /// - Throws: The errors of the repair.
  static func run(_ place: Place, endingAt call: Int) throws {
    let calls = Mutex(0)
    var repair = StoreRepair(place.directory)
    repair.checks = .everything
    repair.options.faults = StorageFaults { (_) throws(StorageError) in
      let number = calls.withLock {
        $0 += 1
        return $0
      }
      if number == call { kill(getpid(), SIGKILL) }
    }
    let report = try repair.run()
    emit("\(report == nil ? "sound" : "repaired") \(calls.withLock { $0 })")
  }

  /// Repairs a store beside other processes that do the same, and reads it.
  static func compete(_ place: Place) throws {
    var attempts = 0
    while true {
      do {
        var repair = StoreRepair(place.directory)
        repair.checks = .everything
        let report = try repair.run()
        let store = try place.open()
        let count = try store.read { transaction in
          try store.entities.map { try transaction.count($0) }.reduce(0, +)
        }
        emit("\(report == nil ? "sound" : "repaired") \(count)")
        return
      } catch StoreError.storage(let error) where error.kind == .inUse && attempts < 1000 {
        attempts += 1
        usleep(20_000)
      }
    }
  }
}
