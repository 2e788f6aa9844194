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
