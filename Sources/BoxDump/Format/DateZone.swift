internal import BoxModel
internal import BoxSystem

/// The zone in which dates are written as ISO 8601.
package enum DateZone: Hashable, Sendable {
  case utc
  /// The zone of this machine, with its rules for each date.
  case local
  /// The seconds by which the time is ahead of UTC, full minutes of less than a day.
  case offset(Int64)

  /// Reads `UTC`, `local`, or an offset such as `+02:00`; nil for another text.
  package init?(_ text: String) {
    switch text {
    case "UTC": self = .utc
    case "local": self = .local
    default:
      guard text.utf8.count == 6, "+-".utf8.contains(text.utf8.first ?? 0),
        let moment = ISO8601.moment("2000-01-01T00:00:00" + text)
      else { return nil }
      self = .offset(Self.millennium - moment.seconds)
    }
  }

  /// The second at which 2000 began in UTC.
  private static let millennium: Int64 = 946_684_800

  /// The seconds by which the time is ahead of UTC at a time; nil for UTC.
  ///
  /// - Complexity: O(1).
  package func offset(at seconds: Int64) -> Int64? {
    switch self {
    case .utc: nil
    case .local: localOffset(at: seconds)
    case .offset(let offset): offset
    }
  }
}
