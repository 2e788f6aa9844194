package import BoxEngine
internal import BoxStorage

extension Store {
  /// A store that was opened, and the data that it lost before.
  public struct Opening: Sendable {
    /// The store.
    public let store: Store
    /// The loss; nil if the data file was not damaged.
    public let loss: StoreLoss?
  }

  /// Opens a store, or creates it, also if its data file is damaged.
  ///
  /// ```swift
  /// let opening = try Store.open(directory: "notes", model: .notes, ifDamaged: .salvage)
  /// let store = opening.store
  /// if let loss = opening.loss { print("lost:", loss) }
  /// ```
  ///
  /// A damaged data file gets a name in the directory `damaged` of the store: the time and a number. It is
  /// never changed or removed. With ``DamagePolicy/salvage``, a new file has the objects, byte for byte, and the
  /// links that are not damaged. It keeps the rules, the initial values, and the last ids as far as undamaged
  /// pages have them: ``StoreLoss/lostLastIDs`` names the entities of which one was lost, and the id of a lost object
  /// can be given again if nothing undamaged has it. Where one of the first two pages is damaged, the new store can
  /// have the state before the last transaction, and ``StoreLoss/Part/lost`` is nil. An undamaged page that is an
  /// older copy of itself, or one of other data, is found by the numbers in the file and by the indexes alone: see
  /// ``StoreLoss/Part/doubtful``. The new file is complete, verified and synced before the damaged one is moved, and
  /// a crash at any moment leaves both of them, or the damaged one alone.
  ///
  /// Damage is:
  ///
  /// - a damaged page of the file, also one that is missing because the file is cut off
  /// - a file that is not a store
  /// - a description of the model in the store that cannot be read, or that is older than the data
  /// - with ``DamageChecks/everything``, a damaged object, a wrong entry of an index or of a relation, and all
  ///   else that `boxjoint store verify` finds; with ``DamageChecks/pages`` only if opening fails because of it,
  ///   as where an index is built from damaged objects
  ///
  /// Everything else is thrown unchanged, and no file is moved: a model that does not fit the data, a newer
  /// format, a file of another version of LMDB or of another kind of machine, the size limit, a full disk, readers
  /// and locks, permissions, a link or a directory as the file, an error of the device, and a
  /// program that writes meanwhile. No room for the copy is a full disk. In the directory of no store, and in
  /// memory, nothing can be damaged.
  ///
  /// - Parameters:
  ///   - directory: The directory, which is created if it does not exist; or `memory:` and a name.
  ///   - model: The model of the entity types.
  ///   - policy: The policy for a damaged store.
  ///   - checks: The checks that find damage; none are made to fail.
  ///   - maxDbSizeInKByte: The limit of the data file's size, in KiB; lower values than 1024 count as 1024.
  ///   - fileMode: The permissions of new files.
  ///   - maxReaders: The number of read transactions that can be open at once, in all processes; 0 for
  ///     126.
  ///   - hears: The commits that observers hear of.
  /// - Returns: The store, and the loss if its data file was damaged.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if a damaged store is open in another process,
  ///   ``ObjectBoxError/dbFull(message:)`` without room for the copy, and as
  ///   ``init(model:directory:maxDbSizeInKByte:fileMode:maxReaders:readOnly:hears:)``.
  /// - Complexity: O(*n*) in the size of the file; for a damaged one O(*n* log *n*), and room for two copies
  ///   of its data.
  public static func open(
    directory: String = "objectbox", model: StoreModel, ifDamaged policy: DamagePolicy,
    checks: DamageChecks = .pages, maxDbSizeInKByte: UInt64 = 1024 * 1024,
    fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0, hears: HeardCommits = .thisProcess
  ) throws -> Opening {
    let options = Self.options(
      maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode, maxReaders: maxReaders)
    return try repairing(directory, policy, checks, options) {
      try Store(
        model: model, directory: directory, maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode,
        maxReaders: maxReaders, hears: hears)
    }
  }

  /// Opens a store by a function, after a repair if its data file is damaged.
  ///
  /// - Parameters:
  ///   - directory: The directory, or `memory:` and a name.
  ///   - policy: The policy for a damaged store.
  ///   - checks: The checks that find damage.
  ///   - options: Sizes, limits and permissions.
  ///   - open: Opens the store; called again after a repair if it fails because of damage.
  ///   - cause: Returns the error that made `open` fail; by default the error itself.
  /// - Returns: The store and its loss.
  /// - Throws: The errors of the repair, and of `open`.
  package static func repairing(
    _ directory: String, _ policy: DamagePolicy, _ checks: DamageChecks, _ options: StoreOptions,
    _ open: () throws -> Store, cause: (any Error) -> any Error = { $0 }
  ) throws -> Opening {
    if directory.utf8.contains(0) { throw nulInPath }
    let location = StorageLocation(directory: directory)
    guard policy != .fail, case .directory = location else {
      return Opening(store: try open(), loss: nil)
    }
    if StoreRegistry.core(at: location) != nil { throw openAlready(directory) }
    var repair = StoreRepair(directory, options: options.storage)
    repair.checks = checks == .everything ? .everything : .pages
    repair.replacement = policy == .salvage ? .salvage : .empty
    let loss = try Self.loss(of: repair)
    do {
      return Opening(store: try open(), loss: loss)
    } catch {
      // Opening and migrations read objects that the checks of pages do not look at.
      guard loss == nil, checks != .everything, mayBeDamage(cause(error)) else { throw error }
      repair.checks = .everything
      guard let found = try Self.loss(of: repair) else { throw error }
      return Opening(store: try open(), loss: found)
    }
  }

  private static func loss(of repair: StoreRepair) throws -> StoreLoss? {
    try ObjectBoxError.wrapping { try repair.run() }.map { StoreLoss($0) }
  }

  /// Whether damage can be the cause of an error.
  private static func mayBeDamage(_ error: any Error) -> Bool {
    switch error {
    case ObjectBoxError.fileCorrupt, ObjectBoxError.filePagesCorrupt: true
    case let error as StoreError: error.mayBeDamage
    default: false
    }
  }
}

extension Store.Opening: CustomDebugStringConvertible {
  /// The store, and the loss if there is one.
  public var debugDescription: String {
    "Opening(\(store.debugDescription)\(loss.map { ", \($0)" } ?? ""))"
  }
}
