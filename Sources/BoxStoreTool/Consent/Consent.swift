internal import BoxEngine
package import BoxModelTool
internal import BoxReport
internal import BoxStorage

/// The consent of a user to what a command loses.
package struct Consent: Sendable {
  /// The code of the loss that the user agreed to.
  package var code: LossCode?
  /// The number of objects or entries that the user expects to be lost.
  package var expected: Int?
  /// Whether ``code`` is of the loss that this command itself has found and shown before, and not from the user.
  private(set) var isFound = false
  /// Whether the user agreed to whatever is lost.
  package var isAssumed = false
  /// The file for the objects as they were; nil to save nothing.
  package var savePath: String?
  /// The setting of the user.
  package var policy: ConsentPolicy?

  /// No consent.
  package init() {}

  /// Whether the loss must have a code or a number.
  package var isChecked: Bool { code != nil || expected != nil }

  /// Requires that a loss is the one that the user agreed to.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible`.
  package func require(_ loss: Loss) throws(CommandFailure) {
    if isFound, code != loss.code {
      throw CommandFailure(
        .impossible,
        "the store has changed since: \(loss.sentence); look again; nothing was changed")
    }
    if let code, code != loss.code {
      throw CommandFailure(
        .impossible,
        "\(code) is the code of another command or of another state of the store: \(loss.sentence); "
          + "nothing was changed", remedy: .confirmCode)
    }
    if let expected, expected != loss.count {
      throw CommandFailure(
        .impossible,
        "\(grouped(expected)) expected: \(loss.sentence); look again; nothing was changed")
    }
  }

  /// Requires that the file for the objects can be written and would replace nothing.
  ///
  /// - Throws: ``CommandFailure``, as ``requireNewFile(_:)``, ``requireOutside(_:ofStore:)`` and
  ///   ``requireWritable(_:)``.
  func requireSavable(fromStore store: String) throws(CommandFailure) {
    guard let savePath else { return }
    try requireNewFile(savePath)
    try requireOutside(savePath, ofStore: store)
    try requireWritable([savePath])
  }

  /// Asks about a loss that is found before the change.
  ///
  /// - Parameters:
  ///   - ask: Asks a person; nil where there is no terminal to ask on.
  ///   - find: Called once if the loss is needed; finds it without changing anything.
  /// - Returns: The consent to exactly that loss if a person was asked, or no consent was needed; else this consent.
  /// - Throws: ``CommandFailure`` of the kind `usage` if the settings ask for another consent, and the errors of the
  ///   functions.
  package func agreed(
    asking ask: ((Loss) throws -> Void)?, _ find: () throws -> Loss
  ) throws -> Consent {
    if isStrict {
      if policy == .code, code != nil { return self }
    } else if isChecked || isAssumed || ask == nil || policy == .never {
      return self
    }
    let loss = try find()
    if !loss.isEmpty {
      if isStrict { try requireAnswer(ask, loss) } else { try ask?(loss) }
    }
    return agreed(to: loss.code)
  }

  /// The consent to a loss that was found before; a code that the user gave counts, whatever the answer was to.
  func agreed(to found: LossCode) -> Consent {
    if code != nil { return self }
    var consent = self
    (consent.code, consent.isFound) = (found, true)
    return consent
  }

  /// Asks a person where the settings of the user demand it.
  func requireAnswer(_ ask: ((Loss) throws -> Void)?, _ loss: Loss) throws {
    if let ask { return try ask(loss) }
    if policy == .code {
      throw CommandFailure(
        .usage, "the settings of the user ask for consent to a loss: \(loss.sentence)",
        remedy: .confirmCode)
    }
    throw CommandFailure(
      .usage, "the settings of the user ask for an answer at a terminal: \(loss.sentence)")
  }

  /// Whether nobody has to see a loss before it happens.
  package var isBlind: Bool { !isChecked && !isStrict && policy != .never }

  /// Whether only a code or an answer counts.
  package var isStrict: Bool { policy == .code || policy == .terminal }
}

/// An edit that can lose values, as consent sees it.
struct LossyEdit {
  /// The command in canonical form, without the options about consent and output.
  var command: [String]
  /// Whether the user named the objects by something else than their ids.
  var isOpen: Bool
  /// Whether a terminal is asked.
  var asks: Bool
  /// Whether values can be lost, as far as the command alone says.
  var canLose = true

  /// Creates the edit of a command.
  init(_ operation: LossyOperation, _ words: [String], isOpen: Bool, asks: Bool) {
    command = [operation.rawValue] + words
    (self.isOpen, self.asks) = (isOpen, asks)
  }
}

