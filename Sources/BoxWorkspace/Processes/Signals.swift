#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The handling of signals in the process.
package enum Signals {
  /// Ignores SIGPIPE and SIGXFSZ, so that writing to a closed pipe or a file that is too large
  /// throws.
  ///
  /// Files are then left whole, and messages are printed. Programs that the tool starts have the
  /// usual signals again.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
