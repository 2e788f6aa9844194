internal import BoxConvert
internal import BoxDump
internal import BoxReport
internal import BoxStorage
internal import BoxSystem

/// Imports of JSON without a model.
extension ImportRequest {
  /// Infers a model from the input, writes it, and imports with it.
  ///
  /// If the import ends without a store, the files of the model are removed again.
  ///
  /// - Parameters:
  ///   - place: The place that paths refer to.
  ///   - body: Called with the request for the model, and with the model.
  /// - Returns: The result of `body`.
  /// - Throws: ``CommandFailure``, and the errors of `body`.
  func withInferredModel<Result>(
    in place: Workspace, _ body: (ImportRequest, InferenceReport) throws -> Result
  ) throws -> Result {
    let input = try requireOneInput()
    let path = try requireNoStore()
    let kept = try kept(input, in: place)
    var inference = InferenceRequest([input])
    inference.kept = kept
    inference.options = self.inference
    inference.options.entity = options.entity
    inference.options.form = form
    inference.options.maximumErrors = options.maximumErrors
    inference.options.maximumElement = options.maximumElement
    inference.options.decompression = options.decompression
    inference.options.allowsPartialDirectories = allowsPartialDirectories
    var report = try inference.infer(place)
    if !options.isDryRun {
      try requireOutputs([path] + [catalogue?.path].compactMap { $0 }, notAmong: [input])
      report = try report.write(to: path, catalogue: catalogue?.path)
    }
    var request = self
    request.kept = kept
    request.catalogue = nil
    request.options.entity = report.inferred.entities.first?.name
    request.model = path
    request.inferredModel = report.document
    do {
      return try body(request, report)
    } catch {
      if !StoreFiles(store).hasData { report.removeFiles() }
      throw error
    }
  }

  /// The file to infer the model from.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if there are several.
  private func requireOneInput() throws(CommandFailure) -> String {
    let files = try PathPattern.expand(paths)
    guard files.count == 1, let file = files.first else {
      let names = files.count > 5 ? "FILES" : shellOperands(files)
      throw CommandFailure(
        .usage,
        "a model is inferred from one file, and there are \(files.count); make one of all with "
          + "`boxjoint model infer --entity NAME --output MODEL \(names)`, and import with it")
    }
    return file
  }

  /// The bytes of an input that can be read only once, such as a pipe.
  ///
  /// - Throws: `DumpError` if it cannot be read, or copied.
  func kept(_ input: String, in place: Workspace) throws(DumpError) -> KeptInput? {
    let attributes = input == "-" ? nil : (try? fileAttributes(at: input)) ?? nil
    if input != "-" {
      guard let attributes, !attributes.isRegularFile, !attributes.isDirectory else { return nil }
    }
    return try KeptInput(input, in: place.variable("TMPDIR") ?? "/tmp")
  }

  /// The file to write the model to: the one that is named, or `model-NAME.json` beside a store NAME.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if the store or the file exists.
  private func requireNoStore() throws(CommandFailure) -> String {
    if StoreFiles(store).hasData {
      throw CommandFailure(
        .usage, "the store exists, and has a model", path: store, remedy: .importWithoutInference)
    }
    let directory = store.hasSuffix("/") ? String(store.dropLast()) : store
    let model =
      model
      ?? joinPathHere(parentDirectory(of: directory), "model-\(lastComponent(of: directory)).json")
    do throws(CommandFailure) {
      try requireNewFile(model)
    } catch {
      throw CommandFailure(error.kind, error.message, path: error.path, remedy: .nameNewModel)
    }
    return model
  }
}

extension InferenceReport {
  /// The catalogue; an empty one if none is needed.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration`.
  func catalogue() throws(CommandFailure) -> Catalogue {
    guard let json = inferred.catalogue else { return .empty }
    do throws(CatalogueError) {
      return try Catalogue(json)
    } catch {
      throw CommandFailure(.badConfiguration, error.message, path: cataloguePath)
    }
  }
}
