/// The reason why an edit of a model is refused.
///
/// Names of elements of the model are as ``NamePath`` writes them; what was asked for is as it was written.
package enum ModelEditError: Error, Hashable, Sendable {
  /// An element has the name already, without regard to case: `Film`, or `Film.title`.
  case nameTaken(ElementKind, String)
  /// A name is empty, or longer than any that is read.
  case invalidName(ElementKind, String)
  /// There is no such element; with the name that may be meant.
  case notFound(String, nearest: String?)
  /// No flag of the kind of element has the name; with the one that may be meant.
  case unknownFlag(String, nearest: String?)
  /// The element is a to-many relation, which has no flags and no type.
  case isRelationToMany(String)
  /// The element is an entity or an index, which has no type.
  case noType(String)
  /// The target of a relation is not an entity; with the name that may be meant.
  case noTarget(String, of: String, nearest: String?)
  /// Relations of other entities refer to the entity that is to be removed, as `Film.director`.
  case isTarget(String, of: [String])
  /// An entity has not exactly one property with the flag for ids, of the type `long`.
  case invalidID(entity: String)
  /// The property is the id of its entity, which is never removed and never becomes another property.
  case isID(String)
  /// The property is a to-one relation, or is to become one: it needs a target and keeps its type.
  case isRelation(String)
  /// The type has no known meaning.
  case unknownType(String, PropertyType)
  /// The flags have no meaning for a property of the type.
  case unsupportedFlags(String, PropertyFlags, PropertyType)
  /// Flags exclude each other, or need one that is not set.
  case conflictingFlags(String, reason: String)
  /// The UID belongs to an element, or is retired.
  case uidUsed(UID)
  /// The UID is 0, or too large.
  case uidOutOfRange(UID)
  /// A thousand candidates for a UID are all in use.
  case noFreshUID
  /// The highest id of the kind has been assigned.
  case noMoreIDs(ElementKind)
}

extension ModelEditError: CustomStringConvertible {
  /// The reason in one sentence without a trailing period, with the remedy.
  package var description: String {
    switch self {
    case .nameTaken(let kind, let name):
      "there is \(kind.withArticle) \(Self.shown(name)) already; choose another name"
    case .invalidName(let kind, let name):
      name.isEmpty
        ? "the name of \(kind.withArticle) is empty; choose a name"
        : "the name '\(name.prefix(40))…' has \(name.utf8.count) bytes; "
          + "choose one of at most \(ModelParser.maximumNameLength)"
    case .notFound(let name, let nearest):
      "the model has no '\(name)'" + Self.guess(nearest)
    case .unknownFlag(let name, let nearest):
      "there is no flag '\(name)'" + Self.guess(nearest)
    case .isRelationToMany(let name):
      "\(Self.shown(name)) is a relation to many, which has neither flags nor a type"
    case .noType(let name): "\(Self.shown(name)) is not a property, and has no type"
    case .noTarget(let target, let owner, let nearest):
      "the target '\(target)' of \(Self.shown(owner)) is not an entity"
        + Self.guess(nearest)
    case .isTarget(let entity, let owners):
      "\(Self.shown(entity)) is the target of "
        + owners.prefix(3).map(Self.shown).joined(separator: ", ")
        + (owners.count > 3 ? " and \(owners.count - 3) more" : "") + "; remove "
        + (owners.count == 1 ? "that relation first" : "those relations first")
    case .invalidID(let entity):
      "\(Self.shown(entity)) needs exactly one property that is the id, of the type long"
    case .isID(let name):
      "\(Self.shown(name)) is the id of its entity, which every entity needs; it can only be "
        + "renamed"
    case .isRelation(let name):
      "\(Self.shown(name)) is a relation to one; remove it, and add the property that you need"
    case .unknownType(let name, let type):
      "the type \(type.rawValue) of \(Self.shown(name)) has no known meaning"
    case .unsupportedFlags(let name, let flags, let type):
      "\(flags.setNames.joined(separator: ", ")) of \(Self.shown(name)) has no meaning for the "
        + "type \(type)"
    case .conflictingFlags(let name, let reason): "\(Self.shown(name)): \(reason)"
    case .uidUsed(let uid): "the UID \(uid) is in use or retired; choose another one"
    case .uidOutOfRange(let uid): "the UID \(uid) is not from 1 to \(maximumUID)"
    case .noFreshUID: "no unused UID was found in 1000 attempts"
    case .noMoreIDs(let kind): "the highest id that \(kind.withArticle) can have is assigned"
    }
  }

  private static func guess(_ nearest: String?) -> String {
    nearest.map { "; did you mean \(shown($0))?" } ?? ""
  }

  /// A name in quotes, unless it is in backquotes.
  private static func shown(_ name: String) -> String {
    name.contains("`") ? name : "'\(name)'"
  }
}

extension ElementKind {
  /// The kind in English, with its indefinite article.
  fileprivate var withArticle: String {
    switch self {
    case .entity, .index: "an \(self)"
    case .property, .relation: "a \(self)"
    }
  }
}
