internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// The options by which a user consents to what a command loses.
struct PurgeConsentArguments: ParsableArguments {
  @Flag(help: "Do not ask for confirmation.")
  var yes = false

  @Option(
    help: ArgumentHelp(
      "With --yes, change nothing unless this many objects or entries are lost.", valueName: "n"))
  var expect: Int?

  @Option(
    help: ArgumentHelp(
      "The code that --dry-run printed: change nothing unless exactly that is lost.",
      valueName: "code"))
  var confirm: String?

  func validate() throws {
    if expect != nil && !yes { throw ValidationError("--expect needs --yes.") }
    if let expect, expect < 0 { throw ValidationError("--expect must be at least 0.") }
    if confirm != nil && yes { throw ValidationError("--confirm and --yes exclude each other.") }
    if let confirm, LossCode(confirm) == nil {
      throw ValidationError("'\(confirm)' is not a code; --dry-run prints one, such as 7f3k-9q2m.")
    }
  }

  /// The consent, with the setting of the user.
  ///
  /// - Throws: ``CommandFailure`` as ``ConsentPolicy/load(in:)``.
  func consent() throws(CommandFailure) -> Consent {
    var consent = Consent()
    consent.code = confirm.flatMap { LossCode($0) }
    consent.expected = expect
    consent.isAssumed = yes
    consent.policy = try ConsentPolicy.load(in: .console)
    return consent
  }
}

/// The same, with the option to save what is lost first.
struct ConsentArguments: ParsableArguments {
  @OptionGroup var agreed: PurgeConsentArguments

  @Option(
    help: ArgumentHelp(
      "First save what is lost to this new file, which 'import --mode replace' puts back.",
      valueName: "file"), completion: .file(), transform: namedPath)
  var save: String?

  func validate() throws {
    if save == "-" {
      throw ValidationError(
        "--save needs a file: what is lost is to be imported again, from its beginning.")
    }
  }

  /// Whether the user agreed to any loss.
  var yes: Bool { agreed.yes }

  /// The code that the user gave.
  var confirm: String? { agreed.confirm }

  /// The consent, with the setting of the user.
  ///
  /// - Throws: ``CommandFailure`` as ``ConsentPolicy/load(in:)``.
  func consent() throws(CommandFailure) -> Consent {
    var consent = try agreed.consent()
    consent.savePath = save
    return consent
  }

  /// Writes what became of consent to standard error: that values were saved, and a warning about a change whose loss
  /// nobody has seen.
  ///
  /// - Parameters:
  ///   - loss: The loss; nil if it was not found.
  ///   - unconfirmed: The number of objects or entries that were lost without consent to it.
  ///   - isDryRun: Whether nothing was kept.
  func report(_ loss: Loss?, unconfirmed: Int?, isDryRun: Bool) {
    if let save, let loss, !isDryRun {
      StandardError.writeLine(
        loss.isEmpty
          ? "boxjoint: nothing was lost, so \(save.escapedForDisplay) was not written"
          : "boxjoint: what was lost is in \(save.escapedForDisplay)\(loss.hiddenNote)")
    }
    guard let unconfirmed, unconfirmed > 0 else { return }
    StandardError.writeLine(Self.warning(isAssumed: yes))
  }

  /// The warning about a change whose loss nobody has seen.
  static func warning(isAssumed: Bool) -> String {
    let cause = isAssumed ? "--yes alone agrees to any loss" : "nobody was asked about the loss"
    return
      "boxjoint: warning: \(cause); pass --yes --expect N or --confirm CODE, which --dry-run prints: "
      + "version 0.3 requires one of them here"
  }
}

extension Loss {
  /// The hidden data that a saved file lacks, after the words that name the file; empty without any.
  fileprivate var hiddenNote: String {
    hidden.count == 0 ? "" : ", except for \(hidden.words), which no file can hold"
  }

  /// The lines after the output of a dry run: the loss, and the options that consent to it; empty without a loss.
  ///
  /// - Parameter saves: Whether the command can save what is lost.
  /// - Returns: The lines.
  func advice(saves: Bool = true) -> String {
    if isEmpty { return "" }
    return text + "to do exactly this: --confirm \(code)\n"
      + "to agree to the number alone: --yes --expect \(count)\n"
      + (saves
        ? "to be able to put it back\(hidden.count == 0 ? "" : ", except for what is hidden"): add --save FILE\n"
        : "")
  }
}
