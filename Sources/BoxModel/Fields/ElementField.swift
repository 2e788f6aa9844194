/// A key of a model's elements, and everything that the code knows about it: a row of the
/// ``FieldTable``.
///
/// A class, since each value of a plain field refers to its row.
package final class ElementField: Sendable {
  /// The form of a value, and whether other code depends on it.
  package enum Form: Hashable, Sendable {
    /// A member of the element, with code of its own: each `switch` over the forms names it.
    case id, name, lastPropertyID, type, flags, indexID, relationTarget, targetID, owner
    case properties, relations
    /// A plain value: nothing else in the model depends on it, and no code names its field.
    case text, number, json
  }

  /// The merge of a field that both sides changed.
  package enum Merging: Hashable, Sendable {
    /// The value of the side that changed it; a conflict if both changed it differently.
    case byValue
    /// The same for each bit.
    case byBit
    /// The same for each member of an object; any other value as a whole.
    case byMember
    /// By the rules for numbers, for the entity that an element belongs to, or for lists.
    case byOwnRules
  }

  /// The effect of a change on stored data.
  package enum Effect: Sendable {
    /// Nothing is known.
    case unknown
    /// Stored data does not depend on the field: a clause without a period.
    case none(String)
    /// An index depends on the field, if there still is one.
    case index(String)
    /// Stored data depends on the field: the outcome in both kinds of stores.
    case stores(@Sendable (ElementKind) -> StoreOutcome)
  }

  /// The key in the file.
  package let key: String
  /// The kinds of elements that have the field.
  package let kinds: [ElementKind]
  /// The form of the value.
  package let form: Form
  /// The name of the field in messages and differences.
  package let word: String
  /// The name of the field as a heading.
  package let heading: String
  /// The way in which it is merged.
  package let merging: Merging
  /// The effect of a change on stored data.
  package let effect: Effect
  /// The name of the rule of a plan for a change of the field, by the kind of the element; empty
  /// where the plan has several rules for it.
  package let planned: [ElementKind: String]

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - key: The key in the file.
  ///   - kinds: The kinds of elements that have the field.
  ///   - form: The form of the value.
  ///   - word: The name in messages; nil for the key.
  ///   - heading: The name as a heading; nil for the name in messages.
  ///   - merging: The way in which it is merged.
  ///   - effect: The effect of a change on stored data.
  ///   - planned: The name of the rule of a plan for a change; nil if there are several.
  ///   - plannedForEntities: The same for entities; nil if it is the same rule.
  package init(
    _ key: String, of kinds: [ElementKind], _ form: Form, word: String? = nil,
    heading: String? = nil, merging: Merging = .byValue, effect: Effect = .unknown,
    planned: String? = nil, plannedForEntities: String? = nil
  ) {
    self.key = key
    self.kinds = kinds
    self.form = form
    self.word = word ?? key
    self.heading = heading ?? word ?? key
    self.merging = merging
    self.effect = effect
    var rules: [ElementKind: String] = [:]
    for kind in kinds { rules[kind] = kind == .entity ? plannedForEntities ?? planned : planned }
    self.planned = rules
  }

  /// Whether nothing else in the model depends on the value.
  package var isPlain: Bool {
    switch form {
    case .text, .number, .json: true
    case .id, .name, .lastPropertyID, .type, .flags, .indexID, .relationTarget, .targetID, .owner,
      .properties, .relations:
      false
    }
  }
}

extension ElementField: Hashable {
  /// Whether both are rows for the same key.
  package static func == (a: ElementField, b: ElementField) -> Bool { a === b || a.key == b.key }

  /// Adds the key to a hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
