package import BoxEngine
package import BoxMigration
internal import BoxModel

/// One of the two sides of a plan as the user named it: a file, `REF:PATH`, or `store:DIR`.
package enum PlanSource {
  /// The side, and the store or the text that it is from.
  package struct Loaded {
    package var side: PlanSide
    package var store: ObjectStore?
    package var bytes: [UInt8] = []
  }

  /// Reads a side.
  ///
  /// The model of a store is the one that it was last opened with.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be read, `badInput` if it
  ///   is not a model.
  package static func load(
    _ argument: String, _ access: StoreAccess, in place: Workspace
  ) async throws -> Loaded {
    let reference = SourceReference(argument)
    if let directory = reference.storeDirectory ?? reference.unnamedStoreDirectory {
      let store = try StoreModel.open(directory, access, place.observer)
      return Loaded(side: PlanSide(store, path: directory), store: store)
    }
    let source = try await reference.read(in: place)
    return Loaded(side: try side(source), bytes: source.bytes)
  }

  /// A model file as a side.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` if it is not a model, or cannot be read
  ///   completely.
  package static func side(_ source: SourceFile) throws(CommandFailure) -> PlanSide {
    let document: ModelDocument
    do {
      document = try ModelDocument(parsing: source.bytes)
    } catch {
      throw CommandFailure(error, path: source.path, source.bytes)
    }
    if let failure = document.incompleteness(path: source.path, rule: nil) { throw failure }
    return PlanSide(document, path: source.path)
  }
}
