/// What the exit status of the tool says.
///
/// The numbers from 64 up are those of `sysexits.h`.
enum ExitStatus: Int32, Hashable, Sendable {
  /// All is well.
  case success = 0
  /// There are findings, conflicts or differences.
  case findings = 1
  /// The input is fine, and what was asked for cannot be done with it.
  case impossible = 2
  /// The command line is wrong.
  case usage = 64
  /// The input is not what it should be.
  case badInput = 65
  /// A file, a stream or git could not be read or written.
  case inputOutput = 74
  /// The configuration is wrong.
  case badConfiguration = 78
}
