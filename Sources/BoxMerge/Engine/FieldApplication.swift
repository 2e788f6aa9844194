import BoxModel

/// Carries out changes of fields. A value of the wrong kind for a field cannot come from a
/// difference, and changes nothing.
///
/// - Complexity: O(*n* + *m*) for *n* changes of an element with *m* unknown keys.
extension Entity {
  mutating func apply(_ changes: [FieldChange]) {
    for change in changes { apply(change) }
    otherMembers.apply(changes)
  }

  private mutating func apply(_ change: FieldChange) {
    switch (change.field, change.after) {
    case (.name, .text(let name)): self.name = name
    case (.flag(let bit), .isSet(let isSet)):
      flags.set(EntityFlags(rawValue: bit), isSet)
    case (.externalName, let value): externalName = value?.text
    default: break
    }
  }
}

extension MergedProperty {
  mutating func apply(_ changes: [FieldChange]) {
    for change in changes { apply(change) }
    value.otherMembers.apply(changes)
  }

  private mutating func apply(_ change: FieldChange) {
    switch (change.field, change.after) {
    case (.target, let target):
      self.target = target
      // The name is filled in once the names of the result are known.
      value.relationTarget = target == nil ? nil : ""
    default: value.apply(change)
    }
  }
}

extension Property {
  fileprivate mutating func apply(_ change: FieldChange) {
    switch (change.field, change.after) {
    case (.name, .text(let name)): self.name = name
    case (.type, let value):
      if case .type(let type) = value { self.type = type } else { type = nil }
    case (.flag(let bit), .isSet(let isSet)):
      flags.set(PropertyFlags(rawValue: bit), isSet)
    case (.index, let value):
      flags.subtract(.indexKind)
      indexID = nil
      if case .index(let kind, let uid) = value {
        flags.formUnion(kind)
        indexID = uid.map { IDPair(id: 0, uid: $0) }
      }
    case (.externalName, let value): externalName = value?.text
    case (.externalType, let value): externalType = value?.number
    case (.hnswParams, let value): hnswParams = value?.jsonText
    default: break
    }
  }
}

extension Relation {
  mutating func apply(_ changes: [FieldChange]) {
    for change in changes { apply(change) }
    otherMembers.apply(changes)
  }

  private mutating func apply(_ change: FieldChange) {
    switch (change.field, change.after) {
    case (.name, .text(let name)): self.name = name
    case (.target, .entity(let uid)): target.uid = uid
    case (.externalName, let value): externalName = value?.text
    case (.externalType, let value): externalType = value?.number
    default: break
    }
  }
}

extension FieldValue {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var number: Int? { if case .number(let number) = self { number } else { nil } }
  fileprivate var jsonText: String? { if case .json(let text) = self { text } else { nil } }
}

extension OptionSet where Element == Self {
  fileprivate mutating func set(_ flag: Self, _ isSet: Bool) {
    if isSet { formUnion(flag) } else { subtract(flag) }
  }
}

extension [OtherMember] {
  /// Carries out the changes of unknown keys, all at once: an object may have very many.
  fileprivate mutating func apply(_ changes: [FieldChange]) {
    var texts: [String: String?] = [:]
    for change in changes {
      if case .other(let key) = change.field {
        texts.updateValue(change.after?.jsonText, forKey: key)
      }
    }
    if texts.isEmpty { return }
    self = compactMap { member in
      guard let text = texts.removeValue(forKey: member.key) else { return member }
      return text.map { OtherMember(key: member.key, text: $0) }
    }
    for change in changes {
      guard case .other(let key) = change.field, let text = texts.removeValue(forKey: key) else {
        continue
      }
      if let text { append(OtherMember(key: key, text: text)) }
    }
  }
}
