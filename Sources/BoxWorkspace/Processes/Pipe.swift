internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A pipe whose ends are closed with its owner; started programs inherit them only as standard
/// streams.
struct Pipe: ~Copyable {
  /// The end to read from, or -1.
  private(set) var reading: Int32 = -1
  /// The end to write to, or -1.
  private(set) var writing: Int32 = -1

  /// Creates a pipe.
  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try retryingInterrupts { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Creates a placeholder for a stream that is not connected.
  init(unconnected: Void) {}

  deinit {
    if reading >= 0 { close(reading) }
    if writing >= 0 { close(writing) }
  }

  mutating func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  mutating func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }
}
