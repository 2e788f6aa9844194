package import BoxJSON
package import BoxModel
internal import BoxReport

/// The output of the commands that edit a model file.
package struct ModelEditReport: Sendable {
  /// The model file, as the user named it.
  package var path: String
  /// The file that was written, or that would be.
  package var output: String
  /// Whether nothing was written.
  package var isDryRun: Bool
  /// Whether the file is a new one.
  package var isNew: Bool
  /// The differences.
  package var changes: ModelChanges

  /// Lines for people: the differences, and the file.
  package var text: String {
    let file = output.escapedForDisplay
    let ending =
      if isDryRun { "dry run: \(file) was not written" } else if isNew {
        "created \(file)"
      } else if changes.isEmpty { "\(file): nothing to change" } else { "wrote \(file)" }
    return (changes.isEmpty ? "" : changes.text()) + ending + "\n"
  }

  /// The differences as `Schemas/diff.schema.json` describes them.
  package var json: JSONValue { changes.json(from: path, to: output) }
}

extension CommandFailure {
  /// The failure of an edit that is refused.
  init(_ error: ModelEditError, path: String) {
    let kind: FailureKind =
      switch error {
      case .invalidName, .notFound, .unknownFlag, .noTarget, .uidOutOfRange, .unknownType: .usage
      default: .impossible
      }
    self.init(kind, error.description, path: path)
  }
}
