internal import BoxConvert
internal import BoxJSON
package import BoxModel
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
  package var bindings: String? { bindingBytes.map { String(decoding: $0, as: UTF8.self) } }
  /// The text of the generated Swift file, as UTF-8.
  package private(set) var bindingBytes: [UInt8]?
  /// The catalogue of the enums of converted properties, as YAML; nil if it must not be written.
  ///
  /// Without such an enum the catalogue is not written, unless it existed before: then it is written without
  /// properties.
  package private(set) var catalogue: String?
  /// The lock of the catalogue, as JSON; nil if it must not be written.
  package private(set) var lock: String?
  /// The file of rules for removals, as JSON; nil if it must not be written.
  ///
  /// Without a rule it is not written, unless there was one before: then it is written without a rule.
  package private(set) var rules: [UInt8]?
  /// The version of the model that the run leaves, for stores of a release; nil without bindings.
  ///
  /// Raw values of enums are numbers and texts in it, as the cases can change later.
  package private(set) var version: KeptVersions.Version?
  /// The number of entities of the model; 0 without one.
  package private(set) var entityCount = 0
  /// The names of the entities that the model had before the run, and does not have after it.
  package private(set) var removedEntities: [String] = []
  /// The names of all elements that the run retires, but for indexes and the members of entities.
  package private(set) var retired: [String] = []
  /// The properties that get another type under their UIDs.
  package private(set) var conversions: [TypeDifference] = []
  /// The elements that annotations begin without their data, each with its name.
  package private(set) var resets: [(element: String, fix: RenameFix)] = []
  /// Whether a run of the same sources, on the files that this run writes, has findings.
  ///
  /// A warning about a change, such as a new property, appears once: the files of the run have the change.
  package private(set) var hasLastingFindings = false

  /// Whether a file was written by this generator or by another one of bindings.
  package static func isGenerated(_ bytes: [UInt8]) -> Bool {
    let file = SwiftFile(path: "", bytes: bytes)
    return file.isGenerated || file.isOfObjectBox
  }

  /// Whether a rule is violated so that the run fails.
  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// Generates the model file and the bindings of a target; the same input gives the same bytes, unless
  /// the UIDs are random and an element is new.
  ///
  /// - Complexity: O(*n*) in the size of the sources and the model file.
  package init(_ request: GeneratorRequest) async {
    let parsing = await SourceParsing(
      request.files, request.declarations, prefix: request.annotationPrefix,
      target: request.target, parts: request.parts)
    findings = parsing.findings
    if request.visibility == .internal, let entity = parsing.entities.first(where: \.isPublic) {
      add(
        Finding(
          GeneratorRule.internalBindings, at: entity.place,
          "The entity \"\(entity.typeName)\" is public, and its bindings are internal, so that they"
            + " do not compile",
          advice: "Pass --visibility public"))
    }
    hasLastingFindings = !findings.isEmpty
    if hasErrors { return }
    var past = PastReader(request)
    let names = parsing.entities.map(\.name)
    guard let document = await document(request, names, &past) else { return }
    findings += ModelSafety.leftBindings(request, names)
    if hasErrors { return }
    var start = document.model
    ObjectBoxForm.takeTypes(&start, from: parsing.entities)
    await revive(&start, parsing.entities, &past)
    // Another branch may have taken what is on offer in a commit.
    let shared = start.newUIDPool?.isEmpty ?? true ? [] : await past.models().offers
    var synchronizer = ModelSynchronizer(
      start, uids: request.uids, allowsRemovals: request.allowsRemovals,
      prefix: request.annotationPrefix, modelPath: request.modelPath, sharedOffers: shared)
    let entities = ObjectBoxForm.entities(parsing.entities, in: start)
    synchronizer.follow(entities)
    findings += synchronizer.findings
    if hasErrors {
      offer(synchronizer.offers, document)
      return
    }
    let offered = await findLost(synchronizer.model, start, parsing.entities, &past, request)
    if hasErrors {
      offer((document.model.newUIDPool ?? []) + offered, document)
      return
    }
    retired = synchronizer.model.elementsLost(from: document.model).map(\.name)
    conversions = synchronizer.model.typeDifferences(since: document.model)
    let count = findings.count
    guard
      let catalogue = enums(
        entities, parsing.enums, document.model, synchronizer.model, request)
    else { return }
    await write(parsing, document, synchronizer.model, request)
    if model == nil || catalogue.bindings.isEmpty && request.catalogue == nil { return }
    self.catalogue =
      "# Generated by boxjoint-generate from the enums of \(request.target). Do not edit.\n"
      + catalogue.node.yaml
    let lock = ConverterLock(catalogue)
    self.lock = lock.text
    if findings.count > count {
      let next = EnumCatalogue(
        entities, parsing.enums, locked: lock, allowsRenumbering: request.allowsRenumbering)
      hasLastingFindings = hasLastingFindings || !next.findings.isEmpty
    }
  }

  /// The catalogue of the stored enums, compared with the lock; nil after an error.
  private mutating func enums(
    _ entities: [SourceEntity], _ found: [String: StoredEnum], _ old: Model, _ new: Model,
    _ request: GeneratorRequest
  ) -> Catalogue? {
    var locked: ConverterLock?
    do throws(CatalogueError) {
      locked = try request.lock.map { (text) throws(CatalogueError) in
        try ConverterLock(parsing: text)
      }
    } catch {
      findings.append(
        Finding(
          GeneratorRule.lock,
          at: SourcePlace(
            path: request.lockPath, line: error.position?.line ?? 1,
            column: error.position?.column ?? 1), error.message,
          advice:
            "Take the lock of the last commit, or either side of a conflict; the run adds what is new"
        ))
      return nil
    }
    let enums = EnumCatalogue(
      entities, found, locked: locked?.followed(from: old, to: new),
      allowsRenumbering: request.allowsRenumbering)
    findings += enums.findings
    if locked == nil, !request.allowsRenumbering, enums.catalogue?.bindings.isEmpty == false,
      let earlier = request.earlierLock
    {
      let path = request.lockPath
      findings.append(
        Finding(
          GeneratorRule.lock, at: SourcePlace(path: path, line: 1, column: 1),
          "The lock of the enums is missing, and \(earlier.place)",
          advice: earlier.advice + "; to number the cases again, add --allow-renumbering"))
      return nil
    }
    return enums.catalogue
  }

  /// The model file, after all looks at it that stop a run; nil after a finding.
  ///
  /// - Parameters:
  ///   - request: The run.
  ///   - names: The names of the entities of the sources.
  ///   - past: The earlier versions of the model file.
  /// - Returns: The model file.
  private mutating func document(
    _ request: GeneratorRequest, _ names: [String], _ past: inout PastReader
  ) async -> ModelDocument? {
    let start = SourcePlace(path: request.modelPath, line: 1, column: 1)
    if let finding = ModelSafety.finding(request, names),
      await !isCommitted(finding, request, &past)
    {
      findings.append(finding)
      return nil
    }
    do throws(ModelError) {
      let document = try ModelDocument(parsing: request.model ?? ModelDocument.newFile)
      guard let issue = document.check().first(where: { $0.severity == .error }) else {
        return document
      }
      let isNewer = issue.rule == ModelRule.versionTooNew
      report(
        start, issue.message.prefix(1).uppercased() + issue.message.dropFirst(),
        isNewer
          ? "Use a newer version of boxjoint-generate"
          : "Run \"boxjoint check \(shellOperand(request.modelPath))\", and correct the file")
    } catch {
      report(
        start, error.message,
        "Run \"boxjoint check \(shellOperand(request.modelPath))\", and correct the file")
    }
    return nil
  }

  /// Keeps the model with the UIDs that the run offers.
  private mutating func offer(_ pool: [UID]?, _ document: ModelDocument) {
    guard let pool,
      findings.allSatisfy({
        $0.severity != .error || $0.rule == GeneratorRule.uidRequested
          || $0.rule == GeneratorRule.lostElement || $0.rule == GeneratorRule.typeChanged
      })
    else { return }
    var model = document.model
    model.newUIDPool = pool
    self.model = document.rendered(model)
    entityCount = model.entities.count
  }

  private mutating func write(
    _ parsing: SourceParsing, _ document: ModelDocument, _ model: Model,
    _ request: GeneratorRequest
  ) async {
    let text = document.rendered(model)
    guard SwiftFile(path: "", bytes: text).isUTF8, !text.contains(13), !text.contains(0) else {
      report(
        SourcePlace(path: request.modelPath, line: 1, column: 1),
        "The model file is not UTF-8 with lines that end in LF",
        "Convert it, as Swift cannot hold other bytes in a literal")
      return
    }
    self.model = text
    entityCount = model.entities.count
    let kept = Set(model.entities.map(\.pair.uid))
    removedEntities = document.model.entities.filter { !kept.contains($0.pair.uid) }.map(\.name)
    let declarations = BoundSchema(parsing.entities, model).declarations
    if !declarations.isEmpty || request.rules != nil { rules = declarations.text }
    bindingBytes = await BindingWriter(request: request, model: model, rules: rules)
      .bytes(of: parsing.entities, modelText: text)
    let schema = BoundSchema(parsing.entities.map { $0.withRawConstants(parsing.enums) }, model)
    version = KeptVersions.Version(
      name: "", model: text, constants: SourceConstants(schema.constants))
  }

  /// Adds a finding.
  mutating func add(_ finding: Finding) { findings.append(finding) }

  /// Notes an element that an annotation begins without its data.
  mutating func addReset(_ reset: RenameFix, in model: Model) {
    guard let place = ModelLookup(model)[reset.new.kind, reset.new.uid] else { return }
    resets.append((model.label(place), reset))
  }

  private mutating func report(_ place: SourcePlace, _ message: String, _ advice: String) {
    findings.append(Finding(GeneratorRule.model, at: place, message, advice: advice))
  }
}
