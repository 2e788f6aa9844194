public import BoxModel
internal import BoxReport

/// A small model file, laid out as most generators do it.
public struct SmallModel: Sendable {
  /// A property, by default a string.
  public struct Property: Sendable {
    /// The number.
    public var id: Int
    /// The UID.
    public var uid: Int
    /// The name.
    public var name: String
    /// The number of the type.
    public var type: Int
    /// The number and the UID of an index.
    public var index: (id: Int, uid: Int)?

    /// Creates a property.
    public init(
      id: Int, uid: Int, name: String, type: Int = 9, index: (id: Int, uid: Int)? = nil
    ) {
      self.id = id
      self.uid = uid
      self.name = name
      self.type = type
      self.index = index
    }
  }

  /// An entity.
  public struct Entity: Sendable {
    /// The number.
    public var id: Int
    /// The UID.
    public var uid: Int
    /// The name.
    public var name: String
    /// The properties after the first, which is the id property.
    public var properties: [Property]
    /// The last id of a property; nil for that of the last property.
    public var lastProperty: (id: Int, uid: Int)?

    /// Creates an entity.
    public init(
      id: Int, uid: Int, name: String, properties: [Property] = [],
      lastProperty: (id: Int, uid: Int)? = nil
    ) {
      self.id = id
      self.uid = uid
      self.name = name
      self.properties = properties
      self.lastProperty = lastProperty
    }
  }

  /// The entities.
  public var entities: [Entity]
  /// The last id of an entity; nil for that of the last entity.
  public var lastEntity: (id: Int, uid: Int)?
  /// The last id of an index.
  public var lastIndex = (id: 0, uid: 0)
  /// The retired UIDs of entities.
  public var retiredEntities: [Int] = []
  /// The retired UIDs of properties.
  public var retiredProperties: [Int] = []

  /// Creates a model of entities.
  public init(_ entities: [Entity]) { self.entities = entities }

  /// Note with a text, what every branch of the tests starts from.
  public static let base = SmallModel([note()])

  /// The entity Note, with more properties.
  public static func note(name: String = "Note", adding properties: [Property] = []) -> Entity {
    Entity(
      id: 1, uid: 1000, name: name,
      properties: [Property(id: 2, uid: 1002, name: "text")] + properties)
  }

  /// The base with an entity, a property of Note and an index on it, all with the next free ids.
  public static func grown(_ name: String, uid: Int) -> SmallModel {
    let index = (id: 1, uid: uid + 20)
    var model = SmallModel([
      note(adding: [
        Property(id: 3, uid: uid + 10, name: "of" + name, index: index)
      ]), Entity(id: 2, uid: uid, name: name),
    ])
    model.lastIndex = index
    return model
  }

  /// The base with an entity.
  public static func with(_ name: String, id: Int = 2, uid: Int) -> SmallModel {
    SmallModel([note(), Entity(id: id, uid: uid, name: name)])
  }

  /// The text of the file.
  public var text: String {
    let last = lastEntity ?? entities.last.map { ($0.id, $0.uid) } ?? (0, 0)
    return """
      {
        "_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
        "_note2": "ObjectBox manages crucial IDs for your object model. See docs for details.",
        "_note3": "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs.",
        "entities": [
      \(entities.map(text).joined(separator: ",\n"))
        ],
        "lastEntityId": "\(last.id):\(last.uid)",
        "lastIndexId": "\(lastIndex.id):\(lastIndex.uid)",
        "lastRelationId": "0:0",
        "lastSequenceId": "0:0",
        "modelVersion": 5,
        "modelVersionParserMinimum": 5,
        "retiredEntityUids": \(list(retiredEntities)),
        "retiredIndexUids": [],
        "retiredPropertyUids": \(list(retiredProperties)),
        "retiredRelationUids": [],
        "version": 1
      }
      """
  }

  private func list(_ uids: [Int]) -> String {
    if uids.isEmpty { return "[]" }
    return "[\n" + uids.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]"
  }

  private func text(_ entity: Entity) -> String {
    let properties =
      [Property(id: 1, uid: entity.uid + 1, name: "id", type: 6)] + entity.properties
    let last = entity.lastProperty ?? properties.last.map { ($0.id, $0.uid) } ?? (0, 0)
    return """
          {
            "id": "\(entity.id):\(entity.uid)",
            "lastPropertyId": "\(last.id):\(last.uid)",
            "name": "\(entity.name)",
            "properties": [
      \(properties.map(text).joined(separator: ",\n"))
            ],
            "relations": []
          }
      """
  }

  private func text(_ property: Property) -> String {
    var lines = [
      #""id": "\#(property.id):\#(property.uid)""#, #""name": "\#(property.name)""#,
    ]
    if let index = property.index { lines.append(#""indexId": "\#(index.id):\#(index.uid)""#) }
    lines.append(#""type": \#(property.type)"#)
    if property.name == "id" { lines.append(#""flags": 1"#) }
    if property.index != nil { lines.append(#""flags": 8"#) }
    return "        {\n" + lines.map { "          " + $0 }.joined(separator: ",\n")
      + "\n        }"
  }
}

/// The facts that tests ask of a model file.
public struct ModelFacts {
  /// The file.
  public let document: ModelDocument

  /// Parses a file.
  ///
  /// - Throws: `ModelError` if the text is not a model.
  public init(_ text: String) throws(ModelError) {
    document = try ModelDocument(parsing: Array(text.utf8))
  }

  /// `id:uid` by label.
  public var pairs: [String: String] {
    var pairs: [String: String] = [:]
    document.model.forEachElement { place, pair in
      pairs[document.model.label(place)] = pair.description
    }
    return pairs
  }

  /// Every UID, live or retired, of entities, properties and indexes.
  public var uids: Set<UID> {
    var uids: Set<UID> = []
    document.model.forEachElement { _, pair in uids.insert(pair.uid) }
    for kind in ElementKind.allCases { uids.formUnion(document.model[retired: kind] ?? []) }
    return uids
  }

  /// The rules that the check finds broken, as errors.
  public var errors: [String] {
    document.check().filter { $0.severity == .error }.map { "\($0.rule.id) \($0.message)" }
  }
}
