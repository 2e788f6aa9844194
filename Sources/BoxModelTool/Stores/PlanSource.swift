internal import BoxEngine
package import BoxMigration
internal import BoxModel

/// One of the two sides of a plan as the user named it: a file, `REF:PATH`, or `store:DIR`.
package enum PlanSource {
  /// The side, and the store or the text that it is from.
  package struct Loaded {
    package var side: PlanSide
    package var bytes: [UInt8] = []
    private var store: ObjectStore?

    init(side: PlanSide, bytes: [UInt8] = []) {
      self.side = side
      self.bytes = bytes
    }

    fileprivate init(_ store: ObjectStore, path: String) {
      side = PlanSide(store, path: path)
      self.store = store
    }

    /// Whether the side is from a store.
    var isStore: Bool { store != nil }

    /// Refuses a store with damaged relations: of damaged data no plan is right, and no count.
    ///
    /// - Throws: ``CommandFailure``, as ``onStore(_:_:)`` does.
    func requireWholeRelations() throws {
      guard let store else { return }
      try onStore(side.path) { try store.requireWholeRelations() }
    }

    /// Reads the rules about removals of a side that is not a store, which has its own.
    ///
    /// - Throws: ``CommandFailure`` of the kind `badInput` if the file is not valid or does not fit the model,
    ///   `inputOutput` if it cannot be read.
    mutating func readRules(
      _ rules: RulesChoice, _ argument: String, in place: Workspace, warns: Bool
    ) async throws(CommandFailure) {
      if isStore, rules == RulesChoice() { return }
      side.declarations = try await rules.declarations(
        of: side.model, SourceReference(argument), place, warns: warns)
    }

    /// A plan from this side, with the numbers of objects if it is a store.
    ///
    /// - Throws: ``CommandFailure``, as ``onStore(_:_:)`` does.
    func counted(_ plan: MigrationPlan) throws -> MigrationPlan {
      guard let store else { return plan }
      var plan = plan
      try onStore(side.path) { try plan.count(in: store) }
      return plan
    }
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
      let store = try StoredModel.open(directory, access, place.observer)
      return Loaded(store, path: directory)
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
