package import BoxDump

/// Runs work on dumps and stores, and turns its errors into the tool's.
///
/// - Parameters:
///   - path: The store or the dump that errors without a path are about.
///   - body: The work.
/// - Returns: The result of the work.
/// - Throws: ``CommandFailure``, with the kind and the remedy of each error; an error of `body` that is
///   not one of dumps or stores is passed on.
package func onDump<R>(_ path: String, _ body: () throws -> R) throws -> R {
  do { return try body() } catch { throw CommandFailure.ofDump(error, path) }
}

extension CommandFailure {
  /// The failure of an error of dumps or stores; another error as it is.
  package static func ofDump(_ error: any Error, _ path: String) -> any Error {
    switch error {
    case let error as DumpError: CommandFailure(error)
    case let issue as ImportIssue: CommandFailure(issue)
    default: ofStore(error, path)
    }
  }

  /// Creates a failure from an error of dumps.
  ///
  /// The position of an error in the condition of an export has no path.
  package init(_ error: DumpError) {
    self.init(
      error.failureKind, error.message,
      path: error.remedy == .correctCondition ? nil : error.path, position: error.position)
    remedy =
      error.kind == .limit ? .raiseDecompressionLimits : error.remedy.map(FailureRemedy.dump)
  }

  /// Creates a failure from the reason why an element is not imported.
  package init(_ issue: ImportIssue) {
    self.init(.badInput, issue.description, path: issue.file, position: issue.position)
    remedy = issue.remedy.map(FailureRemedy.dump)
  }
}

extension DumpError {
  fileprivate var failureKind: FailureKind {
    switch kind {
    case .malformed, .cutOff, .limit: .badInput
    case .inputOutput: .inputOutput
    case .usage: .usage
    case .configuration: .badConfiguration
    case .impossible: .impossible
    }
  }
}
