import BoxJSON

/// An element whose fields can be read and written by their names.
///
/// A difference compares the values, and a merge writes them, so both know the same fields.
package protocol FieldHolder {
  static var kind: ElementKind { get }
  var plain: PlainValues { get set }
  var otherMembers: [OtherMember] { get set }
  /// The bits of the flags that are fields of their own: not those for the kind of an index.
  var mergedBits: UInt32 { get }
  /// The value of a field of its own, neither plain nor unknown; nil if it does not have the field.
  func ownValue(of field: Field) -> FieldValue?
  /// Writes such a field. A value of the wrong kind, which no difference has, changes nothing.
  mutating func setOwn(_ field: Field, to value: FieldValue?)
}

extension FieldHolder {
  /// The value of a field; nil if the element does not have it.
  ///
  /// - Complexity: O(*n*) in the number of unknown keys for one of those, else O(1).
  package func value(of field: Field) -> FieldValue? {
    switch field {
    case .plain(let field): plain[field]
    case .other(let key):
      otherMembers.first { ExactText($0.key) == key }.map { .json(ExactText($0.text)) }
    case .id, .name, .owner, .type, .flag, .index, .target: ownValue(of: field)
    }
  }

  /// Carries out changes of fields.
  ///
  /// - Complexity: O(*n* + *m*) for *n* changes of an element with *m* unknown keys.
  package mutating func apply(_ changes: [FieldChange]) {
    for change in changes {
      switch change.field {
      case .plain(let field): plain[field] = change.after
      case .other: break
      case .id, .name, .owner, .type, .flag, .index, .target: setOwn(change.field, to: change.after)
      }
    }
    otherMembers.apply(changes)
  }
}

extension Entity: FieldHolder {
  package static var kind: ElementKind { .entity }
  package var mergedBits: UInt32 { flags.rawValue }

  package func ownValue(of field: Field) -> FieldValue? {
    switch field {
    case .id: .number(Int(pair.id))
    case .name: .text(ExactText(name))
    case .flag(let bit): .isSet(flags.rawValue & bit != 0)
    case .type, .index, .target, .owner, .plain, .other: nil
    }
  }

  package mutating func setOwn(_ field: Field, to value: FieldValue?) {
    switch (field, value) {
    case (.name, .text(let name)): self.name = name.text
    case (.flag(let bit), .isSet(let isSet)): flags.set(EntityFlags(rawValue: bit), isSet)
    default: break
    }
  }
}

extension Property: FieldHolder {
  package static var kind: ElementKind { .property }
  package var mergedBits: UInt32 { flags.subtracting(.indexKind).rawValue }

  /// The kind and the UID of the property's index; nil if the property has no index.
  package var indexValue: FieldValue? {
    let kind = flags.intersection(.indexKind)
    if kind.isEmpty && indexID == nil { return nil }
    return .index(kind: kind, uid: indexID?.uid)
  }

  /// Without the target, whose meaning depends on the model.
  package func ownValue(of field: Field) -> FieldValue? {
    switch field {
    case .id: .number(Int(pair.id))
    case .name: .text(ExactText(name))
    case .type: type.map { .type($0) }
    case .flag(let bit): .isSet(flags.rawValue & bit != 0)
    case .index: indexValue
    case .target, .owner, .plain, .other: nil
    }
  }

  package mutating func setOwn(_ field: Field, to value: FieldValue?) {
    switch (field, value) {
    case (.name, .text(let name)): self.name = name.text
    case (.type, .type(let type)): self.type = type
    case (.type, nil): type = nil
    case (.flag(let bit), .isSet(let isSet)): flags.set(PropertyFlags(rawValue: bit), isSet)
    case (.index, let value):
      flags.subtract(.indexKind)
      indexID = nil
      if case .index(let kind, let uid) = value {
        flags.formUnion(kind)
        indexID = uid.map { IDPair(id: 0, uid: $0) }
      }
    default: break
    }
  }
}

extension Relation: FieldHolder {
  package static var kind: ElementKind { .relation }
  package var mergedBits: UInt32 { 0 }

  package func ownValue(of field: Field) -> FieldValue? {
    switch field {
    case .id: .number(Int(pair.id))
    case .name: .text(ExactText(name))
    case .target: target.isUnset ? nil : .entity(target.uid)
    case .type, .flag, .index, .owner, .plain, .other: nil
    }
  }

  package mutating func setOwn(_ field: Field, to value: FieldValue?) {
    switch (field, value) {
    case (.name, .text(let name)): self.name = name.text
    case (.target, .entity(let uid)): target.uid = uid
    case (.target, nil): target = .unset
    default: break
    }
  }
}

extension OptionSet where Element == Self {
  fileprivate mutating func set(_ flag: Self, _ isSet: Bool) {
    if isSet { formUnion(flag) } else { subtract(flag) }
  }
}

extension [OtherMember] {
  /// Carries out the changes of unknown keys, all at once: an object may have very many.
  fileprivate mutating func apply(_ changes: [FieldChange]) {
    var texts: [ExactText: String?] = [:]
    for change in changes {
      if case .other(let key) = change.field {
        texts.updateValue(change.after?.jsonText, forKey: key)
      }
    }
    if texts.isEmpty { return }
    self = compactMap { member in
      guard let text = texts.removeValue(forKey: ExactText(member.key)) else { return member }
      return text.map { OtherMember(key: member.key, text: $0) }
    }
    for change in changes {
      guard case .other(let key) = change.field, let text = texts.removeValue(forKey: key) else {
        continue
      }
      if let text { append(OtherMember(key: key.text, text: text)) }
    }
  }
}
