internal import BoxConvert
package import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxSQLite
internal import BoxStorage

/// An export of a store, as a user asks for it.
package struct ExportRequest {
  /// The directory of the store.
  package var store: String
  /// The file or the directory to write; nil for ``stream``.
  package var output: String?
  /// The receiver of a dump without an ``output``.
  package var stream: (any DumpOutput)?
  /// The extent and the form of the dump, without its converters.
  ///
  /// A table of a store or a selection with one entity is one file, unless the shape is a directory; for
  /// several entities the shape is a directory in any case.
  package var options = ExportOptions()
  /// The catalogue of converters; nil to write values as they are stored.
  package var catalogue: CatalogueChoice? = CatalogueChoice()
  /// The way to open the store.
  package var access = StoreAccess()

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - store: The directory of the store.
  ///   - output: The file or the directory to write; nil for ``stream``.
  package init(_ store: String, to output: String? = nil) {
    self.store = store
    self.output = output
  }

  /// Writes the dump; a directory of one that fails is removed again.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if the output is an input or in the store,
  ///   `impossible` if the directory of the dump is not empty or a converter does not fit, and as
  ///   ``onStore(_:_:)``. `StoreError` and `DumpError` if the store cannot be read or the dump cannot
  ///   be written.
  /// - Complexity: O(*n*) in the size of the exported data.
  package func run(in place: Workspace) throws -> ExportReport {
    do {
      return try onDump(store) { try export(in: place) }
    } catch var failure as CommandFailure where failure.remedy == .dump(.correctCondition) {
      failure.quoted = options.condition
      throw failure
    }
  }

  private func export(in place: Workspace) throws -> ExportReport {
    try requireStoreInWorkTree(store)
    if let output {
      try requireOutside(output, ofStore: store)
      try requireOutputs(
        [output], notAmong: [catalogue?.path, catalogue?.configurationPath].compactMap { $0 })
    }
    let observer = place.observer
    defer { observer.finish() }
    let (opened, rescue) = try open(observer)
    defer { opened.close() }
    observer.warn(opened.warnings, of: store)
    let options = try options(for: opened.model, place)
    let exporter = try DumpExporter(opened, options)
    for warning in exporter.warnings {
      observer.receive(Notice(.warning, "boxjoint: warning: \(warning)"))
    }
    let totals = try write(exporter, options, observer)
    return ExportReport(
      store: store, output: output, totals: totals, lostPages: rescue.map(LostPages.init))
  }

  private func write(
    _ exporter: DumpExporter, _ options: ExportOptions, _ observer: any WorkObserver
  ) throws -> DumpTotals {
    func check(_ done: Int, _ total: Int) {
      observer.update("checking entries", done, of: total, unit: "entries")
    }
    func report(_ progress: ExportProgress) {
      observer.update(
        "exporting \(progress.name)", progress.done, of: progress.total, unit: "objects")
    }
    if options.database != nil {
      guard let output else { throw DatabaseFile.needsFile(store) }
      return try DatabaseFile.write(output) { database in
        try exporter.export(to: database, checking: check, progress: report)
      }
    }
    let destination = try destination(options)
    let directory = destination as? DirectoryDestination
    do {
      let totals = try exporter.export(to: destination, checking: check, progress: report)
      try directory?.complete()
      return totals
    } catch {
      directory?.remove()
      throw error
    }
  }

  /// Opens the store; with ``ExportOptions/salvages``, if its pages are damaged, a copy of the data on
  /// the others.
  private func open(
    _ observer: any WorkObserver
  ) throws(StoreError) -> (ObjectStore, StoreRescue?) {
    var access = access
    // What is salvaged is never read through LMDB unchecked.
    if options.salvages { access.isTrusted = false }
    let opening = access.options(isReadOnly: true, observer)
    do throws(StoreError) {
      return (try ObjectStore.open(.directory(store), options: opening), nil)
    } catch {
      guard options.salvages, case .storage(let cause) = error, cause.kind == .damaged else {
        throw error
      }
    }
    let rescue = try StoreRescue(store, options: opening) { done, total in
      observer.update("reading undamaged pages", done, of: total, unit: "pages")
    }
    return (rescue.store, rescue)
  }

  private func options(for model: Model, _ place: Workspace) throws -> ExportOptions {
    var options = options
    if options.table != nil, options.shape != .directory {
      let count = options.entities.map { Set($0).count } ?? model.entities.count
      if count != 1 && output != nil { options.shape = .directory }
    }
    if options.shape == .directory, options.table != nil, let output,
      ExportEnding.isTable(output)
    {
      throw CommandFailure(
        .usage, "the tables of several entities are a directory, and the name belongs to a file",
        path: output, remedy: .dump(.nameDirectory))
    }
    options.converters = try catalogue?.load(fitting: model, in: place).map(ExportConverters.init)
    return options
  }

  private func destination(
    _ options: ExportOptions
  ) throws(CommandFailure) -> any DumpOutput {
    guard let output else {
      guard let stream else {
        throw CommandFailure(.usage, "an export needs an output", path: store)
      }
      return stream
    }
    return options.shape == .directory ? try DirectoryDestination(output) : FileDestination(output)
  }
}
