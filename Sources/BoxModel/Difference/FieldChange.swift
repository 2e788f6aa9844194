/// A part of an element that can change by itself.
public enum Field: Hashable, Sendable {
  /// The number of the element; its identity never changes.
  case id
  case name
  /// The entity that a property or relation belongs to.
  case owner
  case type
  /// One bit of the flags, other than those that say how a property is indexed.
  case flag(UInt32)
  /// The kind of a property's index and the UID of the index: one field, as neither exists without
  /// the other.
  case index
  /// The target of a to-one or to-many relation.
  case target
  case externalName
  case externalType
  case hnswParams
  /// An unknown key.
  case other(String)
}

extension Field {
  /// The name of the field of an element: a bit of flags means another thing in an entity than in a
  /// property.
  public func name(in kind: ElementKind) -> String {
    guard kind == .entity, case .flag(let bit) = self else { return description }
    return "flag \(EntityFlags(rawValue: bit).setNames.joined())"
  }
}

extension Field: CustomStringConvertible {
  /// The name of the field in the file, or a word for it; a flag has the name that it has in a
  /// property (see ``name(in:)``).
  public var description: String {
    switch self {
    case .id: "id"
    case .name: "name"
    case .owner: "entity"
    case .type: "type"
    case .flag(let bit): "flag \(PropertyFlags(rawValue: bit).setNames.joined())"
    case .index: "index"
    case .target: "target"
    case .externalName: "externalName"
    case .externalType: "externalType"
    case .hnswParams: "hnswParams"
    case .other(let key): key
    }
  }
}

/// The value of a field; nil means that the field is missing.
public enum FieldValue: Hashable, Sendable {
  case text(String)
  case number(Int)
  /// Whether a flag is set.
  case isSet(Bool)
  case type(PropertyType)
  /// An entity of the same model.
  case entity(UID)
  /// The kind of a property's index and the UID of the index.
  case index(kind: PropertyFlags, uid: UID?)
  /// JSON text.
  case json(String)
}

/// A change of one field of an element.
public struct FieldChange: Hashable, Sendable {
  /// The field that changed.
  public var field: Field
  /// The value before; nil if there was none.
  public var before: FieldValue?
  /// The value after; nil if there is none.
  public var after: FieldValue?

  /// Creates a change.
  public init(_ field: Field, before: FieldValue?, after: FieldValue?) {
    self.field = field
    self.before = before
    self.after = after
  }
}

/// Collects the fields that differ.
struct FieldChanges {
  var changes: [FieldChange] = []

  mutating func compare(_ field: Field, _ before: FieldValue?, _ after: FieldValue?) {
    if before != after { changes.append(FieldChange(field, before: before, after: after)) }
  }

  mutating func compare(flags before: UInt32, _ after: UInt32) {
    var bits = before ^ after
    while bits != 0 {
      let bit = bits & (~bits + 1)
      bits ^= bit
      compare(.flag(bit), .isSet(before & bit != 0), .isSet(after & bit != 0))
    }
  }

  mutating func compare(_ before: [OtherMember], _ after: [OtherMember]) {
    if before == after { return }
    let old = Set(before.map(\.key))
    let new = Dictionary(after.map { ($0.key, $0.text) }) { first, _ in first }
    for member in before {
      compare(.other(member.key), .json(member.text), new[member.key].map { .json($0) })
    }
    for member in after where !old.contains(member.key) {
      compare(.other(member.key), nil, .json(member.text))
    }
  }
}

extension Entity {
  /// The fields of the entity itself that differ, its properties and relations left aside.
  public func changes(to other: Entity) -> [FieldChange] {
    var found = FieldChanges()
    found.compare(.id, .number(Int(pair.id)), .number(Int(other.pair.id)))
    found.compare(.name, .text(name), .text(other.name))
    found.compare(flags: flags.rawValue, other.flags.rawValue)
    found.compare(
      .externalName, externalName.map { .text($0) }, other.externalName.map { .text($0) })
    found.compare(otherMembers, other.otherMembers)
    return found.changes
  }
}

extension Property {
  /// The kind and the UID of the property's index; nil if the property has no index.
  public var indexValue: FieldValue? {
    let kind = flags.intersection(.indexKind)
    if kind.isEmpty && indexID == nil { return nil }
    return .index(kind: kind, uid: indexID?.uid)
  }

  /// The fields that differ, except the target, as its meaning depends on the model.
  func ownChanges(to other: Property) -> FieldChanges {
    var found = FieldChanges()
    found.compare(.id, .number(Int(pair.id)), .number(Int(other.pair.id)))
    found.compare(.name, .text(name), .text(other.name))
    found.compare(.type, type.map { .type($0) }, other.type.map { .type($0) })
    found.compare(
      flags: flags.subtracting(.indexKind).rawValue, other.flags.subtracting(.indexKind).rawValue)
    found.compare(.index, indexValue, other.indexValue)
    found.compare(
      .externalName, externalName.map { .text($0) }, other.externalName.map { .text($0) })
    found.compare(
      .externalType, externalType.map { .number($0) }, other.externalType.map { .number($0) })
    found.compare(.hnswParams, hnswParams.map { .json($0) }, other.hnswParams.map { .json($0) })
    found.compare(otherMembers, other.otherMembers)
    return found
  }
}

extension Relation {
  private var targetValue: FieldValue? { target.isUnset ? nil : .entity(target.uid) }

  /// The fields that differ; the target is compared by its identity.
  func ownChanges(to other: Relation) -> FieldChanges {
    var found = FieldChanges()
    found.compare(.id, .number(Int(pair.id)), .number(Int(other.pair.id)))
    found.compare(.name, .text(name), .text(other.name))
    found.compare(.target, targetValue, other.targetValue)
    found.compare(
      .externalName, externalName.map { .text($0) }, other.externalName.map { .text($0) })
    found.compare(
      .externalType, externalType.map { .number($0) }, other.externalType.map { .number($0) })
    found.compare(otherMembers, other.otherMembers)
    return found
  }
}
