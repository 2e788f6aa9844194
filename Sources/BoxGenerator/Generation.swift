package import BoxModel
package import BoxReport

/// The result of one run over the sources of a target.
package struct Generation: Sendable {
  /// The violations of rules; after an error there are no bindings.
  package private(set) var findings: [Finding] = []
  /// The text of the model file after the run; nil if it must not be written.
  ///
  /// A run that was asked for a UID fails with an error and has a model: that with the UID on offer.
  package private(set) var model: [UInt8]?
  /// The text of the generated Swift file; nil if it must not be written.
  package private(set) var bindings: String?
  /// The catalogue of the enums of converted properties, as YAML; nil if there is none.
  package private(set) var catalogue: String?

  /// Whether a rule is violated so that the run fails.
  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// Generates the model file and the bindings of a target; the same input gives the same bytes, unless
  /// the UIDs are random and an element is new.
  ///
  /// - Complexity: O(*n*) in the size of the sources and the model file.
  package init(_ request: GeneratorRequest) {
    let (files, model, modelPath) = (request.files, request.model, request.modelPath)
    let (target, uids, allowsRemovals) = (request.target, request.uids, request.allowsRemovals)
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
