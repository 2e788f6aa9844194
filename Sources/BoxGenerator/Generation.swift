package import BoxModel
package import BoxReport

/// The result of one run over the sources of a target.
package struct Generation: Sendable {
  /// The violations of rules; with one of them there are no files.
  package var findings: [Finding]
  /// The text of the model file.
  package var model: [UInt8]?
  /// The text of the generated Swift file.
  package var bindings: String?

  /// Generates the model file and the bindings of a target; the same input gives the same bytes, unless
  /// the UIDs are random and an element is new.
  ///
  /// - Parameters:
  ///   - files: The sources.
  ///   - model: The text of the model file; nil for a target without one.
  ///   - modelPath: The path of the model file, for findings.
  ///   - target: The name of the target.
  ///   - uids: The source of fresh UIDs.
  ///   - allowsRemovals: Whether more than half of the entities may be removed.
  /// - Complexity: O(*n*) in the size of the sources and the model file.
  package init(
    files: [SourceFile], model: [UInt8]?, modelPath: String, target: String,
    uids: any UIDSource, allowsRemovals: Bool = false
  ) {
    let parsing = SourceParsing(files)
    findings = parsing.findings
    if !findings.isEmpty { return }
    let text = model ?? ModelDocument.newFile
    let start = SourcePlace(path: modelPath, line: 1, column: 1)
    do throws(ModelError) {
      let document = try ModelDocument(parsing: text)
      if let issue = document.check().first(where: { $0.severity == .error }) {
        findings = [
          Finding(
            GeneratorRule.model, at: start, issue.message,
            advice: "Run boxjoint check, and mend the file")
        ]
        return
      }
      var synchronizer = ModelSynchronizer(
        document.model, uids: uids, allowsRemovals: allowsRemovals)
      synchronizer.follow(parsing.entities)
      findings = synchronizer.findings
      if !findings.isEmpty { return }
      let result = document.rendered(synchronizer.editor.model)
      guard let string = String(validating: result, as: UTF8.self), !result.contains(13) else {
        findings = [
          Finding(
            GeneratorRule.model, at: start, "The model file is not UTF-8 with lines that end in LF",
            advice: "Convert it, as Swift cannot hold other bytes in a literal")
        ]
        return
      }
      var writer = BindingWriter(target: target, model: synchronizer.editor.model)
      self.model = result
      bindings = writer.text(of: parsing.entities, modelText: string)
    } catch {
      findings = [
        Finding(
          GeneratorRule.model, at: start, error.message,
          advice: "Run boxjoint check, and mend the file")
      ]
    }
  }
}
