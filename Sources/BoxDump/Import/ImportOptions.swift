public import BoxConvert
package import BoxEngine
import BoxJSON

/// The treatment of existing and missing objects by an import.
public enum ImportMode: String, Hashable, Sendable, CaseIterable {
  /// Adds objects; an object that exists is an error.
  case insert
  /// Changes the given values of objects that exist, and adds the others.
  case upsert
  /// Changes the given values of objects that exist; an object that does not exist is an error.
  case update
  /// Puts whole objects, replacing those that exist; values that the input lacks become null.
  case replace
}

/// The source of the ids of imported objects.
public enum ImportIDs: String, Hashable, Sendable, CaseIterable {
  /// The input, even if the model does not let the caller assign ids.
  case keep
  /// The store; relations are adjusted.
  case new
}

/// The treatment of a relation to an object that does not exist.
public enum DanglingPolicy: String, Hashable, Sendable, CaseIterable {
  /// A to-one relation keeps the id, as it does when its target is removed; an entry of a relation
  /// to many is skipped and counted.
  case keep
  /// A to-one relation becomes null; an entry of a to-many relation is skipped.
  case null
  /// The relation is an error.
  case fail
}

/// The treatment of a member of an object without a property of that name.
public enum UnknownMemberPolicy: String, Hashable, Sendable, CaseIterable {
  /// The member is an error: the values under a misspelled name would be lost.
  case fail
  /// The member is skipped.
  case ignore
}

/// The options of an import.
public struct ImportOptions: Sendable {
  /// The treatment of existing and missing objects.
  public var mode = ImportMode.insert
  /// The property that identifies objects, as `Entity.property`; nil for the id.
  public var match: String?
  /// The source of ids.
  public var ids = ImportIDs.keep
  /// The treatment of relations to objects that do not exist.
  public var dangling = DanglingPolicy.keep
  /// The treatment of members without a property of that name.
  public var unknown = UnknownMemberPolicy.fail
  /// The entity of input that does not name one: lines or an array of objects.
  public var entity: String?
  /// The relation to many, as `Entity.relation`, whose entries are the elements of input that does not name one.
  ///
  /// Entries are added to those that exist.
  public var relation: String?
  /// Converters and mappings for input that is not a dump; a dump contains its own.
  public var catalogue = Catalogue.empty
  /// The number of elements in a transaction; nil for one transaction.
  public var batch: Int? = 10_000
  /// The maximum number of rejected elements; nil stops at the first.
  public var maximumErrors: Int?
  /// Whether the whole input is validated without changing the store.
  public var isDryRun = false
  /// Whether an interrupted import is resumed.
  public var resumes = false
  /// Whether the state of an interrupted import is discarded.
  public var restarts = false
  /// The maximum number of bytes of an element.
  public var maximumElement = 64 << 20
  /// Whether the store is verified first: if an index lacked an entry, an import would add a second
  /// object instead of changing the first one.
  public var verifiesStore = true
  /// The limits of the decompressed size of compressed input.
  public var decompression = DecompressionLimits()

  /// Called before the transaction of an import that has one alone ends, with the mark since which changes are noted.
  ///
  /// An error that it throws undoes everything. The store is opened with its model and with all indexes, so that the
  /// state before can be read.
  package var examining: (@Sendable (Transaction, _ mark: Int) throws -> Void)?

  /// The default options.
  public init() {}

  /// The properties by whose indexes objects are found, as `Entity.property`: the store has to be
  /// opened with them.
  var neededIndexes: Set<ExactText> {
    var needed = Set(
      catalogue.mappings.flatMap(\.relations).compactMap { rule in
        rule.key.map { ExactText("\(rule.target).\($0)") }
      })
    if let match { needed.insert(ExactText(match)) }
    return needed
  }

  /// Whether an element that cannot be imported is left out and reported.
  public var skipsErrors: Bool { maximumErrors != nil }
}
