public import BoxConvert

/// What an import does with an object that is there, and with one that is not.
public enum ImportMode: String, Hashable, Sendable, CaseIterable {
  /// Adds objects; one that exists is an error.
  case insert
  /// Changes what the input gives of objects that exist, and adds the others.
  case upsert
  /// Changes what the input gives of objects that exist; one that does not is an error.
  case update
  /// Puts whole objects, in place of those that exist; what the input does not give becomes null.
  case replace
}

/// Where the ids of imported objects come from.
public enum ImportIDs: String, Hashable, Sendable, CaseIterable {
  /// From the input, whatever the model says of assigning them.
  case keep
  /// From the store; relations are carried along.
  case new
}

/// What becomes of a relation that leads to an object which is nowhere.
public enum DanglingPolicy: String, Hashable, Sendable, CaseIterable {
  /// A relation to one keeps the id, as it does when its target is removed; an entry of a relation to
  /// many is left out and counted.
  case keep
  /// A relation to one becomes null; an entry of a relation to many is left out.
  case null
  /// It is an error.
  case fail
}

/// What is done about a member of an object that no property has the name of.
public enum UnknownMemberPolicy: String, Hashable, Sendable, CaseIterable {
  /// It is an error: a name that is wrong would lose its values.
  case fail
  /// It is passed over.
  case ignore
}

/// How an import goes about it.
public struct ImportOptions: Sendable {
  /// What to do with objects that exist.
  public var mode = ImportMode.insert
  /// The property that tells which object is meant, as `Entity.property`; nil for the id.
  public var match: String?
  /// Where ids come from.
  public var ids = ImportIDs.keep
  /// What becomes of relations to objects that are nowhere.
  public var dangling = DanglingPolicy.keep
  /// What is done about members that no property has the name of.
  public var unknown = UnknownMemberPolicy.fail
  /// The entity of input that does not name one: lines or an array of objects.
  public var entity: String?
  /// Converters and mappings for input that is no dump; a dump has its own.
  public var catalogue = Catalogue.empty
  /// How many elements a transaction has; nil for one transaction.
  public var batch: Int? = 10_000
  /// How many elements may be rejected; nil stops at the first.
  public var maximumErrors: Int?
  /// Whether nothing is kept.
  public var isDryRun = false
  /// Whether an import that was interrupted goes on.
  public var resumes = false
  /// Whether what is left of an import that was interrupted is forgotten.
  public var restarts = false
  /// How many bytes an element may have.
  public var maximumElement = 64 << 20
  /// Whether the store is verified first: with an index that lacks an entry an import would put a
  /// second object in the place of one that is there.
  public var verifiesStore = true
  /// The limits of the size that compressed input may decompress to.
  public var decompression = DecompressionLimits()

  /// The options as they are by default.
  public init() {}

  /// The properties by whose indexes objects are found, as `Entity.property`: the store has to be
  /// opened with them.
  public var neededIndexes: Set<String> {
    var needed = Set(catalogue.mappings.flatMap(\.relations).map { "\($0.target).\($0.key)" })
    if let match { needed.insert(match) }
    return needed
  }

  /// Whether an element that cannot be imported is left out and reported.
  public var skipsErrors: Bool { maximumErrors != nil }
}
