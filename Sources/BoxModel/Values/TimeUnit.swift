/// A unit of time in which dates count from 1970.
public enum TimeUnit: String, Hashable, Sendable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds

  /// The number of these units in a second.
  package var perSecond: Int64 {
    switch self {
    case .seconds: 1
    case .milliseconds: 1000
    case .microseconds: 1_000_000
    case .nanoseconds: 1_000_000_000
    }
  }

  /// The number of decimal digits that the unit gives a fraction of a second.
  package var digits: Int {
    switch self {
    case .seconds: 0
    case .milliseconds: 3
    case .microseconds: 6
    case .nanoseconds: 9
    }
  }
}
