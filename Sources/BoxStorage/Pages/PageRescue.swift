/// A copy of the entries on the undamaged pages of a data file.
///
/// LMDB does not see the damaged file: the pages are read by a ``PageWalker``, and the entries are put
/// into another storage. An entry is copied as it is, so its checksum still has to be verified. A page to
/// which two places refer belongs to one of them: it is copied for that whose tree is complete with it, or else
/// for the only one with whose keys it is in order, and for none if that decides nothing. A page that is free
/// too has an earlier content: it is copied only for a tree that is complete with it, if no unreachable page
/// begins as it does. Where a head of the file
/// is damaged, the newest state whose pages are whole is copied.
package struct PageRescue {
  /// The number of entries of one space.
  package struct SpaceCount: Hashable, Sendable {
    /// The number of entries, as the damaged file gives it; nil if that cannot be right, if others were counted
    /// although all were reached, and if the file may have had a later state.
    package var recorded: UInt64?
    /// The number of entries that were copied.
    package var copied: UInt64
    /// Whether entries may be missing, as a part of the space was not reached.
    package var isCut: Bool
    /// Whether keys or members were not in order, so that another page may have had some of them.
    package var isDisordered: Bool
    /// Whether all was reached, in order, but is another number than the file gives, so that a page may have an
    /// earlier content.
    package var isContradicted: Bool
    /// Whether all was reached, in order, and in the number of entries and pages that the file gives.
    package var isWhole: Bool
    /// The kind of the space; nil if no space has its flags, and then nothing was copied.
    package var kind: SpaceKind?
  }

  /// The results of a copy.
  package struct Report: Sendable {
    /// The first problems of the pages.
    package var problems: [PageProblem] = []
    /// The spaces of the damaged file, by name.
    package var spaces: [String: SpaceCount] = [:]
  }

  /// The most problems in a report.
  private static let problemLimit = 100
  /// The number of entries after which the copy is committed, which bounds its memory.
  private static let batch = 100_000

  private let storage: Storage
  private let kinds: [String: SpaceKind?]
  /// The spaces to copy; nil for all.
  private let spaces: [String]?
  private var transaction: StorageTransaction
  private var space: (name: String, space: Space)?
  private var copied: [String: UInt64] = [:]
  private var pending = 0

  /// Copies the entries of the undamaged pages of a data file.
  ///
  /// - Parameters:
  ///   - source: The pages of the file.
  ///   - storage: An empty storage.
  ///   - spaces: The names of the spaces to copy; nil for all. All are counted.
  ///   - progress: Called from time to time with the pages done and their total.
  /// - Returns: The problems, and the number of copied entries.
  /// - Throws: ``StorageError`` if the copy cannot be written, and the errors of reading the file.
  /// - Complexity: O(*n* log *n*) in the number of entries; the file is read twice.
  package static func copy(
    _ source: PageSource, to storage: Storage, only spaces: [String]? = nil,
    progress: @escaping (_ done: UInt64, _ total: UInt64) -> Void
  ) throws -> Report {
    var walker = PageWalker(source)
    walker.problemLimit = problemLimit
    walker.walksToTheEnd = true
    let plain = try walker.walk()
    let head = try SalvagedHead.find(walker, plain)
    walker.source = head.source
    walker.owners = try walker.owners(of: head.report)
    walker.progress = progress
    return try storage.spacesLock.withLock { () throws(any Error) in
      var rescue = try PageRescue(storage, head.report.spaceKinds, spaces)
      defer { rescue.transaction.abort() }
      walker.visit = { name, key, value in try rescue.add(name, key, value) }
      let second = try walker.walk()
      try rescue.transaction.commit()
      return rescue.report(
        plain.problems, second.databases, mayBeOlder: head.mayBeOlder, fileSize: source.size)
    }
  }

  private init(
    _ storage: Storage, _ kinds: [String: SpaceKind?], _ spaces: [String]?
  ) throws(StorageError) {
    self.storage = storage
    self.kinds = kinds
    self.spaces = spaces
    transaction = try storage.beginWrite()
  }

  private func report(
    _ problems: [PageProblem], _ databases: [DatabasePages], mayBeOlder: Bool, fileSize: UInt64
  ) -> Report {
    var report = Report(problems: problems)
    for database in databases {
      guard let name = database.name else { continue }
      // No entry takes less than a node does, and only a damaged record counts more of them.
      let isPossible = database.recordedEntries <= fileSize / UInt64(PageFormat.nodeHeaderSize)
      // A page may have an earlier content, or the record a damaged number.
      let isContradicted =
        !database.isCut && !database.isDisordered && database.recordedEntries != database.entries
      let isKnown = isPossible && !isContradicted && !mayBeOlder
      report.spaces[name] = SpaceCount(
        recorded: isKnown ? database.recordedEntries : nil, copied: copied[name] ?? 0,
        isCut: database.isCut, isDisordered: database.isDisordered, isContradicted: isContradicted,
        isWhole: database.isWhole, kind: kinds[name] ?? nil)
    }
    return report
  }

  private mutating func add(_ name: String?, _ key: RawSpan, _ value: RawSpan) throws {
    guard let name, spaces?.contains(name) ?? true, let kind = kinds[name] ?? nil else { return }
    if space?.name != name {
      guard let opened = try transaction.openSpace(name, kind, create: true) else { return }
      space = (name, opened)
    }
    guard let space = space?.space, try put(key, value, space) else { return }
    copied[name, default: 0] += 1
    pending += 1
    if pending < Self.batch { return }
    pending = 0
    try transaction.commit()
    transaction = try storage.beginWrite()
  }

  /// Puts an entry; returns false for one that the space cannot have, or has already.
  private func put(_ key: RawSpan, _ value: RawSpan, _ space: Space) throws(StorageError) -> Bool {
    let bytes = unsafe key.withUnsafeBytes { unsafe $0 }
    let data = unsafe value.withUnsafeBytes { unsafe $0 }
    switch space.kind {
    case .records, .integerSets: if bytes.count != 8 { return false }
    case .byteSets, .bytes: break
    }
    switch space.kind {
    case .integerSets, .byteSets:
      guard data.count == 8 else { return false }
      return try unsafe transaction.insert(space, bytes, data.integer)
    case .records, .bytes:
      guard try unsafe transaction.value(space, bytes) == nil else { return false }
      try unsafe transaction.put(space, bytes, data, .replace)
      return true
    }
  }
}
