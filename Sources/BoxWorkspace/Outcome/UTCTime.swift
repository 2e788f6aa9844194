#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A time in seconds since 1970 as ISO 8601 in UTC, such as `2024-02-29T12:00:00Z`.
package func utcTime(_ seconds: Int64) -> String {
  var time = time_t(seconds)
  var parts = tm()
  gmtime_r(&time, &parts)
  func digits(_ value: Int32, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
  let date = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)]
  let clock = [(parts.tm_hour, 2), (parts.tm_min, 2), (parts.tm_sec, 2)]
  return date.map(digits).joined(separator: "-") + "T"
    + clock.map(digits).joined(separator: ":") + "Z"
}

/// The time now, in seconds since 1970.
package func currentTime() -> Int64 { Int64(time(nil)) }
