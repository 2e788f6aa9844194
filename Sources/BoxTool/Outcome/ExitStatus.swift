/// The exit status of the tool.
///
/// The numbers from 64 up are those of `sysexits.h`.
package enum ExitStatus: Int32, Hashable, Sendable {
  /// No problems were found.
  case success = 0
  /// There are findings, conflicts or differences.
  case findings = 1
  /// The input is valid, but the request cannot be carried out with it.
  case impossible = 2
  /// The command line is invalid.
  case usage = 64
  /// The input is invalid.
  case badInput = 65
  /// A file, a stream or git could not be read or written.
  case inputOutput = 74
  /// The configuration is invalid.
  case badConfiguration = 78
}
