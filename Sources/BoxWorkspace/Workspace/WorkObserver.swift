package import BoxReport

/// Receives reports of functions while they work, in addition to their results.
package protocol WorkObserver: Sendable {
  /// Called with each notice, in the order in which notices arise.
  func receive(_ notice: Notice)

  /// Called with the progress of a step of long work, from any thread; a total of 0 is unknown.
  func update(_ step: String, _ done: Int, of total: Int, unit: String)

  /// Called after long work, also after work that failed.
  func finish()
}

extension WorkObserver {
  /// Reports the warnings from opening a store.
  package func warn(_ warnings: [Finding], of path: String) {
    for warning in warnings {
      let advice = warning.advice.map { "; \($0)" } ?? ""
      receive(
        Notice(
          .warning,
          "boxjoint: \(path): warning: \(warning.message)\(advice) "
            + "[\(warning.rule.id) \(warning.rule.name)]"))
    }
  }
}

/// An observer that drops everything.
package struct SilentObserver: WorkObserver {
  /// Creates the observer.
  package init() {}

  package func receive(_ notice: Notice) {}
  package func update(_ step: String, _ done: Int, of total: Int, unit: String) {}
  package func finish() {}
}

/// A line beside the result of a function.
package struct Notice: Hashable, Sendable {
  /// The weight of a notice.
  package enum Kind: Hashable, Sendable {
    /// Something that the user may not expect.
    case note
    /// Something that is probably wrong.
    case warning
    /// One of several things failed, and the work went on.
    case failure
    /// A file was changed.
    case change
  }

  /// The weight.
  package var kind: Kind
  /// The text of one line, in which names may contain control characters.
  package var line: String

  /// Creates a notice.
  package init(_ kind: Kind, _ line: String) {
    self.kind = kind
    self.line = line
  }
}
