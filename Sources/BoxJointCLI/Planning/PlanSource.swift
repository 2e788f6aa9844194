internal import BoxEngine
internal import BoxJSON
internal import BoxMigration
internal import BoxModel
internal import BoxStorage

/// One of the two sides of a plan as the user named it: a file, `REF:PATH`, or a store.
enum PlanSource {
  /// The side, and the store or the text that it is from.
  struct Loaded {
    var side: PlanSide
    var store: ObjectStore?
    var bytes: [UInt8] = []
  }

  /// Reads a side.
  ///
  /// A folder with a store in it stands for the model that it was last opened with.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be read, 65 if it is no model.
  static func load(_ argument: String) async throws -> Loaded {
    if let attributes = (try? fileAttributes(at: argument)) ?? nil, attributes.isDirectory {
      let store = try onStore(argument) {
        var options = StoreOptions()
        options.storage.isReadOnly = true
        let opened = try ObjectStore.open(.directory(argument), options: options)
        tellWarnings(opened.warnings, of: argument)
        return opened
      }
      return Loaded(side: PlanSide(store, path: argument), store: store)
    }
    let source = try await SourceReference(argument).read()
    return Loaded(side: try side(source), bytes: source.bytes)
  }

  /// A model file as a side.
  ///
  /// - Throws: ``CommandFailure`` with status 65 if it is no model, or not all of it can be read.
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
