import BoxEngine
import BoxModel
import BoxStorage

/// Processes that switch capture on, or write while another one does.
enum Capturing {
  /// Switches capture on, and says after each transaction how many objects it captured.
  static func seed(_ place: Place) throws {
    let store = try place.open()
    emit("seeding")
    try store.switchOnSync(store.entities, atOnce: 500) { emit("captured \($0)") }
    emit("done")
  }

  /// Writes what transactions of the ledger would write as a client of data sync does, so many or until the process
  /// is killed.
  static func arrive(_ place: Place, count: Int) throws {
    let store = try place.open()
    try store.switchOnSync(store.entities)
    let ledger = try Ledger(store)
    emit("open")
    var written = 0
    while count == 0 || written < count {
      let number = try ledger.check() + 1
      try ledger.arrive(number) { emit("commit \(number)") }
      emit("done \(number)")
      written += 1
    }
  }

  /// Writes transactions until the process is killed, and opens the store again where it has to.
  static func writeAlways(_ place: Place) throws {
    var store = try place.open()
    emit("open")
    while true {
      do throws(any Error) {
        emit("done \(try Ledger(store).writeNext())")
      } catch StoreError.modelChangedElsewhere {
        store.close()
        store = try place.open()
        emit("again")
      }
    }
  }
}
