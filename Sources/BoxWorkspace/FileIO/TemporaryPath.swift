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
/// SIGKILL or a power cut the file stays, as with every program. Nothing ever reads it, and a later export removes the
/// file of an export.
package struct TemporaryPath: Sendable {
  package let path: String
  /// The last component of ``path``.
  package let name: String
  private let watch: InterruptRemoval

  /// Chooses a random name in a directory; the caller creates the file.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - prefix: The beginning of the name.
  package init(in directory: String, prefix: String = ".boxjoint-") {
    let number = UInt64.random(in: .min ... .max)
    name = prefix + String(number, radix: 36) + ".tmp"
    path = joinPath(directory, name)
    watch = InterruptRemoval(of: [path])
  }

  /// Removes the file, if there is one, and ends the watch for interrupts.
  package func remove() {
    removeFile(path)
    watch.end()
  }
}

/// Files and directories that an interrupt removes, with the signals of ``TemporaryPath``.
package struct InterruptRemoval: Sendable {
  private let slot: InterruptSlot?

  /// Removes the paths on an interrupt, from now on.
  ///
  /// - Parameter paths: The paths, a directory after all that may be in it; those that do not exist, and directories
  ///   that are not empty, are left.
  package init(of paths: [String]) { slot = InterruptSlot.claim(for: paths) }

  /// Ends the watch for interrupts.
  package func end() { slot?.release() }
}

/// A slot in the table of files that a signal removes.
///
/// A signal handler may call little and allocate nothing, so the table has a fixed size and C strings.
private final class InterruptSlot: Sendable {
  /// The slots, more than are ever in use at once; a file without a slot is removed by its owner
  /// only.
  private static let all = (0..<8).map { _ in InterruptSlot() }

  private let isTaken = Atomic(false)
  /// The address of the names, each with a zero at its end, and another zero after the last; or 0.
  private let address = Atomic(0)

  /// Reserves a free slot for some paths; nil if all are in use.
  static func claim(for paths: [String]) -> InterruptSlot? {
    _ = watch
    for slot in all where !slot.isTaken.exchange(true, ordering: .acquiringAndReleasing) {
      let names = paths.flatMap(\.utf8CString) + [0]
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: names.count)
      copy.initialize(from: names, count: names.count)
      slot.address.store(Int(bitPattern: copy), ordering: .releasing)
      return slot
    }
    return nil
  }

  func release() {
    takeNames()?.deallocate()
    isTaken.store(false, ordering: .releasing)
  }

  /// Removes the names from the table and returns them: the caller owns the names, so that a file is
  /// removed once.
  private func takeNames() -> UnsafeMutablePointer<CChar>? {
    UnsafeMutablePointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
  }

  private func removeFiles() {
    guard var name = takeNames() else { return }
    while name.pointee != 0 {
      // A file is not a directory, which unlink() might remove with all that is in it.
      if rmdir(name) != 0 { unlink(name) }
      name += strlen(name) + 1
    }
  }

  /// Watches for signals, from the first file on.
  ///
  /// One that the caller of the process has turned off, as `nohup` does, stays so.
  private static let watch: Void = {
    _ = all
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      let before = signal(number) { number in
        for slot in InterruptSlot.all { slot.removeFiles() }
        signal(number, SIG_DFL)
        raise(number)
      }
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }()
}
