internal import BoxEngine

/// The policy for a store whose data file is damaged.
public enum DamagePolicy: Hashable, Sendable {
  /// Throws, as the initializer of `Store` does; nothing is checked before.
  case fail
  /// Sets the damaged file aside, and opens an empty store.
  case setAside
  /// Sets the damaged file aside, and opens a new store with the undamaged data.
  case salvage
}

/// The checks that find damage before a store is opened.
public enum DamageChecks: Hashable, Sendable {
  /// The pages of the data file and the description of the model: the time to read the file once.
  case pages
  /// Also every object, index and relation.
  case everything
}

/// The data that a store lost, as its data file was damaged.
///
/// The damaged file is kept, and nothing removes it.
public struct StoreLoss: Hashable, Sendable {
  /// The objects of an entity, or the entries of a relation to many.
  public struct Part: Hashable, Sendable {
    /// The name of the entity, or `Entity.relation`.
    public let name: String
    /// The number of those that the new store has.
    public let kept: Int
    /// The number of those that the new store lacks; nil if it is not known.
    public let lost: Int?
    /// The number of objects of the new store that an index contradicted; 0 for a relation.
    ///
    /// They can be earlier versions, or have been removed before.
    public let doubtful: Int
  }

  /// The first damage that was found, in words; one sentence without a trailing period.
  public let damage: String
  /// The path of the damaged file.
  public let file: String
  /// Whether the damaged file could be read so far that its entities are known.
  ///
  /// If not, nothing of it is in the new store.
  public let isReadable: Bool
  /// The entities, also those that the model lacks.
  public let entities: [Part]
  /// The relations to many, also those that the model lacks.
  public let relations: [Part]
  /// The names of the entities whose last id was lost: new objects can get ids of objects that were removed.
  public let lostLastIDs: [String]
  /// The transactions that data sync had not sent, which are lost as it was switched off; nil if none are.
  public let unsent: Part?

  /// Whether all objects, entries and last ids are in the new store, and none is doubtful.
  public var isEmpty: Bool {
    isReadable && lostLastIDs.isEmpty && unsent == nil
      && (entities + relations).allSatisfy { $0.lost == 0 && $0.doubtful == 0 }
  }

  init(_ report: RepairReport) {
    func parts(_ parts: [RepairReport.Part]?) -> [Part] {
      (parts ?? []).map {
        Part(name: $0.name, kept: $0.kept, lost: $0.lost, doubtful: $0.doubtful)
      }
    }
    damage = report.damage
    file = report.file ?? ""
    isReadable = report.contents != nil
    entities = parts(report.contents?.entities)
    relations = parts(report.contents?.relations)
    lostLastIDs = report.contents?.lostLastIDs ?? []
    unsent = parts(report.contents?.unsent.map { [$0] }).first
  }
}

extension StoreLoss.Part: CustomStringConvertible {
  /// The numbers and the name, such as `Note: 2 lost, 40 kept, 1 of them doubtful`.
  public var description: String {
    "\(name): \(lost.map { "\($0)" } ?? "an unknown number") lost, \(kept) kept"
      + (doubtful == 0 ? "" : ", \(doubtful) of them doubtful")
  }
}

extension StoreLoss: CustomStringConvertible {
  /// The damage, the parts that lost something, and the path of the damaged file; for logs.
  public var description: String {
    var lost = (entities + relations).filter { $0.lost != 0 || $0.doubtful != 0 }
      .map(\.description)
    lost += [unsent].compactMap { $0?.description }
    lost += lostLastIDs.map { "\($0): the last id lost" }
    let what =
      !isReadable
      ? "nothing could be read"
      : lost.isEmpty ? "nothing was lost" : lost.joined(separator: "; ")
    return "\(damage); \(what); the damaged file is \(file)"
  }
}
