import BoxJSON
public import BoxModel

/// Fingerprints of the entities of a model: a released version that is edited no longer has them.
///
/// A fingerprint covers everything that databases depend on: UIDs, types, flags, indexes and
/// targets. It does not cover names, ids and the layout of the file.
public struct ModelLock: Hashable, Sendable {
  /// The fingerprint of an entity.
  public struct Entry: Hashable, Sendable {
    /// The UID of the entity.
    public var uid: UID
    /// Its name, for those who read it.
    public var name: String
    /// 64 hexadecimal digits.
    public var fingerprint: String

    /// Creates an entry.
    public init(uid: UID, name: String, fingerprint: String) {
      self.uid = uid
      self.name = name
      self.fingerprint = fingerprint
    }
  }

  /// The entries, by UID.
  public var entries: [Entry]

  /// Creates a lock of entries.
  public init(_ entries: [Entry]) { self.entries = entries.sorted { $0.uid < $1.uid } }

  /// Creates the lock of a model.
  ///
  /// - Complexity: O(*n* log *n*) in the number of elements.
  public init(of model: Model) {
    let lookup = ModelLookup(model)
    self.init(
      model.entities.map { entity in
        Entry(
          uid: entity.pair.uid, name: entity.name,
          fingerprint: Self.fingerprint(entity, model, lookup))
      })
  }

  private static func fingerprint(
    _ entity: Entity, _ model: Model, _ lookup: ModelLookup
  ) -> String {
    var hash = ContentHash()
    hash.combine("\(entity.pair.uid) \(entity.flags.rawValue)")
    for property in entity.properties.sorted(by: { $0.pair.uid < $1.pair.uid }) {
      let target =
        switch model.target(of: property, lookup) {
        case .entity(let uid)?: "\(uid)"
        case .text(let name)?: name.text
        default: ""
        }
      hash.combine(
        "\(property.pair.uid) \(property.type?.rawValue ?? 0) \(property.flags.rawValue) "
          + "\(property.indexID?.uid ?? 0) \(target)")
    }
    for relation in (entity.relations ?? []).sorted(by: { $0.pair.uid < $1.pair.uid }) {
      hash.combine("relation \(relation.pair.uid) \(relation.target.uid)")
    }
    return hash.hexadecimal(bytes: 32)
  }

  /// A difference between a model and the lock.
  @nonexhaustive public enum Difference: Hashable, Sendable {
    /// The model does not have an entity of the lock.
    case missing(Entry)
    /// The model has an entity that the lock does not have.
    case extra(Entry)
    /// An entity differs from the lock.
    case changed(Entry)
  }

  /// The differences between a model and the lock.
  ///
  /// - Complexity: O(*n* log *n*) in the number of elements.
  public func differences(in model: Model) -> [Difference] {
    let found = ModelLock(of: model).entries
    let known = Dictionary(entries.map { ($0.uid, $0) }) { first, _ in first }
    let there = Set(found.map(\.uid))
    return entries.filter { !there.contains($0.uid) }.map { .missing($0) }
      + found.compactMap { entry in
        guard let locked = known[entry.uid] else { return .extra(entry) }
        return locked.fingerprint == entry.fingerprint ? nil : .changed(entry)
      }
  }
}

extension ModelLock.Difference: CustomStringConvertible {
  /// The difference, in a few words.
  public var description: String {
    switch self {
    case .missing(let entry): "the entity \(entry.name) (uid \(entry.uid)) was removed"
    case .extra(let entry): "the entity \(entry.name) (uid \(entry.uid)) was added"
    case .changed(let entry): "the entity \(entry.name) (uid \(entry.uid)) was edited"
    }
  }
}

extension ModelLock: CustomDebugStringConvertible {
  /// The Swift text of the lock, to be pasted into the program that checks it.
  public var debugDescription: String {
    if entries.isEmpty { return "ModelLock([])" }
    let lines = entries.map { entry in
      "  .init(uid: \(entry.uid), name: \(String(reflecting: entry.name)),\n"
        + "    fingerprint: \(String(reflecting: entry.fingerprint))),\n"
    }
    return "ModelLock([\n\(lines.joined())])"
  }
}
