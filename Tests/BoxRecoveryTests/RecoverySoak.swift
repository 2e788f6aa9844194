#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number of cases of a law about recovery.
enum RecoverySoak {
  private static let full = getenv("BOXJOINT_SOAK_RECOVERIES").flatMap {
    Int(String(cString: $0))
  }

  /// The number of the normal run, or that of `scripts/soak` if it runs.
  static func count(normal: Int) -> Int { full ?? normal }
}
