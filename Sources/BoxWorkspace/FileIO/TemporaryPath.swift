internal import BoxSystem
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The name of a temporary file, which an interrupt removes.
///
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT remove the file and then do what they always do. After
/// SIGKILL or a power cut the file stays, as with every program; nothing ever reads it.
package struct TemporaryPath: Sendable {
  package let path: String
  /// The last component of ``path``.
  package let name: String
  private let slot: InterruptSlot?

  /// Chooses a random name in a directory; the caller creates the file.
  package init(in directory: String) {
    let number = UInt64.random(in: .min ... .max)
    name = ".boxjoint-" + String(number, radix: 36) + ".tmp"
    path = joinPath(directory, name)
    slot = InterruptSlot.claim(for: path)
  }

  /// Removes the file, if there is one, and ends the watch for interrupts.
  package func remove() {
    removeFile(path)
    slot?.release()
  }
}

/// A slot in the table of files that a signal removes.
///
/// A signal handler may call little and allocate nothing, so the table has a fixed size and C strings.
private final class InterruptSlot: Sendable {
  /// The slots, more than are ever in use at once; a file without a slot is removed by its owner
  /// only.
  private static let all = (0..<8).map { _ in InterruptSlot() }

  private let isTaken = Atomic(false)
  /// The address of the name, or 0.
  private let address = Atomic(0)

  /// Reserves a free slot for a path; nil if all are in use.
  static func claim(for path: String) -> InterruptSlot? {
    _ = watch
    for slot in all where !slot.isTaken.exchange(true, ordering: .acquiringAndReleasing) {
      slot.address.store(Int(bitPattern: strdup(path)), ordering: .releasing)
      return slot
    }
    return nil
  }

  func release() {
    free(takeName())
    isTaken.store(false, ordering: .releasing)
  }

  /// Removes the name from the table and returns it: the caller owns the name, so that a file is
  /// removed once.
  private func takeName() -> UnsafeMutablePointer<CChar>? {
    UnsafeMutablePointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Watches for signals, from the first file on.
  ///
  /// One that the caller of the process has turned off, as `nohup` does, stays so.
  private static let watch: Void = {
    _ = all
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      let before = signal(number) { number in
        for slot in InterruptSlot.all {
          if let path = slot.takeName() { unlink(path) }
        }
        signal(number, SIG_DFL)
        raise(number)
      }
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }()
}
