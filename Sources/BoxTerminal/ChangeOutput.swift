internal import BoxSystem
package import BoxWorkspace

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The standard output of a command that changes something: inspected before the change, written after it.
///
/// A user who repeats a failed command must not make the change twice. So what is known before the
/// change ends the command then, and a failure after the change says that it was made. That holds for a
/// closed pipe too: it ends a command silently by SIGPIPE only if nothing was to be changed.
package struct ChangeOutput: Sendable {
  private let isChange: Bool

  /// Inspects standard output.
  ///
  /// - Parameter isChange: Whether the command changes something, which a dry run does not.
  /// - Throws: ``CommandFailure`` with status 74 if the command changes something and nothing can be
  ///   printed.
  /// - Complexity: O(1).
  package init(isChange: Bool = true) throws(CommandFailure) {
    self.isChange = isChange
    if !isChange { return }
    do throws(SystemError) {
      try requireWritable(STDOUT_FILENO)
    } catch {
      let failure = CommandFailure(standardOutput: error)
      throw Self.unchanged(failure)
    }
  }

  /// The end of the message of a failure before the change.
  package static let unchanged = "; nothing was changed"

  private static func unchanged(_ failure: CommandFailure) -> CommandFailure {
    var failure = failure
    failure.message += unchanged
    failure.isBrokenPipe = false
    return failure
  }

  /// Prints something before the change, such as its plan.
  ///
  /// - Throws: ``CommandFailure`` with status 74 that says that nothing was changed, if `print` fails.
  package func announce(_ print: () throws(CommandFailure) -> Void) throws(CommandFailure) {
    do throws(CommandFailure) {
      try print()
    } catch {
      throw isChange ? Self.unchanged(error) : error
    }
  }

  /// Prints the report of a change that is made.
  ///
  /// - Parameters:
  ///   - change: The change, as in "stored".
  ///   - print: Called once; prints the report, or writes it to files.
  /// - Throws: ``CommandFailure`` with status 74 that names the change if `print` fails.
  package func report(
    _ change: @autoclosure () -> String, _ print: () throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    do throws(CommandFailure) {
      try print()
    } catch {
      if !isChange { throw error }
      let place = error.path.map { "\($0) " } ?? ""
      throw CommandFailure(
        error.kind, "\(change()); the output could not be written: \(place)\(error.message)")
    }
  }
}
