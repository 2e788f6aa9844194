internal import ArgumentParser
internal import BoxDump
internal import BoxModel
internal import BoxModelTool
internal import BoxReport

extension CommandFailure {
  /// The failure with the options that are its remedy in the message.
  var advised: CommandFailure { advised(for: nil) }

  /// The failure with the options that are its remedy in the message, if a command has them.
  ///
  /// - Parameter command: The command that failed; nil for any.
  /// - Returns: The failure.
  func advised(for command: (any ParsableCommand.Type)?) -> CommandFailure {
    var failure = self
    if remedy == .dump(.correctCondition) { failure.path = "--where" }
    guard let advice = remedy?.advice else { return failure }
    // A whole command line may be one of another command.
    if let command, !advice.hasPart("boxjoint ") {
      let known = declaredOptions(of: command)
      if !optionWords(in: advice[...]).allSatisfy({ known.contains($0) }) { return failure }
    }
    failure.message += "; \(advice)"
    return failure
  }
}

/// The options of a command, as its help lists them.
func declaredOptions(of command: any ParsableCommand.Type) -> Set<String> {
  let lines = BoxJointCommand.helpMessage(for: command, includeHidden: false, columns: 200)
    .split(separator: "\n")
  return Set(lines.filter { $0.hasPrefix("  -") }.flatMap { optionWords(in: $0) })
}

/// The words of a text that are long options.
private func optionWords(in text: Substring) -> [String] {
  text.split { $0 == " " || $0 == "," || $0 == "=" }.filter { $0.hasPrefix("--") }.map(String.init)
}

extension FailureRemedy {
  fileprivate var advice: String? {
    switch self {
    case .dump(let remedy): remedy.advice
    case .raiseDecompressionLimits: "pass a larger --max-ratio or --max-size if you trust it"
    case .nameApprover: "pass --author"
    case .replaceApproval: "pass --force to replace that approval"
    case .nameCatalogue: "pass --catalogue"
    case .chooseMode: "pass --mode replace, upsert or update"
    case .nameNewCatalogue: "pass --converters FILE for another name"
    case .nameNewModel: "pass --model FILE for another name"
    case .importWithoutInference: "import without --infer"
    case .replaceOutput: "pass --force to replace it"
    case .nameLostFile: "pass its path as --output, or --fact ENTITY=ID:UID with one of its UIDs"
    case .nameLostCode:
      "name the code of one of them, or pass --fact ENTITY=ID:UID with one of its UIDs"
    case .confirmCode: "run it with --dry-run, and pass the --confirm that it prints"
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
    case .raiseElementLimit: "pass a larger --max-element, up to 1024"
    case .resumeOrRestart: "pass --resume to continue it, or --restart to discard it"
    case .restart: "pass --restart to discard it"
    case .restoreSettings(let settings): "pass \(settings.arguments)\(settings.missing)"
    case .restoreUnknown(let policy): "pass --unknown \(policy.rawValue)"
    case .restoreForm(let form):
      form == InputForm() ? "pass no option for the form" : "pass \(form.arguments)"
    case .nameFormat: "pass --input-format csv or tsv if it is delimited text"
    case .ignoreUnknown: "or skip it with --unknown ignore"
    case .nameDelimiter: "pass --delimiter for the one that is meant"
    case .nameNull: "pass a word, such as --null NULL, to the export and to the import"
    case .nameColumns: "name the columns with --columns"
    case .nameRecords(let path): "pass --records \(shellQuoted("\(path)")) if the records are there"
    case .ignoreQuotes: "pass --quotes none if quotes have no meaning in the file"
    case .allowPartialDirectories: "pass --partial to import the parts that there are"
    case .exportWithoutConverters: "export them with `boxjoint export --raw`"
    case .nameDirectory: "pass --output DIR for a directory, or --entities NAME"
    case .nameShape: "pass --shape directory or --shape document"
    case .exportEntity(let name): "add \(NamePath.quoted(name)) to --entities"
    case .leaveRelationOut: "leave it out with --fields"
    }
  }
}

extension InputForm {
  fileprivate var arguments: String {
    var options: [String] = []
    if format != .auto { options.append("--input-format \(format.rawValue)") }
    if let delimiter { options.append("--delimiter \(shellQuoted(String(delimiter)))") }
    if let null { options.append("--null \(shellQuoted(null))") }
    if let columns { options.append("--columns \(shellQuoted(columns.joined(separator: ",")))") }
    if keepsNull { options.append("--empty keep") }
    if let header { options.append("--header \(header.rawValue)") }
    if let records { options.append("--records \(shellQuoted("\(records)"))") }
    if skippedLines > 0 { options.append("--skip-lines \(skippedLines)") }
    if quotes != .rfc4180 { options.append("--quotes \(quotes.rawValue)") }
    return options.joined(separator: " ")
  }
}

extension ImportSettings {
  fileprivate var arguments: String {
    var text = "--mode \(mode.rawValue) --ids \(ids.rawValue) --dangling \(dangling.rawValue)"
    if let match { text += " --match \(shellQuoted(match))" }
    if let entity { text += " --entity \(shellQuoted(entity))" }
    if let relation { text += " --relation \(shellQuoted(relation))" }
    return text
  }

  /// The words about the options that are to be left out.
  fileprivate var missing: String {
    let names = [
      match == nil ? "--match" : nil, entity == nil && relation == nil ? "--entity" : nil,
    ]
    .compactMap { $0 }
    return names.isEmpty ? "" : ", without \(names.joined(separator: " and "))"
  }
}
