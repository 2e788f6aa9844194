package import BoxModel

/// The place of a declaration or an annotation in a file; line and column count from 1, the column in
/// Unicode scalars.
package struct SourcePlace: Hashable, Sendable {
  package var path: String
  package var line: Int
  package var column: Int
  /// The text of the line.
  package var text = ""
}

/// The element of the model file that an annotation names.
package enum UIDRequest: Hashable, Sendable {
  /// An annotation without a number: the user asks for the UIDs to choose from.
  case offer(SourcePlace)
  /// The UID of an element, or one on offer.
  case chosen(UID, SourcePlace)

  /// The place of the annotation.
  var place: SourcePlace {
    switch self {
    case .offer(let place), .chosen(_, let place): place
    }
  }
}

/// An entity type as the sources declare it.
package struct SourceEntity: Hashable, Sendable {
  /// The name of the Swift type, as `Book` or `Library.Book`, in backticks where the sources have them.
  package var typeName: String
  /// The name in the model file.
  package var name: String
  /// The annotation `uid`; nil to find the entity by its name.
  package var uid: UIDRequest?
  package var flags: EntityFlags = []
  package var externalName: String?
  package var isStruct: Bool
  /// Whether other modules can see it, for which the bindings have to be public.
  package var isPublic = false
  /// Whether the sources declare the conformance to the protocol; otherwise the bindings do.
  package var conforms = false
  /// The stored properties, the id and the relations to one object among them, in the order of the
  /// sources.
  package var properties: [SourceProperty] = []
  /// The relations to many objects.
  package var collections: [SourceCollection] = []
  /// The structs whose members are properties, each after the one that it is in.
  package var embeddings: [SourceEmbedding] = []
  /// The members in the order of the initializer that makes a struct; empty for a class.
  package var arguments: [InitializerArgument] = []
  package var place: SourcePlace

  package var id: SourceProperty? { properties.first(where: \.isID) }
}

/// An argument of the initializer that makes a struct.
package struct InitializerArgument: Hashable, Sendable {
  /// The label; nil for `_`.
  package var label: String?
  /// The member of the struct.
  package var member: String
}

/// The converter of a property, as bindings call it.
package struct ConverterCall: Hashable, Sendable {
  /// The modules whose converters bindings import where an annotation names one with its module.
  static let modules = ["BoxConvert", "BoxFoundation"]

  /// The type, as the annotation names it.
  package var type: String
  /// Whether the type conforms to `ValueConverter`; else it has static functions named `convert`.
  package var isTyped: Bool
  /// The arguments of the call that makes a typed one.
  package var arguments = ""

  /// A typed converter of BoxFoundation.
  static func foundation(_ name: String) -> ConverterCall {
    ConverterCall(type: "BoxFoundation." + name, isTyped: true)
  }

  /// The converter of UUIDs that are found by their type: 36 characters, which can be indexed.
  static let uuid = foundation("UUIDTextConverter")

  /// The module that the name begins with, if it is one of ours.
  var module: String? { Self.modules.first { type.hasPrefix($0 + ".") } }
}

/// The way in which a property is stored.
package enum StorageForm: Hashable, Sendable {
  /// The id, with its Swift type.
  case id(String)
  /// A value as it is.
  case value(SwiftValueType)
  /// The raw value of an enum.
  case rawValue(type: String, raw: SwiftValueType, default: String?)
  /// The result of a converter.
  case converted(by: ConverterCall, to: SwiftValueType, default: String?)
  /// The id of another object, with the Swift name of its type.
  case toOne(String)
}

extension StorageForm {
  /// The module of the converter that bindings import.
  var converterModule: String? {
    if case .converted(let converter, _, _) = self { converter.module } else { nil }
  }
}

/// A rule for removals, as an annotation of a relation gives it.
package struct SourceRule: Hashable, Sendable {
  package var rule: DeleteRule
  package var place: SourcePlace
}

/// An enum of which a property has a list or a set.
struct ListedEnum: Hashable, Sendable {
  /// The name of the type, as the bindings write it.
  var type: String
  /// The type of its raw values.
  var raw: SwiftValueType
}

