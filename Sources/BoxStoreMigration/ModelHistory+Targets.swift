public import BoxMigration
internal import BoxModel
public import BoxStore

extension ModelHistory {
  /// Creates a history of the models that a target had in its versions.
  ///
  /// ```swift
  /// let history = try ModelHistory(
  ///   ["1": first, "2": second, "3": .app], chain: ["1": "2", "2": "3"], locks: ["1": firstLock])
  /// ```
  ///
  /// The models of earlier versions are the model files of that time: `StoreModel(json:)`.
  ///
  /// - Parameters:
  ///   - versions: The names of the versions and their models.
  ///   - chain: The way from each to the next; nil for the order of the versions, and an empty one for one
  ///     hop from any to the current one.
  ///   - current: The version that stores are opened with; nil for the last one of the chain.
  ///   - locks: The locks of versions that are released, and must not be edited.
  /// - Throws: ``ModelHistoryError`` that lists all problems, also for a lock of an unknown
  ///   version; `ObjectBoxError.schema` for a model that cannot be read; ``ModelLockError`` for a locked
  ///   version that was edited.
  /// - Complexity: O(*n* log *n*) in the sizes of the models.
  public init(
    _ versions: KeyValuePairs<String, StoreModel>, chain: MigrationChain? = nil,
    current: String? = nil, locks: [String: ModelLock] = [:]
  ) throws {
    try self.init(
      versions.map { (name: $0.key, model: $0.value) }, chain: chain, current: current, locks: locks
    )
  }

  /// Creates a history of the versions that `boxjoint-generate --keep-version` kept, and the current one.
  ///
  /// ```swift
  /// let history = try ModelHistory(StoreModel.appVersions + [("3", .app)])
  /// ```
  ///
  /// - Parameters:
  ///   - versions: The names of the versions and their models.
  ///   - chain: The way from each to the next; nil for the order of the versions, and an empty one for one
  ///     hop from any to the current one.
  ///   - current: The version that stores are opened with; nil for the last one of the chain.
  ///   - locks: The locks of versions that are released, and must not be edited.
  /// - Throws: As ``init(_:chain:current:locks:)-(KeyValuePairs<String,StoreModel>,_,_,_)``.
  /// - Complexity: O(*n* log *n*) in the sizes of the models.
  public init(
    _ versions: [(name: String, model: StoreModel)], chain: MigrationChain? = nil,
    current: String? = nil, locks: [String: ModelLock] = [:]
  ) throws {
    try self.init(
      try versions.map { (name, model) throws -> Version in
        do {
          var version = Version(name, try model.document())
          version.constants = model.constants
          version.declarations = try model.declarations()
          return version
        } catch let error as ObjectBoxError {
          throw ObjectBoxError.schema(message: "version \(name): \(error.message)")
        }
      }, chain: chain, current: current)
    try require(locks)
  }

  /// Requires that versions are as they were locked.
  ///
  /// - Throws: ``ModelHistoryError/unknownVersion(_:)`` for a lock of a version that the history lacks,
  ///   and ``ModelLockError`` for the first version that was edited, in the order of their names.
  /// - Complexity: O(*n* log *n*) in the sizes of the models.
  public func require(_ locks: [String: ModelLock]) throws {
    for (name, lock) in locks.sorted(by: { $0.key < $1.key }) {
      guard let version = version(name) else { throw ModelHistoryError.unknownVersion(name) }
      let differences = lock.differences(in: version.model)
      if differences.isEmpty { continue }
      throw ModelLockError(
        version: name, differences: differences, found: ModelLock(of: version.model))
    }
  }
}

extension ModelLock {
  /// Creates the lock of the model of a target.
  ///
  /// `debugDescription` is the Swift text of a lock, to be pasted into the program that checks it.
  ///
  /// - Throws: `ObjectBoxError.schema` if the model cannot be read.
  /// - Complexity: O(*n* log *n*) in the size of the model.
  public init(of model: StoreModel) throws { self.init(of: try model.document().model) }
}

/// The error of a version that is locked and was edited.
public struct ModelLockError: Error, Hashable, Sendable {
  /// The name of the version.
  public let version: String
  /// The differences between its model and the lock.
  public let differences: [ModelLock.Difference]
  /// The lock of the model as it is now.
  public let found: ModelLock
}

extension ModelLockError: CustomStringConvertible {
  /// The differences and the advice, one sentence without a trailing period.
  public var description: String {
    "version \(version) is locked, and "
      + differences.map(\.description).joined(separator: "; ")
      + "; undo the change and make it in a new version"
  }
}

extension ModelLockError: CustomDebugStringConvertible {
  /// The description, and the lock of the model as it is now, to be pasted where the change is meant.
  public var debugDescription: String { "\(description)\n\(found.debugDescription)" }
}
