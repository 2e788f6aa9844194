internal import BoxDump
internal import BoxTool

extension CommandFailure {
  /// The failure with the options that are its remedy in the message.
  var advised: CommandFailure {
    var failure = self
    if remedy == .dump(.correctCondition) { failure.path = "--where" }
    if let advice = remedy?.advice { failure.message += "; \(advice)" }
    return failure
  }
}

extension FailureRemedy {
  fileprivate var advice: String? {
    switch self {
    case .dump(let remedy): remedy.advice
    case .raiseDecompressionLimits: "pass a larger --max-ratio or --max-size if you trust it"
    case .nameApprover: "pass --author"
    case .replaceApproval: "pass --force to replace that approval"
    case .nameCatalogue: "pass --catalogue"
    case .nameNewCatalogue: "pass --converters FILE for another name"
    case .nameNewModel: "pass --model FILE for another name"
    case .importWithoutInference: "import without --infer"
    case .useGlobalScope: "pass --global for all repositories"
    }
  }
}

extension DumpRemedy {
  fileprivate var advice: String? {
    switch self {
    case .correctCondition: nil
    case .nameEntity: "pass --entity NAME for the entity of the objects"
    case .passModel: "pass --model FILE to create it"
    case .raiseElementLimit: "pass a larger --max-element"
    case .resumeOrRestart: "pass --resume to continue it, or --restart to discard it"
    case .restart: "pass --restart to discard it"
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
