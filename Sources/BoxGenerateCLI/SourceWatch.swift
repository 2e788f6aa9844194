internal import BoxSources
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Calls back after each change of the Swift files below some directories.
///
/// On Linux the kernel tells of changes (inotify); elsewhere, and where it cannot tell, sizes and times are
/// compared twice a second. Several changes within 50 milliseconds are one.
struct SourceWatch {
  private let roots: [String]

  init(_ roots: [String]) { self.roots = roots }

  /// Calls back at once and after each change, until the process is interrupted.
  ///
  /// An error of a call is printed by the caller; the watch continues.
  func run(_ body: () async throws -> Void) async throws -> Never {
    while true {
      // Before the call: what changes while it runs calls it again.
      let change = ChangeSignal(directories())
      try await body()
      change.wait()
      usleep(50_000)
    }
  }

  private func directories() -> [String] {
    var found: [String] = []
    var rest = roots
    while let path = rest.popLast() {
      guard isDirectory(at: path) else {
        found.append(parentDirectory(of: path))
        continue
      }
      found.append(path)
      for name in (try? entryNames(in: path)) ?? [] where !name.hasPrefix(".") {
        let entry = "\(path)/\(name)"
        if ((try? entryAttributes(at: entry)) ?? nil)?.isDirectory ?? false { rest.append(entry) }
      }
    }
    return found
  }
}

/// Waits for a change of the Swift files or directories in some directories.
private final class ChangeSignal {
  private let directories: [String]
  private let before: [String: Stamp]
  private let descriptor: Int32

  /// The attributes of a file that a change changes.
  private struct Stamp: Hashable {
    var size: Int
    var seconds: Int
    var nanoseconds: Int
    var number: UInt64
  }

  init(_ directories: [String]) {
    self.directories = directories
    #if os(Linux)
      descriptor = inotify_init1(Int32(IN_CLOEXEC))
      let mask = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF)
      if descriptor >= 0 {
        for directory in directories { inotify_add_watch(descriptor, directory, mask) }
      }
    #else
      descriptor = -1
    #endif
    before = Self.stamps(directories)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func wait() {
    while Self.stamps(directories) == before { waitForEvent() }
  }

  /// Waits for an event of the kernel, or half a second.
  private func waitForEvent() {
    guard descriptor >= 0 else {
      usleep(500_000)
      return
    }
    // Every 10 seconds the files are looked at all the same: a network file system tells nothing.
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&request, 1, 10_000) > 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      _ = read(descriptor, &buffer, buffer.count)
    }
  }

  private static func stamps(_ directories: [String]) -> [String: Stamp] {
    var stamps: [String: Stamp] = [:]
    for directory in directories {
      for name in (try? entryNames(in: directory)) ?? [] where !name.hasPrefix(".") {
        let path = "\(directory)/\(name)"
        guard let attributes = (try? fileAttributes(at: path)) ?? nil else { continue }
        let isWatched = name.hasSuffix(".swift") && !name.hasSuffix(".generated.swift")
        guard isWatched || attributes.isDirectory else { continue }
        #if canImport(Darwin)
          let time = attributes.st_mtimespec
        #else
          let time = attributes.st_mtim
        #endif
        // The time of a directory changes with generated files; its being there is what counts.
        let counts = !attributes.isDirectory
        stamps[path] = Stamp(
          size: counts ? Int(attributes.st_size) : 0, seconds: counts ? Int(time.tv_sec) : 0,
          nanoseconds: counts ? Int(time.tv_nsec) : 0, number: UInt64(attributes.st_ino))
      }
    }
    return stamps
  }
}