extension EditOptions {
  /// Makes a change in one transaction, if the user consents to what it loses.
  ///
  /// The change is made, its loss is found and compared, what is lost is saved, and only then the transaction is
  /// committed. So nothing that was not agreed to is ever stored, whatever other programs write meanwhile. A question is
  /// asked after a trial that is undone, and outside of any transaction, so that nobody waits for the answer.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - open: The store.
  ///   - propose: Called with the report on the trial; returns the question about it, nil if nothing would be changed.
  ///   - body: Called with each transaction; makes the change.
  /// - Returns: The report, with the loss if it was found.
  /// - Throws: ``CommandFailure`` of the kind `impossible` if the loss is another one than was agreed to, `usage` if
  ///   consent is needed and cannot be had; the errors of the functions; then nothing is kept.
  func carryOut<Report: ChangeReport>(
    _ edit: LossyEdit, on open: OpenStore, propose: (Report) throws -> EditProposal?,
    _ body: (Transaction) throws -> Report
  ) throws -> Report {
    if open.store.currentTransaction != nil {
      return try carryOutInTransaction(edit, on: open, propose: propose, body)
    }
    var consent = consent
    try consent.requireSavable(fromStore: open.path)
    if !isDryRun {
      if let code = try agreedCode(edit, on: open, propose: propose, body) {
        consent = consent.agreed(to: code)
      }
    }
    var report: Report = try attempt(
      edit, on: open, isDryRun: isDryRun,
      isWatched: isDryRun || consent.isChecked || consent.savePath != nil, consent, body)
    if isUnconfirmed(edit) { report.unconfirmed = report.count }
    return report
  }

  /// The code of the loss that the user has agreed to when asked; nil if nobody was asked.
  private func agreedCode<Report: ChangeReport>(
    _ edit: LossyEdit, on open: OpenStore, propose: (Report) throws -> EditProposal?,
    _ body: (Transaction) throws -> Report
  ) throws -> LossCode? {
    if consent.isStrict {
      if consent.policy == .code, consent.code != nil { return nil }
    } else if consent.isChecked || !edit.asks || confirm == nil || consent.policy == .never {
      return nil
    }
    let trial = try attempt(edit, on: open, isDryRun: true, isWatched: true, Consent(), body)
    let isAsked = consent.isStrict ? trial.loss?.isEmpty == false : trial.count > 0
    if isAsked, var proposal = try propose(trial) {
      proposal.loss = trial.loss
      if consent.isStrict, let loss = trial.loss {
        try consent.requireAnswer(ask.map { ask in { _ in try ask(proposal) } }, loss)
      } else {
        try confirm?(proposal)
      }
    }
    return trial.loss?.code
  }

  /// Whether an edit was made without consent to what exactly it loses.
  private func isUnconfirmed(_ edit: LossyEdit) -> Bool {
    if isDryRun || !consent.isBlind { return false }
    return consent.isAssumed ? edit.isOpen : edit.asks && confirm == nil
  }

  /// Makes a change, unless it is not agreed to; a change that fails leaves no file of what it would have lost.
  private func attempt<Report: ChangeReport>(
    _ edit: LossyEdit, on open: OpenStore, isDryRun: Bool, isWatched: Bool, _ consent: Consent,
    _ body: (Transaction) throws -> Report
  ) throws -> Report {
    var saved: SavedLoss?
    do {
      return try write(
        edit, on: open, isDryRun: isDryRun, isWatched: isWatched, consent, &saved, body)
    } catch {
      saved?.discard { try open.store.status().lastTransaction }
      throw error
    }
  }

  /// Makes a change in a transaction, and undoes it unless it is agreed to.
  ///
  /// The file of what is lost is noted as soon as it is complete.
  private func write<Report: ChangeReport>(
    _ edit: LossyEdit, on open: OpenStore, isDryRun: Bool, isWatched: Bool, _ consent: Consent,
    _ saved: inout SavedLoss?, _ body: (Transaction) throws -> Report
  ) throws -> Report {
    try open.write(isDryRun: isDryRun) { transaction in
      let mark = isWatched ? transaction.noteAllChanges() : 0
      var report = try body(transaction)
      if !isWatched { return report }
      try transaction.store.readCommitted { old in
        let lost = try LostObjects(
          from: old, to: transaction, since: mark, LossHash(edit.command, onStore: open.path))
        let loss = lost.loss
        report.loss = loss
        if isDryRun { return }
        try consent.require(loss)
        if let path = consent.savePath, !loss.isEmpty {
          saved = try lost.save(to: path, in: old)
        }
      }
      return report
    }
  }

  /// Makes a change as a part of a transaction that is open in a shell.
  ///
  /// Nothing is lost before that is committed, so there is no code.
  private func carryOutInTransaction<Report: ChangeReport>(
    _ edit: LossyEdit, on open: OpenStore, propose: (Report) throws -> EditProposal?,
    _ body: (Transaction) throws -> Report
  ) throws -> Report {
    let isRefused = consent.isStrict && edit.canLose && !isDryRun
    if consent.isChecked || consent.savePath != nil || isRefused {
      throw CommandFailure(
        .usage,
        "consent to a loss cannot be checked in an open transaction; commit it or roll it back first"
      )
    }
    if !isDryRun, edit.asks, let confirm {
      let trial = try open.write(isDryRun: true, body)
      if trial.count > 0, let proposal = try propose(trial) { try confirm(proposal) }
    }
    return try open.write(isDryRun: isDryRun, body)
  }
}
