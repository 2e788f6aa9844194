import BoxJSON

/// A change of one field of an element.
package struct FieldChange: Hashable, Sendable {
  /// The field that changed.
  package var field: Field
  /// The value before; nil if there was none.
  package var before: FieldValue?
  /// The value after the change; nil if it was removed.
  package var after: FieldValue?

  /// Creates a change.
  package init(_ field: Field, before: FieldValue?, after: FieldValue?) {
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

  fileprivate mutating func compare(flags before: UInt32, _ after: UInt32) {
    var bits = before ^ after
    while bits != 0 {
      let bit = bits & (~bits + 1)
      bits ^= bit
      compare(.flag(bit), .isSet(before & bit != 0), .isSet(after & bit != 0))
    }
  }

  fileprivate mutating func compare(_ before: PlainValues, _ after: PlainValues) {
    if before == after { return }
    for old in before.members { compare(.plain(old.field), old.value, after[old.field]) }
    for new in after.members where before[new.field] == nil {
      compare(.plain(new.field), nil, new.value)
    }
  }

  fileprivate mutating func compare(_ before: [OtherMember], _ after: [OtherMember]) {
    if before == after { return }
    let old = Set(before.map { ExactText($0.key) })
    let new = Dictionary(after.map { (ExactText($0.key), ExactText($0.text)) }) { first, _ in first
    }
    for member in before {
      let key = ExactText(member.key)
      compare(.other(key), .json(ExactText(member.text)), new[key].map { .json($0) })
    }
    for member in after where !old.contains(ExactText(member.key)) {
      compare(.other(ExactText(member.key)), nil, .json(ExactText(member.text)))
    }
  }
}

extension FieldHolder {
  /// The fields that differ: fields of the table, plain fields, unknown keys.
  ///
  /// Without the target of a property, whose meaning depends on the model, and without the elements
  /// and the counter of an entity.
  func ownChanges(to other: Self) -> FieldChanges {
    var found = FieldChanges()
    for row in FieldTable.default[Self.kind] {
      switch row.form {
      case .id: found.compare(.id, self, other)
      case .name: found.compare(.name, self, other)
      case .type: found.compare(.type, self, other)
      case .flags: found.compare(flags: mergedBits, other.mergedBits)
      case .indexID: found.compare(.index, self, other)
      case .targetID: found.compare(.target, self, other)
      case .relationTarget, .owner, .lastPropertyID, .properties, .relations: break
      case .text, .number, .json: break
      }
    }
    found.compare(plain, other.plain)
    found.compare(otherMembers, other.otherMembers)
    return found
  }
}

extension FieldChanges {
  fileprivate mutating func compare<Element: FieldHolder>(
    _ field: Field, _ before: Element, _ after: Element
  ) {
    compare(field, before.ownValue(of: field), after.ownValue(of: field))
  }
}

extension FieldHolder {
  /// The changes of the element's own fields, without the target of a property.
  package func ownDifferences(from other: Self) -> [FieldChange] { ownChanges(to: other).changes }
}

extension Entity {
  /// The fields of the entity itself that differ, its properties and relations left aside.
  package func changes(to other: Entity) -> [FieldChange] { ownChanges(to: other).changes }
}