/// A stored property of an entity type.
package struct SourceProperty: Hashable, Sendable {
  /// The name in Swift, in backticks where the sources write it so; of a member of an embedded struct without the names
  /// before it.
  package var swiftName: String
  /// The struct that it is a member of, by its position in ``SourceEntity/embeddings``; nil for a member of the entity.
  package var embedding: Int?
  /// The name in the model file.
  package var name: String
  /// The annotation `uid`; nil to find the property by its name.
  package var uid: UIDRequest?
  /// The names in the model file that it may have had before.
  var earlierNames: [EarlierName] = []
  package var form: StorageForm
  package var isOptional = false
  /// Whether a struct that it is in is optional.
  var isInOptional = false
  /// Whether it is declared by `let`.
  package var isConstant = false
  /// The type in the model file.
  package var storedType: PropertyType
  package var flags: PropertyFlags = []
  /// The spelling of the type, without the mark of an optional one.
  var swiftType = ""
  /// The enum whose raw values are stored as a list; nil for other values.
  var listedEnum: ListedEnum?
  /// Whether other modules see the enum whose raw values are stored; nil for other values, and for an enum that the
  /// sources do not declare.
  var hasPublicEnum: Bool?
  /// The value that the declaration gives it; nil without one.
  var initialValue: InitialValue?
  /// The value of the annotation `default`; nil without one.
  var declaredConstant: SourceConstant?
  /// The stored value of the annotation `default`, with its type, where it names no case.
  var declaredValue: String?
  /// The name of the target in the model file.
  package var target: String?
  /// Whether it keeps its UID when its type changes: the annotation `convert-type`.
  var convertsType = false
  package var externalName: String?
  package var externalType: Int?
  /// The parameters of a vector index as JSON text.
  package var hnswParams: String?
  /// The rule for the target when the object is removed: the annotation `deleteRule` of a relation.
  var deleteRule: SourceRule?
  /// The rule for the object when the target is removed: the annotation `inverseDeleteRule`.
  var inverseDeleteRule: SourceRule?
  package var place: SourcePlace

  package var isID: Bool { flags.contains(.id) }
  /// Whether objects can be without a value.
  package var isNullable: Bool { isOptional || isInOptional }

  /// The enum whose raw values the property has, one or a list, and their type; nil for other values.
  var storedEnum: (type: String, raw: SwiftValueType)? {
    if case .rawValue(let type, let raw, _) = form { return (type, raw) }
    return listedEnum.map { ($0.type, $0.raw) }
  }
}

/// A relation to many objects.
package struct SourceCollection: Hashable, Sendable {
  /// The name in Swift, in backticks where the sources write it so.
  package var swiftName: String
  /// The name in the model file.
  package var name: String
  package var uid: UIDRequest?
  /// The name of the Swift type of the targets.
  package var target: String
  /// The name of the target in the model file.
  package var targetName = ""
  package var link = Link.standalone
  /// Whether the annotation `relation` says that it is a relation of its own.
  var isRelation = false
  package var externalName: String?
  package var externalType: Int?
  /// The rule for the objects of the relation when the owner is removed: the annotation `deleteRule`.
  var deleteRule: SourceRule?
  /// The rule for the owner when an object of the relation is removed: the annotation `inverseDeleteRule`.
  var inverseDeleteRule: SourceRule?
  package var place: SourcePlace

  /// The element of the model file that has the links.
  package enum Link: Hashable, Sendable {
    /// A relation of its own.
    case standalone
    /// The relation of the target with a Swift name, which is to be looked up.
    case unresolvedBacklink(String)
    /// The relation to one object of the target: its Swift name.
    case backlinkOfProperty(String)
    /// The relation to many objects of the target: its Swift name.
    case backlinkOfCollection(String)

    /// The Swift name of the relation that a backlink leads back from; nil for a relation of its own, and before it was
    /// looked up.
    var name: String? {
      switch self {
      case .standalone, .unresolvedBacklink: nil
      case .backlinkOfProperty(let name), .backlinkOfCollection(let name): name
      }
    }
  }
}
