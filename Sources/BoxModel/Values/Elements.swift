public import BoxJSON

/// An object type.
public struct Entity: Hashable, Sendable {
  /// Its number in the model, and its identity.
  public var pair: IDPair
  /// The name in the database; names are compared without regard to case.
  @ExactText public var name: String
  /// The pair given last to a property of this entity.
  public var lastPropertyID: IDPair?
  /// The flags of the object type, such as whether its objects are synchronized.
  public var flags: EntityFlags
  /// The values of fields that nothing else in the model depends on, such as ``externalName``.
  package var plain = PlainValues()
  /// The properties, in the order of the file.
  public var properties: [Property]
  /// The standalone to-many relations; nil where the file has no such key.
  public var relations: [Relation]?
  /// Unknown keys.
  public var otherMembers: [OtherMember]

  /// Creates an entity without properties.
  public init(pair: IDPair, name: String) {
    self.pair = pair
    self.name = name
    lastPropertyID = .unset
    flags = []
    properties = []
    relations = []
    otherMembers = []
  }
}

/// A property of an entity; a to-one relation is one too.
public struct Property: Hashable, Sendable {
  /// Its number in the entity, and its identity.
  public var pair: IDPair
  /// The name in the database.
  @ExactText public var name: String
  /// The type; nil if the file does not contain it.
  public var type: PropertyType?
  /// The flags of the property, such as the flags of its index.
  public var flags: PropertyFlags
  /// The number and the identity of the property's index.
  public var indexID: IDPair?
  /// For a to-one relation, the name of the target entity.
  public var relationTarget: String? {
    get { exactTarget?.text }
    set { exactTarget = newValue.map { ExactText($0) } }
  }
  private var exactTarget: ExactText?
  /// The values of fields that nothing else in the model depends on, such as ``externalName``.
  package var plain = PlainValues()
  /// Unknown keys.
  public var otherMembers: [OtherMember]

  /// Creates a property.
  public init(pair: IDPair, name: String, type: PropertyType?, flags: PropertyFlags = []) {
    self.pair = pair
    self.name = name
    self.type = type
    self.flags = flags
    otherMembers = []
  }
}

/// A standalone to-many relation.
public struct Relation: Hashable, Sendable {
  /// Its number in the model, and its identity.
  public var pair: IDPair
  /// The name in the database.
  @ExactText public var name: String
  /// The pair of the target entity; ``IDPair/unset`` if the file does not contain it, as in files
  /// of 2018 to 2020.
  public var target: IDPair
  /// The values of fields that nothing else in the model depends on, such as ``externalName``.
  package var plain = PlainValues()
  /// Unknown keys.
  public var otherMembers: [OtherMember]

  /// Creates a relation.
  public init(pair: IDPair, name: String, target: IDPair) {
    self.pair = pair
    self.name = name
    self.target = target
    otherMembers = []
  }
}

/// The form in which names are compared: generators ignore case.
///
/// The rest is compared by its bytes, so a composed `é` and an `e` with an accent are two names.
///
/// - Complexity: O(*n*) in the length of the name.
public func foldedName(_ name: String) -> ExactText { ExactText(name.lowercased()) }
