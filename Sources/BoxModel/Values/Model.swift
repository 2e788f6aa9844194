public import BoxJSON

/// A member of an object that this library gives no meaning to, kept as it is.
public struct OtherMember: Hashable, Sendable {
  /// The key.
  @ExactText public var key: String
  /// The value as JSON text.
  @ExactText public var text: String

  /// Creates a member from a key and the JSON text of its value.
  public init(key: String, text: String) {
    self.key = key
    self.text = text
  }
}

/// The content of a model file, without its layout.
///
/// Nil means that the key is missing from the file: older generators leave some out.
public struct Model: Hashable, Sendable {
  /// The object types, in the order of the file.
  public var entities: [Entity]
  /// The pair given last to an entity.
  public var lastEntityID: IDPair?
  /// The pair given last to an index of any entity.
  public var lastIndexID: IDPair?
  /// The pair given last to a standalone relation of any entity.
  public var lastRelationID: IDPair?
  /// Reserved; unset in every file that is known.
  public var lastSequenceID: IDPair?
  /// The version of the format.
  public var modelVersion: Int?
  /// The lowest version that a program must know to read the file.
  public var modelVersionParserMinimum: Int?
  /// A number for the application's own use.
  public var version: Int?
  /// UIDs that were offered to the developer and are not used yet.
  public var newUIDPool: [UID]?
  /// UIDs of entities that must not be used again.
  public var retiredEntityUIDs: [UID]?
  /// UIDs of indexes that must not be used again.
  public var retiredIndexUIDs: [UID]?
  /// UIDs of properties that must not be used again.
  public var retiredPropertyUIDs: [UID]?
  /// UIDs of relations that must not be used again.
  public var retiredRelationUIDs: [UID]?
  /// Notes and unknown keys.
  public var otherMembers: [OtherMember]

  /// Creates an empty model of the current version of the format.
  public init() {
    entities = []
    lastEntityID = .unset
    lastIndexID = .unset
    lastRelationID = .unset
    lastSequenceID = .unset
    modelVersion = 5
    modelVersionParserMinimum = 5
    version = 1
    retiredEntityUIDs = []
    retiredIndexUIDs = []
    retiredPropertyUIDs = []
    retiredRelationUIDs = []
    otherMembers = []
  }

  /// Whether the file is one of the generator for Swift, which alone writes this minimum.
  package var isOfSwift: Bool { modelVersionParserMinimum == 4 }

  /// The retired UIDs of a kind; nil if the file does not contain the list.
  public subscript(retired kind: ElementKind) -> [UID]? {
    get {
      switch kind {
      case .entity: retiredEntityUIDs
      case .property: retiredPropertyUIDs
      case .index: retiredIndexUIDs
      case .relation: retiredRelationUIDs
      }
    }
    set {
      switch kind {
      case .entity: retiredEntityUIDs = newValue
      case .property: retiredPropertyUIDs = newValue
      case .index: retiredIndexUIDs = newValue
      case .relation: retiredRelationUIDs = newValue
      }
    }
  }

  /// The last pair of a counter; nil if the file does not contain it.
  public subscript(last counter: Counter) -> IDPair? {
    get {
      switch counter {
      case .entity: lastEntityID
      case .index: lastIndexID
      case .relation: lastRelationID
      case .property(let owner): entities.first { $0.pair.uid == owner }?.lastPropertyID
      }
    }
    set {
      switch counter {
      case .entity: lastEntityID = newValue
      case .index: lastIndexID = newValue
      case .relation: lastRelationID = newValue
      case .property(let owner):
        if let position = entities.firstIndex(where: { $0.pair.uid == owner }) {
          entities[position].lastPropertyID = newValue
        }
      }
    }
  }
}

/// A counter that gives out ids: one for each kind, for properties one in each entity.
public enum Counter: Hashable, Sendable {
  case entity, index, relation
  case property(entity: UID)

  /// The kind of the elements that the counter numbers.
  public var kind: ElementKind {
    switch self {
    case .entity: .entity
    case .index: .index
    case .relation: .relation
    case .property: .property
    }
  }
}
