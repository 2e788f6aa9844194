import BoxModel

/// The parts of an element of Java code that were read: its calls may be in any order.
enum JavaPending {
  struct Entity {
    var name: String
    var line: Int
    var pair: IDPair?
    var last: IDPair?
    var flags: EntityFlags = []
    var externalName: String?
    /// Whether the entity is among the evidence, and its properties may follow.
    var isAdded = false
    /// Whether a relation was read, which every generator writes after the properties.
    var hasRelations = false
    /// Whether its last call was made.
    var isDone = false
  }

  struct Property {
    var name: String
    var target: String?
    var type: PropertyType
    var line: Int
    var pair: IDPair?
    var index: IDPair?
    var flags: PropertyFlags = []
    var externalName: String?
    var externalType: Int?
  }
}
