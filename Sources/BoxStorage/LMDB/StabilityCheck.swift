#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Repeated looks at bytes that another process may be writing, until they are what it has written.
///
/// Only such bytes can be called damaged. A writer changes the heads of a file with one call, which
/// copies them in microseconds, however long the sync takes that follows it.
struct StabilityCheck {
  /// The time in which bytes have to stay the same.
  static let wait = Duration.seconds(1)

  private var last: [UInt8] = []
  private var start = ContinuousClock.now

  /// Whether bytes have been the same in all looks of a second; waits a little if they have not.
  ///
  /// - Complexity: O(*n*) in the number of bytes, apart from the wait of five milliseconds.
  mutating func isSteady(_ bytes: [UInt8]) -> Bool {
    if bytes != last { (last, start) = (bytes, .now) }
    if ContinuousClock.now - start >= Self.wait { return true }
    usleep(5000)
    return false
  }
}
