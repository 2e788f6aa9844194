import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Says how far a long run of tests is: a line for each part that is done.
public final class SoakProgress: Sendable {
  private let total: Int
  private let isSilent: Bool
  private let done = Mutex(0)
  private let start = ContinuousClock().now

  /// Creates the progress of so many parts, which says nothing unless a variable of a long run is set.
  public init(_ variable: String, of total: Int) {
    self.total = total
    isSilent = getenv(variable) == nil
  }

  /// Counts a part as done, and says so at once.
  public func finish(_ part: String, _ duration: Duration) {
    if isSilent { return }
    done.withLock { done in
      done += 1
      print(
        "\(done) of \(total) done after \(Self.seconds(ContinuousClock().now - start)):",
        "\(part) in \(Self.seconds(duration))")
      fflush(nil)
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .seconds(1) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
