import BoxModel

/// The kind of index of a generated property.
enum IndexKind: UInt32, CaseIterable, Sendable {
  case value = 8
  case hash = 2056
  case hash64 = 4104

  var flags: PropertyFlags { PropertyFlags(rawValue: rawValue) }
}

/// One thing that a developer does to the sources, and what a generator makes of it in the file.
///
/// Elements are named by UID and new UIDs are part of the edit, so a script of edits can be carried
/// out without one of them: an edit that finds nothing to work on does nothing.
enum ToolEdit: Hashable, Sendable {
  case addEntity(UID, name: String, idProperty: UID)
  case removeEntity(UID)
  case renameEntity(UID, String)
  case setSync(UID, Bool)
  case setEntityExternalName(UID, String?)
  case addProperty(entity: UID, UID, name: String, type: PropertyType)
  case removeProperty(UID)
  case renameProperty(UID, String)
  case toggleFlag(UID, PropertyFlags)
  case setExternalName(UID, String?)
  case addIndex(property: UID, UID, IndexKind, unique: Bool)
  case removeIndex(property: UID)
  case changeIndex(property: UID, IndexKind)
  /// A new type: a new UID and a new id; the old ones are retired.
  case reset(property: UID, to: UID, index: UID, type: PropertyType)
  /// A new type under the old UID: some generators let it pass.
  case retype(property: UID, PropertyType)
  case addToOne(entity: UID, UID, index: UID, name: String, target: UID)
  case retargetToOne(UID, target: UID)
  case addRelation(entity: UID, UID, name: String, target: UID)
  case removeRelation(UID)
  case renameRelation(UID, String)
  case retargetRelation(UID, target: UID)
  case offer(UID)
  case takeOffer(UID)
  case setVersion(Int)
  /// The change that people make by hand when an id was given twice.
  case renumber(ElementKind, UID)
  case setOther(String, String?)
  case setEntityOther(UID, String, String?)
  case reorder(Int)
  /// The effect of `@Uid` in another class: the UID stays, and the number is one of the new entity.
  case move(property: UID, to: UID)
  /// The version of the format, of early generators.
  case setFormat(Int)
  /// A relation of an early generator, which did not write targets.
  case addBareRelation(entity: UID, UID, name: String)
  /// An element is missing, and its UID with it, as in a version from before it was added.
  case forget(UID)
  /// Counters go back to what is there.
  case rollBack

  /// The UIDs that the edit is about.
  var uids: Set<UID> {
    switch self {
    case .addEntity(let a, _, let b): [a, b]
    case .removeEntity(let a), .renameEntity(let a, _), .setSync(let a, _),
      .setEntityExternalName(let a, _), .removeProperty(let a), .renameProperty(let a, _),
      .toggleFlag(let a, _), .setExternalName(let a, _), .removeIndex(let a),
      .changeIndex(let a, _), .retype(let a, _), .removeRelation(let a), .renameRelation(let a, _),
      .offer(let a), .takeOffer(let a), .renumber(_, let a), .setEntityOther(let a, _, _):
      [a]
    case .addProperty(let a, let b, _, _), .addIndex(let a, let b, _, _),
      .retargetToOne(let a, let b), .retargetRelation(let a, let b):
      [a, b]
    case .reset(let a, let b, let c, _), .addRelation(let a, let b, _, let c): [a, b, c]
    case .addToOne(let a, let b, let c, _, let d): [a, b, c, d]
    case .move(let a, let b), .addBareRelation(let a, let b, _): [a, b]
    case .forget(let a): [a]
    case .setVersion, .setFormat, .setOther, .reorder, .rollBack: []
    }
  }
}
