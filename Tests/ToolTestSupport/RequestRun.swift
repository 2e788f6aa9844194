package import BoxWorkspace

/// The outcome of a request, and what its user reads.
package struct RequestRun {
  package let outcome: ReportOutcome
  /// The result, which a command prints.
  package let text: String
  /// The notices, and the failure if there is one, each with a line ending.
  package let messages: String
  /// The failure, if there is one.
  package var failure: CommandFailure?

  /// Whether the request ended with an outcome, a text and no notice.
  package func only(_ outcome: ReportOutcome, _ text: String) -> Bool {
    self.outcome == outcome && self.text == text && messages.isEmpty
  }

  /// Does the work of a request, and keeps what its user reads.
  ///
  /// - Parameters:
  ///   - observer: The observer of the work.
  ///   - shortened: Shortens the paths in a text.
  ///   - work: The work.
  /// - Returns: The outcome, and the texts with short paths.
  /// - Throws: The errors of the work that no command reports.
  package static func of(
    _ observer: RecordingObserver, shortened: (String) -> String,
    _ work: () async throws -> (outcome: ReportOutcome, text: String)
  ) async throws -> RequestRun {
    var (outcome, text) = (ReportOutcome.success, "")
    var failed: CommandFailure?
    do {
      (outcome, text) = try await work()
    } catch let failure as CommandFailure {
      (outcome, failed) = (.failed(failure.kind), failure)
    }
    let lines = observer.notices.map(\.line) + [failed?.line].compactMap { $0 }
    return RequestRun(
      outcome: outcome, text: shortened(text),
      messages: shortened(lines.map { $0 + "\n" }.joined()), failure: failed)
  }
}
