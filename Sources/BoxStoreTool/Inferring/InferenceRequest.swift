internal import BoxConvert
package import BoxDump
internal import BoxJSON
package import BoxModel
internal import BoxSystem

/// A model that is inferred from JSON, as a user asks for it.
package struct InferenceRequest: Sendable {
  /// The inputs; `-` for standard input.
  package var paths: [String]
  /// The choices about the model.
  package var options = InferenceOptions()
  /// The new file for the model; nil to write nothing.
  package var output: String?
  /// The new file for a catalogue, if one is needed; nil for `converters.yml` in the directory of the
  /// model.
  package var catalogue: String?
  /// The bytes of the only input, if it can be read once and is read again.
  var kept: KeptInput?
  /// The source of UIDs.
  package var uids: any UIDSource = .random

  /// Creates a request.
  package init(_ paths: [String]) { self.paths = paths }

  /// Reads the inputs, and writes the model and the catalogue.
  ///
  /// - Returns: The report, with the files that were written.
  /// - Throws: ``CommandFailure`` of the kind `usage` if a file to write exists or a choice names what
  ///   the inputs do not have, `impossible` if the values do not allow a choice, `badInput` if an input is
  ///   not valid, `inputOutput` if a file cannot be read or written. Then nothing was written.
  /// - Complexity: O(*n*) in the size of the inputs.
  package func run(in place: Workspace) throws -> InferenceReport {
    if let output {
      try requireNewFile(output)
      try requireOutputs([output] + [catalogue].compactMap { $0 }, notAmong: paths)
    }
    let result = try infer(place)
    return try result.write(to: output, catalogue: catalogue)
  }

  /// Reads the inputs, and writes nothing.
  ///
  /// - Throws: As ``run(in:)``.
  func infer(_ place: Workspace) throws -> InferenceReport {
    let observer = place.observer
    defer { observer.finish() }
    return try onDump(paths.first ?? "-") {
      let inferred = try ModelInference(options).run(paths, kept: kept) { path, done, total in
        if let total { observer.update("reading \(path)", done, of: total, unit: "bytes") }
      }
      return InferenceReport(inferred: inferred, document: try inferred.document(uids: uids))
    }
  }
}

extension InferenceReport {
  /// Writes the model and, if it needs one, the catalogue.
  ///
  /// - Parameters:
  ///   - path: The file of the model; nil to write nothing.
  ///   - catalogue: The file of the catalogue; nil for `converters.yml` in the directory of the model.
  /// - Returns: The report with the files.
  /// - Throws: ``CommandFailure`` of the kind `usage` if a file exists, `inputOutput` if one cannot be
  ///   written; then none is left.
  func write(to path: String?, catalogue: String?) throws(CommandFailure) -> InferenceReport {
    guard let path else { return self }
    var report = self
    let beside = joinPathHere(parentDirectory(of: path), CatalogueFile.name)
    let cataloguePath = catalogue ?? beside
    if let converters = inferred.catalogue {
      do throws(CommandFailure) {
        try requireNewFile(cataloguePath)
      } catch {
        throw CommandFailure(
          error.kind, error.message, path: error.path, remedy: .nameNewCatalogue)
      }
      let node = CatalogueNode(converters)
      let text =
        cataloguePath.hasSuffix(".json") ? converters.text(indent: 2) + "\n" : node.yamlText
      try AtomicFile.write(Array(text.utf8), to: cataloguePath)
      report.cataloguePath = cataloguePath
    }
    do throws(CommandFailure) {
      // The catalogue may have been written to the same file.
      try requireNewFile(path)
      try AtomicFile.write(document.bytes, to: path)
    } catch {
      report.removeFiles()
      throw error
    }
    report.modelPath = path
    return report
  }

  /// Removes the files that were written.
  func removeFiles() {
    for path in [modelPath, cataloguePath].compactMap({ $0 }) { removeFile(path) }
  }
}
