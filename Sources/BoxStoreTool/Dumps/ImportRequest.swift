internal import BoxConvert
package import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// An import into a store, as a user asks for it.
package struct ImportRequest {
  /// The directory of the store.
  package var store: String
  /// The files and directories to import, and patterns of them; `-` alone for standard input.
  package var paths: [String]
  /// The form of files that are not a dump.
  package var form = InputForm()
  /// Whether directories of parts may be incomplete.
  package var allowsPartialDirectories = false
  /// The model file to open or create the store with; nil for the model of the store or the dump.
  package var model: String?
  /// The rules about removals that the store takes over with ``model``.
  package var rules = RulesChoice()
  /// The treatment of objects, without the converters of input that is not a dump.
  package var options = ImportOptions()
  /// The catalogue of converters for input that is not a dump; nil to read values as they are.
  package var catalogue: CatalogueChoice? = CatalogueChoice()
  /// Whether the model is inferred from the input, and written to ``model``, a new file.
  package var infersModel = false
  /// The choices about a model that is inferred; the import gives the entity, the form and the limits.
  package var inference = InferenceOptions()
  /// The bytes of an input that can be read once, and of which a model is inferred.
  var kept: KeptInput?
  /// The model that was inferred, while it is imported with.
  var inferredModel: ModelDocument?
  /// The new file for rejected elements; nil for none.
  package var rejects: String?
  /// The way to open the store.
  package var access = StoreAccess()
  /// The consent to what the import overwrites.
  package var consent = Consent()
  /// Asks a person about what the import overwrites; nil where there is no terminal to ask on.
  package var ask: ((Loss) throws -> Void)?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - paths: The files and directories to import, and patterns of them; `-` alone for standard
  ///     input.
  ///   - store: The directory of the store.
  package init(_ paths: String..., into store: String) {
    self.paths = paths
    self.store = store
  }

  /// Imports the input.
  ///
  /// - Parameters:
  ///   - place: The place that paths refer to.
  ///   - check: Called with whether the input is a dump, before the store is opened.
  ///   - inferred: Called with an inferred model and its files, before anything is imported.
  ///   - lost: Called at most once with what the import overwrites, where that was found.
  ///   - report: Called with each rejected element.
  /// - Returns: The summary of the import.
  /// - Throws: ``CommandFailure`` of the kind `usage` if the rejects are an input or in the store, or if
  ///   a model is to be inferred and the store or its file exists, `inputOutput` for a pattern without
  ///   files, `badInput` for an invalid model, `badConfiguration` for an invalid catalogue, `impossible` for a
  ///   converter that does not fit; `ImportIssue`, `DumpError` and `StoreError` as
  ///   `ImportSession.run` throws them; and the error of `check`.
  /// - Complexity: O(*n*) in the size of the input.
  package func run(
    in place: Workspace, check: (_ isDump: Bool) throws -> Void = { _ in },
    inferred: (InferenceReport) throws -> Void = { _ in },
    lost: (Loss) -> Void = { _ in }, report: (ImportIssue) -> Void
  ) throws -> ImportSummary {
    try onDump(store) {
      guard infersModel else {
        return try agreed(in: place).carryOut(in: place, check: check, lost: lost, report: report)
      }
      if consent.isChecked { try consent.require(.none) }
      return try withInferredModel(in: place) { request, inference in
        try inferred(inference)
        var summary = try request.carryOut(
          in: place, check: check, inferredCatalogue: try inference.catalogue(), report: report)
        // Of the columns the inference has spoken.
        let known = inference.inferred.entities.flatMap(\.notes).compactMap { note in
          note.place.map { "\(note.message) (\($0))" }
        }
        summary.notes.removeAll(where: known.contains)
        return summary
      }
    }
  }

  func carryOut(
    in place: Workspace, check: (_ isDump: Bool) throws -> Void,
    inferredCatalogue: Catalogue? = nil, lost: (Loss) -> Void = { _ in },
    report: (ImportIssue) -> Void
  ) throws -> ImportSummary {
    try requireStoreInWorkTree(store)
    let observer = place.observer
    defer { observer.finish() }
    var options = options
    let found = examine(&options)
    let input = try DumpInput(
      paths: PathPattern.expand(paths), form: form,
      allowsPartialDirectories: allowsPartialDirectories,
      maximumElement: options.maximumElement, decompression: options.decompression, kept: kept)
    try check(input.header != nil)
    var file: CatalogueFile?
    if let catalogue, input.header == nil {
      file = try CatalogueFile.load(
        catalogue.path, configuration: catalogue.configurationPath, in: place)
    }
    if let file { options.catalogue = file.catalogue }
    if let inferredCatalogue { options.catalogue = inferredCatalogue }
    var settings = access.options(isReadOnly: false, observer)
    if let model { settings.modelPath = model }
    let document = try modelDocument()
    settings.declarations = try declarations(for: document, observer)
    let session = try ImportSession(
      input, into: store, model: document, options: options, store: settings)
    if !options.isDryRun { observer.warn(session.warnings, of: store) }
    if let rejects { try requireOther(rejects, than: input) }
    try file?.requireFit(for: session.model, isNamed: catalogue?.path != nil, observer)
    let summary: ImportSummary
    do {
      summary = try run(session, input, report, observer)
    } catch {
      found.file?.discard { try look(in: place) { try $0.status().lastTransaction } }
      throw error
    }
    if let loss = found.value { lost(loss) }
    return summary
  }

  private func run(
    _ session: ImportSession, _ input: DumpInput, _ report: (ImportIssue) -> Void,
    _ observer: any WorkObserver
  ) throws -> ImportSummary {
    try session.run(
      rejects: rejects.map { RejectsFile(path: $0, for: input) },
      report: { issue in
        observer.finish()
        report(issue)
      },
      progress: { done, total in
        if let total { observer.update("importing", done, of: total, unit: "bytes") }
      },
      indexing: { index, done, total in
        observer.update("index \(index)", done, of: total, unit: "steps")
      })
  }

  /// The rules that the store gets; nil to leave its own, or the rules of the dump for a new store.
  private func declarations(
    for document: ModelDocument?, _ observer: any WorkObserver
  ) throws(CommandFailure) -> Declarations? {
    if let document, let model {
      return try rules.declarations(of: document.model, model, observer)
    }
    return rules.isNone ? Declarations() : nil
  }

  private func modelDocument() throws(CommandFailure) -> ModelDocument? {
    if let inferredModel { return inferredModel }
    guard let model else { return nil }
    let bytes = try SourceFile.read(model).bytes
    do throws(ModelError) {
      return try ModelDocument(parsing: bytes)
    } catch {
      throw CommandFailure(error, path: model, bytes)
    }
  }

  /// Throws if a file of rejects would be an input, or a part of the store.
  private func requireOther(_ rejects: String, than input: DumpInput) throws(CommandFailure) {
    let files = [rejects, RejectsFile.reasonsPath(rejects)]
    for file in files {
      try WriteTarget.resolve(file)
      try requireOutside(file, ofStore: store)
    }
    try requireOutputs(
      files,
      notAmong: input.paths
        + [model, catalogue?.path, catalogue?.configurationPath].compactMap { $0 })
  }
}
