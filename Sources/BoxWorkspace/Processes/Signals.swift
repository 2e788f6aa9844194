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

  /// The signals by which a program is asked to end.
  private static var ends: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    return signals
  }

  /// Keeps SIGINT and SIGTERM for ``waitForEnd()``; called before other threads begin, which then keep them too.
  package static func keepEnds() {
    var signals = ends
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for SIGINT or SIGTERM.
  package static func waitForEnd() {
    var signals = ends
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
  }
}
