/// Puts the changes between two models into words.
struct ChangeWords {
  let old: Model
  let new: Model
  private let oldNames: [UID: String]
  private let newNames: [UID: String]

  init(old: Model, new: Model) {
    self.old = old
    self.new = new
    oldNames = Dictionary(old.entities.map { ($0.pair.uid, $0.name) }) { first, _ in first }
    newNames = Dictionary(new.entities.map { ($0.pair.uid, $0.name) }) { first, _ in first }
  }

  func change(
    _ key: ElementKey, _ change: ElementChange?, name: String
  ) -> ModelChanges.Change {
    var result = ModelChanges.Change(
      key: key, name: name, change: change ?? .added, details: [], consequences: [])
    switch result.change {
    case .added: result.consequences = [Self.meaning(ofAdding: key.kind)]
    case .removed(let removal):
      result.details = [Self.words(removal)]
      result.consequences = [Self.meaning(ofRemoving: key.kind)]
    case .changed(let fields):
      result.details = fields.map { words($0, key.kind) }
      result.consequences = fields.flatMap { Self.meaning(of: $0, key.kind) }
    }
    return result
  }

  private static func words(_ removal: Removal) -> String {
    switch removal {
    case .retired: "its UID is retired"
    case .forgotten: "its UID is not retired, so that a generator could give it again"
    case .neverHad: "the new version does not come from one that had it"
    }
  }

  private static func meaning(ofAdding kind: ElementKind) -> String {
    switch kind {
    case .entity: "it has no objects at first"
    case .property: "objects that are stored already have no value for it"
    case .index: "it is built when a database is opened next"
    case .relation: "it is empty at first"
    }
  }

  private static func meaning(ofRemoving kind: ElementKind) -> String {
    switch kind {
    case .entity: "its objects can no longer be reached"
    case .property: "its values can no longer be reached"
    case .index: "conditions on the property are answered by a scan"
    case .relation: "its links can no longer be reached"
    }
  }

  private func words(_ change: FieldChange, _ kind: ElementKind) -> String {
    let name = change.field.name(in: kind)
    let before = change.before.map { text($0, oldNames) }
    let after = change.after.map { text($0, newNames) }
    switch (change.field, before, after) {
    case (.name, let before?, _): return "renamed from \(before)"
    case (.id, let before?, let after?): return "renumbered from \(before) to \(after)"
    case (.owner, let before?, let after?): return "moved from \(before) to \(after)"
    case (.flag, _, _):
      return change.after == .isSet(true) ? "\(name) set" : "\(name) removed"
    case (_, let before, let after):
      return "\(name) changed from \(before ?? "none") to \(after ?? "none")"
    }
  }

  private func text(_ value: FieldValue, _ names: [UID: String]) -> String {
    value.words(entity: { names[$0] ?? "uid \($0)" }) { kind, uid in
      kind.indexWords + (uid.map { " (uid \($0))" } ?? " (without id)")
    }
  }

  private static func meaning(of change: FieldChange, _ kind: ElementKind) -> [String] {
    if case .flag(let bit) = change.field {
      return meaning(ofFlag: bit, isSet: change.after == .isSet(true), kind).map { [$0] } ?? []
    }
    switch change.field.row(in: kind).effect {
    case .unknown: return []
    case .none(let words): return [words]
    case .index(let words): return change.after == nil ? [] : [words]
    // A file that names no type or target says nothing about what is stored.
    case .stores(let outcome):
      return change.before == nil || change.after == nil ? [] : lines(outcome(kind))
    }
  }

  private static func lines(_ outcome: StoreOutcome) -> [String] {
    ["BoxJoint: \(outcome.boxjoint)", "ObjectBox: \(outcome.objectBox)"]
  }

  private static func meaning(
    ofFlag bit: UInt32, isSet: Bool, _ kind: ElementKind
  ) -> String? {
    if kind == .entity {
      return EntityFlags(rawValue: bit) == .syncEnabled
        ? "objects are \(isSet ? "synchronized from now on" : "no longer synchronized")" : nil
    }
    switch PropertyFlags(rawValue: bit) {
    case .unique where isSet: return "objects with equal values prevent opening"
    case .unsigned: return "stored numbers with the highest bit set are read as others"
    case .id: return "another property holds the id of objects"
    default: return nil
    }
  }
}

extension PropertyFlags {
  /// The flags of an index in words.
  package var indexWords: String { isEmpty ? "no flag" : setNames.joined(separator: " ") }
}
