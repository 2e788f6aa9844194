/// An entity that is to be added to a model.
package struct EntityDraft: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The flags of the object type.
  package var flags: EntityFlags = []
  /// The properties in their order, exactly one of which is the id.
  package var properties: [PropertyDraft]
  /// The relations to many objects.
  package var relations: [RelationDraft]
  /// The UID; nil for a fresh one.
  package var uid: UID?

  /// Creates a draft.
  package init(
    _ name: String, properties: [PropertyDraft] = [.id()], relations: [RelationDraft] = [],
    uid: UID? = nil
  ) {
    self.name = name
    self.properties = properties
    self.relations = relations
    self.uid = uid
  }
}

/// A property that is to be added to an entity.
package struct PropertyDraft: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The type.
  package var type: PropertyType
  /// The flags; those that need an index give the property one.
  package var flags: PropertyFlags
  /// The name of the target of a to-one relation.
  package var target: String?
  /// The UID; nil for a fresh one.
  package var uid: UID?

  /// Creates a draft.
  package init(
    _ name: String, _ type: PropertyType, _ flags: PropertyFlags = [], target: String? = nil,
    uid: UID? = nil
  ) {
    self.name = name
    self.type = type
    self.flags = flags
    self.target = target
    self.uid = uid
  }

  /// The id of an entity's objects.
  package static func id(_ name: String = "id", _ flags: PropertyFlags = []) -> PropertyDraft {
    PropertyDraft(name, .long, flags.union(.id))
  }

  /// A relation to one object.
  package static func toOne(_ name: String, _ target: String) -> PropertyDraft {
    PropertyDraft(name, .relation, target: target)
  }
}

/// A relation to many objects that is to be added to an entity.
package struct RelationDraft: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The name of the target entity.
  package var target: String
  /// The UID; nil for a fresh one.
  package var uid: UID?

  /// Creates a draft.
  package init(_ name: String, to target: String, uid: UID? = nil) {
    self.name = name
    self.target = target
    self.uid = uid
  }
}
