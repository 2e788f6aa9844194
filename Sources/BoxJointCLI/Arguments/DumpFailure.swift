internal import BoxDump
internal import BoxTool

/// Runs work on dumps and stores, and turns its errors into the tool's.
///
/// - Throws: ``CommandFailure``, with the kind of failure that each error is.
func onDump<R>(_ path: String, _ body: () throws -> R) throws -> R {
  do {
    return try onStore(path, body)
  } catch let error as DumpError {
    throw CommandFailure(
      error.failureKind,
      error.message + (error.kind == .limit ? DecompressionArguments.advice : "")
        + error.remedy.advice,
      path: error.remedy == .correctCondition ? "--where" : error.path, position: error.position)
  }
}

extension ImportIssue {
  /// The description with the option that is the way out, if there is one.
  var advised: String { description + remedy.advice }
}

extension DumpRemedy? {
  /// The options that are the way out, to be appended to a message; empty for none.
  fileprivate var advice: String { self?.advice.map { "; \($0)" } ?? "" }
}

extension DumpRemedy {
  fileprivate var advice: String? {
    switch self {
    case .correctCondition: nil
    case .nameEntity: "--entity names what the objects are"
    case .passModel: "--model FILE creates it"
    case .raiseElementLimit: "--max-element allows more"
    case .resumeOrRestart: "--resume continues it, --restart discards it"
    case .restart: "--restart discards it"
    case .restoreSettings(let settings): "pass \(settings.arguments)"
    case .restoreUnknown(let policy): "pass --unknown \(policy.rawValue)"
    case .exportWithoutConverters: "export them with --raw"
    case .exportEntity(let name): "add \(name) to --entities"
    case .leaveRelationOut: "leave it out with --fields"
    }
  }
}

extension ImportSettings {
  fileprivate var arguments: String {
    var text = "--mode \(mode.rawValue) --ids \(ids.rawValue) --dangling \(dangling.rawValue)"
    if let match { text += " --match \(match)" }
    if let entity { text += " --entity \(entity)" }
    return text
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
