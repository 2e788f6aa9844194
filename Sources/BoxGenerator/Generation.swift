internal import BoxModel
package import BoxReport
internal import BoxSources

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

  /// Whether a file was written by this generator or by another one of bindings.
  package static func isGenerated(_ bytes: [UInt8]) -> Bool {
    if SwiftFile(path: "", bytes: bytes).isGenerated { return true }
    let start = String(decoding: bytes.prefix(400), as: UTF8.self)
    return start.contains("Generated using the ObjectBox Swift Generator")
  }

  /// Whether a rule is violated so that the run fails.
  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// Generates the model file and the bindings of a target; the same input gives the same bytes, unless
  /// the UIDs are random and an element is new.
  ///
  /// - Complexity: O(*n*) in the size of the sources and the model file.
  package init(_ request: GeneratorRequest) {
    let parsing = SourceParsing(request.files, prefix: request.annotationPrefix)
    findings = parsing.findings
    if hasErrors { return }
    guard let document = document(request) else { return }
    var synchronizer = ModelSynchronizer(
      document.model, uids: request.uids, allowsRemovals: request.allowsRemovals,
      prefix: request.annotationPrefix, modelPath: request.modelPath)
    synchronizer.follow(parsing.entities)
    findings += synchronizer.findings
    if hasErrors {
      offer(synchronizer.offers, document)
      return
    }
    write(parsing, document.rendered(synchronizer.model), synchronizer.model, request)
  }

  /// The model file, after all looks at it that stop a run; nil after a finding.
  private mutating func document(_ request: GeneratorRequest) -> ModelDocument? {
    let start = SourcePlace(path: request.modelPath, line: 1, column: 1)
    if let finding = ModelSafety.finding(request) {
      findings.append(finding)
      return nil
    }
    do throws(ModelError) {
      let document = try ModelDocument(parsing: request.model ?? ModelDocument.newFile)
      guard let issue = document.check().first(where: { $0.severity == .error }) else {
        return document
      }
      report(start, issue.message, "Run \"boxjoint check \(request.modelPath)\", and mend the file")
    } catch {
      report(start, error.message, "Run \"boxjoint check \(request.modelPath)\", and mend the file")
    }
    return nil
  }

  /// Keeps the model with the UIDs that the run offers.
  private mutating func offer(_ pool: [UID]?, _ document: ModelDocument) {
    guard let pool,
      findings.allSatisfy({ $0.severity != .error || $0.rule == GeneratorRule.uidRequested })
    else { return }
    var model = document.model
    model.newUIDPool = pool
    self.model = document.rendered(model)
  }

  private mutating func write(
    _ parsing: SourceParsing, _ text: [UInt8], _ model: Model, _ request: GeneratorRequest
  ) {
    guard let string = String(validating: text, as: UTF8.self), !text.contains(13),
      !text.contains(0)
    else {
      report(
        SourcePlace(path: request.modelPath, line: 1, column: 1),
        "The model file is not UTF-8 with lines that end in LF",
        "Convert it, as Swift cannot hold other bytes in a literal")
      return
    }
    self.model = text
    bindings = BindingWriter(request: request, model: model)
      .text(of: parsing.entities, modelText: string)
    catalogue = EnumCatalogue(parsing).text(target: request.target)
  }

  private mutating func report(_ place: SourcePlace, _ message: String, _ advice: String) {
    findings.append(Finding(GeneratorRule.model, at: place, message, advice: advice))
  }
}
