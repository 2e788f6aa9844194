package import BoxJSON

/// A part of an element that can change by itself.
package enum Field: Hashable, Sendable {
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
  /// A field whose value nothing else in the model depends on.
  case plain(ElementField)
  /// An unknown key.
  case other(ExactText)
}

extension Field {
  /// The row of the table.
  package func row(in kind: ElementKind) -> ElementField {
    switch self {
    case .id: .id
    case .name: .name
    case .owner: .owner
    case .type: .type
    case .flag: .flags
    case .index: .indexID
    case .target: kind == .relation ? .targetID : .relationTarget
    case .plain(let field): field
    case .other: .unknown
    }
  }

  /// The key of the field in the file; for the owner, which has none, a word.
  package func key(in kind: ElementKind) -> String {
    if case .other(let key) = self { key.text } else { row(in: kind).key }
  }

  /// The name of the field of an element: a bit of flags means another thing in an entity than in a
  /// property.
  package func name(in kind: ElementKind) -> String {
    guard kind == .entity, case .flag(let bit) = self else { return description }
    return "flag \(EntityFlags(rawValue: bit).setNames.joined())"
  }
}

extension Field: CustomStringConvertible {
  /// The name of the field in the file, or a word for it; a flag has the name that it has in a
  /// property (see ``name(in:)``).
  package var description: String {
    switch self {
    case .flag(let bit): "flag \(PropertyFlags(rawValue: bit).setNames.joined())"
    case .other(let key): key.text
    case .id, .name, .owner, .type, .index, .target, .plain: row(in: .property).word
    }
  }
}

/// The value of a field; nil means that the field is missing.
package enum FieldValue: Hashable, Sendable {
  case text(ExactText)
  case number(Int)
  /// Whether a flag is set.
  case isSet(Bool)
  case type(PropertyType)
  /// An entity of the same model.
  case entity(UID)
  /// The kind of a property's index and the UID of the index.
  case index(kind: PropertyFlags, uid: UID?)
  /// JSON text.
  case json(ExactText)
}

extension FieldValue {
  var text: String? { if case .text(let text) = self { text.text } else { nil } }
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  /// JSON text as the file has it.
  package var jsonText: String? { if case .json(let text) = self { text.text } else { nil } }

  /// The value in words.
  ///
  /// - Parameters:
  ///   - entity: Called with the UID of an entity; returns its name.
  ///   - index: Called with the kind and the UID of an index; returns its description.
  /// - Returns: A few words, without the name of the field.
  package func words(
    entity: (UID) -> String, index: (PropertyFlags, UID?) -> String
  ) -> String {
    switch self {
    case .text(let text): text.text
    case .number(let number): "\(number)"
    case .isSet(let isSet): isSet ? "set" : "not set"
    case .type(let type): "\(type)"
    case .entity(let uid): entity(uid)
    case .index(let kind, let uid): index(kind, uid)
    case .json(let text): ModelTable.oneLine(text.text)
    }
  }

  /// The value of a plain field in words.
  var plainWords: String {
    words(entity: { "uid \($0)" }, index: { kind, _ in kind.indexWords })
  }
}
