/// A command that can lose stored values which no later command brings back.
///
/// Each has a dry run that names the loss and its code, takes the code as consent, and can save what is lost. A test
/// walks all commands: one that writes and has no row here fails it.
package enum LossyOperation: String, CaseIterable, Sendable {
  case remove = "store remove"
  case set = "store set"
  case put = "store put"
  case unlink = "store unlink"
  case duplicates = "store duplicates"
  case compact = "store compact"
  case load = "import"
  case migrate = "migrate run"

  /// The values that it loses, as the table in `docs/agents.md` has them.
  package var loss: String {
    switch self {
    case .remove:
      "the objects, their entries in relations, and what delete rules remove or make null with them"
    case .set: "the values that are overwritten"
    case .put: "the values and entries that are overwritten"
    case .unlink: "the entries"
    case .duplicates: "the objects that go, and their links"
    case .compact:
      "the data that the model of the store lacks; with `--discard-unsent`, changes that were not sent"
    case .load: "the values and entries that the input overwrites"
    case .migrate:
      "the data that a heavy step does not carry over, or rounds; with a purge, what the new model lacks"
    }
  }
}
