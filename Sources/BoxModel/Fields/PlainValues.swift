import BoxJSON

/// The values of an element's plain fields.
///
/// They are in the order of their keys, so that equal values are equal lists.
package struct PlainValues: Hashable, Sendable {
  /// A value and its field.
  package struct Member: Hashable, Sendable {
    package var field: ElementField
    package var value: FieldValue
  }

  /// The values, in the order of their keys.
  package private(set) var members: [Member] = []

  /// Creates an empty list.
  package init() {}

  /// The value of a field; nil if the element does not have it.
  ///
  /// - Complexity: O(*n*) in the number of values.
  package subscript(field: ElementField) -> FieldValue? {
    get { members.first { $0.field == field }?.value }
    set {
      let position = members.firstIndex { $0.field.key >= field.key } ?? members.count
      if position < members.count, members[position].field == field {
        members.remove(at: position)
      }
      if let newValue { members.insert(Member(field: field, value: newValue), at: position) }
    }
  }
}

extension Entity {
  /// The name in an external system.
  package var externalName: String? {
    get { plain[.externalName]?.text }
    set { plain[.externalName] = newValue.map { .text(ExactText($0)) } }
  }
}

extension Property {
  /// The name in an external system.
  package var externalName: String? {
    get { plain[.externalName]?.text }
    set { plain[.externalName] = newValue.map { .text(ExactText($0)) } }
  }

  /// The type in an external system.
  package var externalType: Int? {
    get { plain[.externalType]?.number }
    set { plain[.externalType] = newValue.map { .number($0) } }
  }

  /// The parameters of a vector index as JSON text.
  package var hnswParams: String? {
    get { plain[.hnswParams]?.jsonText }
    set { plain[.hnswParams] = newValue.map { .json(ExactText($0)) } }
  }
}

extension Relation {
  /// The name in an external system.
  package var externalName: String? {
    get { plain[.externalName]?.text }
    set { plain[.externalName] = newValue.map { .text(ExactText($0)) } }
  }

  /// The type in an external system.
  package var externalType: Int? {
    get { plain[.externalType]?.number }
    set { plain[.externalType] = newValue.map { .number($0) } }
  }
}
