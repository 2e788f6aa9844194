internal import BoxDump
internal import BoxTool

/// Runs work on dumps and stores, and turns its errors into the tool's.
///
/// - Throws: ``CommandFailure``, with the status that the design gives each kind of error.
func onDump<R>(_ path: String, _ body: () throws -> R) throws -> R {
  do {
    return try onStore(path, body)
  } catch let error as DumpError {
    throw CommandFailure(
      error.exitStatus, error.message + (error.kind == .limit ? DecompressionArguments.advice : ""),
      path: error.path, position: error.position)
  }
}

extension DumpError {
  fileprivate var exitStatus: ExitStatus {
    switch kind {
    case .malformed, .cutOff, .limit: .badInput
    case .inputOutput: .inputOutput
    case .usage: .usage
    case .configuration: .badConfiguration
    case .impossible: .impossible
    }
  }
}
