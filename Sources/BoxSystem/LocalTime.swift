#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads the zone of the machine, once.
private let readsZone: Void = tzset()

/// The seconds by which the time of this machine is ahead of UTC at a time, rounded down to full minutes.
///
/// - Parameter seconds: The seconds since 1970.
/// - Returns: The seconds; 0 where the system does not know.
/// - Complexity: O(1).
package func localOffset(at seconds: Int64) -> Int64 {
  _ = readsZone
  var time = time_t(seconds)
  var parts = tm()
  guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
  let offset = Int64(parts.tm_gmtoff)
  return offset - (offset % 60 + 60) % 60
}
