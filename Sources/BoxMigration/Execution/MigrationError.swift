public import BoxModel

/// An error thrown by a migration; the store is as the last finished step left it.
@nonexhaustive public enum MigrationError: Error, Sendable {
  /// A mapping does not fit the two models of a step.
  case invalidMapping(step: String, [MappingProblem])
  /// A step needs a mapping and has none; one sentence for each change that the engine would
  /// refuse.
  case noMapping(step: String, reasons: [String])
  /// A mapping is for two versions that do not follow each other on the route; the names that
  /// exist.
  case unusedMapping(String, versions: [String])
  /// A mapping matches several steps.
  case unclearMapping(steps: [String])
  /// Two mappings are for one step.
  case ambiguousMapping(step: String)
  /// The versions of the models do not form a valid history.
  case history(ModelHistoryError)
  /// More than one step is needed, and the policy allows one.
  case severalSteps([PendingMigration])
  /// A step is heavy, and the policy allows light ones only.
  case heavyStep(PendingMigration)
  /// The model differs from the model of the store, and the policy is to fail.
  case modelDiffers([PendingMigration])
  /// The store has an element that no version of the models has or had; the message names it.
  case newerStore(String)
  /// The store was written to after the migration was prepared.
  case storeChanged
  /// A value does not fit its new property.
  case unfitValue(entity: String, id: UInt64, property: String, Value, reason: String)
  /// An object could not be carried over.
  case object(entity: String, id: UInt64, any Error)
  /// Several objects could not be carried over: the errors of the first, and the number of all.
  case objects([MigrationError], count: Int)
  /// A function makes an object of an entity that its mapping does not name.
  case unknownDestination(String)
  /// A step failed; those before it are done.
  case step(String, any Error)
  /// Hidden data could not be freed; all steps, which are named, are done.
  case purge(after: [PendingMigration], any Error)
}

extension MigrationError {
  /// Whether a mapping is wrong, and not the change or the data.
  package var isAboutMapping: Bool {
    switch self {
    case .invalidMapping, .unusedMapping, .unclearMapping, .ambiguousMapping: true
    default: false
    }
  }
}

extension MigrationError: CustomStringConvertible {
  /// The problem and its remedy, in one sentence without a trailing period.
  public var description: String {
    switch self {
    case .invalidMapping(let step, let problems):
      "the mapping for \(step) does not fit: \(list(problems))"
    case .noMapping(let step, let reasons):
      "\(step) needs a mapping: \(reasons.joined(separator: "; "))"
    case .unusedMapping(let name, let versions):
      "\(name) belongs to no step of this migration; its versions are: "
        + versions.joined(separator: ", ")
    case .unclearMapping(let steps):
      "a mapping can be for any of: \(steps.joined(separator: ", ")); give its from and to"
    case .ambiguousMapping(let step): "there are two mappings for \(step)"
    case .history(let error): error.description
    case .severalSteps(let steps):
      "the store needs \(steps.count) steps, and one is allowed: \(list(steps))"
    case .heavyStep(let step):
      "the store needs a heavy step, and only light ones are allowed: \(step)"
    case .modelDiffers(let steps): "the store has another model: \(list(steps))"
    case .newerStore(let message): "the store is newer than the model: \(message)"
    case .storeChanged:
      "a program wrote to the store after the migration was prepared; prepare it again"
    case .unfitValue(let entity, let id, let property, let value, let reason):
      "\(entity) \(id): the value \(value) of \(property) cannot be carried over: \(reason)"
    case .object(let entity, let id, let error): "\(entity) \(id): \(error)"
    case .objects(let errors, let count):
      "\(count) \(count == 1 ? "object" : "objects") cannot be carried over: \(list(errors))"
        + (count > errors.count ? "; and \(count - errors.count) more" : "")
    case .unknownDestination(let name): "the mapping does not say that objects of \(name) are made"
    case .step(let step, let error): "\(step) failed, and the store is as before it: \(error)"
    case .purge(let steps, let error):
      steps.isEmpty
        ? "freeing hidden data failed: \(error)"
        : "the store has the new model by \(list(steps)), and freeing hidden data failed: \(error)"
    }
  }

  private func list(_ items: [some CustomStringConvertible]) -> String {
    items.map(\.description).joined(separator: "; ")
  }
}

extension MigrationError: Hashable {
  /// Whether two errors say the same; an error that has another one has its text.
  public static func == (a: MigrationError, b: MigrationError) -> Bool {
    a.description == b.description
  }

  /// Adds the text to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
