package import BoxJSON
package import BoxMigration
internal import BoxModel
internal import BoxReport

/// A comparison of a plan with the change itself on generated data, as a user asks for it.
package struct VerificationRequest: Sendable {
  /// The old version.
  package var old: String
  /// The new version.
  package var new: String
  /// The number of objects of each entity.
  package var objects = 20

  /// Creates a request for two versions.
  package init(from old: String, to new: String) {
    self.old = old
    self.new = new
  }

  /// Applies the change to a temporary store, and compares the data.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` if a version is not a valid model,
  ///   `inputOutput` if something cannot be read or the store cannot be written, `impossible` if the
  ///   store cannot be opened.
  /// - Complexity: O(*n* · *m*) in the number of objects and of properties.
  package func run(in place: Workspace) async throws -> VerificationReport {
    let (before, after) = (try await version(old, in: place), try await version(new, in: place))
    var verification = PlanVerification(
      from: before.document, to: after.document, objects: objects)
    verification.declarations = (before.declarations, after.declarations)
    let directory = try TemporaryStoreDirectory(in: place.variable("TMPDIR") ?? "/tmp")
    defer { directory.remove() }
    let outcome = try onMigration(store: old, mapping: nil) {
      try verification.run(in: directory.store)
    }
    return VerificationReport(old: old, new: new, outcome: outcome)
  }

  /// The model of a version, and its rules about removals.
  private func version(
    _ argument: String, in place: Workspace
  ) async throws(CommandFailure) -> (document: ModelDocument, declarations: Declarations?) {
    let reference = SourceReference(argument)
    let source = try await reference.read(in: place)
    let document = try MigrationFiles.model(source)
    return (
      document,
      try await RulesChoice().declarations(of: document.model, in: source, reference, place)
    )
  }
}

/// The result of a comparison of a plan with the change itself.
package struct VerificationReport: Sendable {
  /// The old version as the user named it.
  package let old: String
  /// The new version as the user named it.
  package let new: String
  /// The comparison.
  package let outcome: PlanVerification.Outcome

  /// The sentences about where the change is not as planned.
  package var disagreements: [String] { outcome.disagreements }

  /// A line for people.
  package var text: String {
    let way =
      outcome.kind.map { "carried out as a \($0.rawValue) step" } ?? "refused"
      + (outcome.disagreements.isEmpty ? ", as planned" : "")
    var text = "\(way); \(counted(outcome.values, "value")) of "
    text += "\(counted(outcome.objects, "object")) compared"
    if let wentBack = outcome.wentBack {
      text += wentBack ? "; the old model opens the result" : "; the old model is refused"
    }
    if outcome.broughtBack > 0 {
      text += "; \(counted(outcome.broughtBack, "removed element")) brought back"
    }
    return text + "\n"
  }

  /// The same for programs.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "old": .string(old),
      "new": .string(new),
      "kind": outcome.kind.map { .string($0.rawValue) } ?? .null,
      "objects": .int(outcome.objects),
      "values": .int(outcome.values),
      "wentBack": outcome.wentBack.map { .bool($0) } ?? .null,
      "broughtBack": .int(outcome.broughtBack),
      "disagreements": .array(outcome.disagreements.map { .string($0) }),
    ]
  }
}
