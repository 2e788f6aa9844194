internal import BoxEngine
internal import BoxJSON
internal import BoxMigration
internal import BoxModel
internal import BoxStorage

/// One of the two sides of a plan as the user named it: a file, `REF:PATH`, or `store:DIR`.
enum PlanSource {
  /// The side, and the store or the text that it is from.
  struct Loaded {
    var side: PlanSide
    var store: ObjectStore?
    var bytes: [UInt8] = []
  }

  /// Reads a side.
  ///
  /// The model of a store is the one that it was last opened with.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be read, 65 if it is not a model.
  static func load(_ argument: String, _ trust: StoreTrust) async throws -> Loaded {
    if let directory = StoreReference.directory(argument) {
      let store = try open(directory, trust)
      return Loaded(side: PlanSide(store, path: directory), store: store)
    }
    if case .file = SourceReference(argument),
      let attributes = (try? fileAttributes(at: argument)) ?? nil, attributes.isDirectory
    {
      throw CommandFailure(
        .inputOutput, "this is a folder, not a file; \(StoreReference.hint(argument))",
        path: argument)
    }
    let source = try await SourceReference(argument).read()
    return Loaded(side: try side(source), bytes: source.bytes)
  }

  private static func open(_ directory: String, _ trust: StoreTrust) throws -> ObjectStore {
    try requireStoreInWorkTree(directory)
    let bar = Progress(.auto)
    defer { bar.finish() }
    return try onStore(directory) {
      let opened = try ObjectStore.open(
        .directory(directory), options: trust.options(isReadOnly: true, bar))
      tellWarnings(opened.warnings, of: directory)
      return opened
    }
  }

  /// A model file as a side.
  ///
  /// - Throws: ``CommandFailure`` with status 65 if it is not a model, or cannot be read
  ///   completely.
  static func side(_ source: SourceFile) throws(CommandFailure) -> PlanSide {
    let document: ModelDocument
    do {
      document = try ModelDocument(parsing: source.bytes)
    } catch {
      throw CommandFailure(.badInput, error.message, path: source.path, position: error.position)
    }
    if let failure = document.incompleteness(path: source.path, rule: nil) { throw failure }
    return PlanSide(document, path: source.path)
  }
}
