internal import BoxSystem
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Waits until a process writes to an open file: by inotify or kqueue, or else four times a second.
final class FileWrites: Sendable {
  /// The descriptor that is readable after a write; -1 if the system has none to give.
  private let events: Int32
  /// The ends of a pipe, which is readable after the end.
  private let wakeUpPipe: (reading: Int32, writing: Int32)
  private let isEnded = Atomic<Bool>(false)

  /// Begins to note writes.
  ///
  /// - Throws: ``SystemError`` if there is no descriptor left.
  init(of file: Int32) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try retryingInterrupts { unsafe pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeUpPipe = (ends[0], ends[1])
    events = Self.events(of: file)
  }

  deinit {
    close(wakeUpPipe.reading)
    close(wakeUpPipe.writing)
    if events >= 0 { close(events) }
  }

  var hasEnded: Bool { isEnded.load(ordering: .acquiring) }

  /// Ends this wait and all that follow.
  func end() {
    if isEnded.exchange(true, ordering: .acquiringAndReleasing) { return }
    var byte: UInt8 = 0
    _ = unsafe write(wakeUpPipe.writing, &byte, 1)
  }

  /// Lets a short time pass, whatever is written meanwhile.
  func pause(_ microseconds: UInt32) { usleep(microseconds) }

  /// Waits until something was written since the wait before, and at the longest for a time.
  func wait(_ microseconds: Int?) {
    if let microseconds, microseconds < 1000 {
      pause(UInt32(microseconds))
      return
    }
    var requests = [
      pollfd(fd: wakeUpPipe.reading, events: Int16(POLLIN), revents: 0),
      // One below 0 is not waited for.
      pollfd(fd: events, events: Int16(POLLIN), revents: 0),
    ]
    let longest = microseconds.map { Int32($0 / 1000) } ?? (events >= 0 ? -1 : 250)
    if unsafe poll(&requests, 2, longest) > 0, requests[1].revents != 0 { drainEvents() }
  }

  #if canImport(Darwin)
    private static func events(of file: Int32) -> Int32 {
      let queue = kqueue()
      var change = unsafe kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0, udata: nil)
      if queue >= 0, unsafe kevent(queue, &change, 1, nil, 0, nil) < 0 {
        close(queue)
        return -1
      }
      return queue
    }

    private func drainEvents() {
      var (event, now) = unsafe (kevent(), timespec())
      _ = unsafe kevent(events, nil, 0, &event, 1, &now)
    }
  #else
    private static func events(of file: Int32) -> Int32 {
      let notifications = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      // By its descriptor, the file is the one that is open, and need not have a name.
      let path = "/proc/self/fd/\(file)"
      if notifications >= 0, unsafe inotify_add_watch(notifications, path, UInt32(IN_MODIFY)) < 0 {
        close(notifications)
        return -1
      }
      return notifications
    }

    private func drainEvents() {
      var buffer = [UInt8](repeating: 0, count: 4096)
      _ = unsafe read(events, &buffer, buffer.count)
    }
  #endif
}
