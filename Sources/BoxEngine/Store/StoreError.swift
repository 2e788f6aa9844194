public import BoxModel
public import BoxReport
public import BoxStorage

/// An error thrown by a store.
///
/// A function of a store throws nothing else, unless it calls a closure of the caller: the error of
/// the closure is then rethrown unchanged.
@nonexhaustive public enum StoreError: Error, Hashable, Sendable {
  /// The files cannot be opened, read or written.
  case storage(StorageError)
  /// There is no store at the place, and no model to create one with.
  case noStore(String)
  /// The data file belongs to another program.
  case notAStore(String)
  /// A newer program wrote the store: the format, or the feature of it, that this one does not know.
  case newerFormat(String)
  /// The stored description of the model cannot be read.
  case damagedCatalog(String)
  /// The parts of the store contradict each other; the findings of a verification, or the first of
  /// them.
  case damaged([Finding])
  /// The model does not pass the check.
  case invalidModel([Finding])
  /// The store cannot be opened with the model without a loss or a misreading of data.
  case incompatibleModel([Finding])
  /// Another process opened the store with another model.
  case modelChangedElsewhere
  /// The model has no entity by that name.
  case unknownEntity(String)
  /// An entity has no property of a name; the name that is probably meant.
  case unknownProperty(entity: String, property: String, nearest: String?)
  /// The schema belongs to another store, or to one that was closed and opened again.
  case foreignSchema(String)
  /// The record of an object is damaged.
  case damagedRecord(entity: String, id: UInt64, RecordDamage)
  /// Another object has the value of a unique property.
  case uniqueViolation(entity: String, property: String, value: Value, existing: UInt64)
  /// A delete rule forbids a removal, as `count` objects that stay are related to one that would be removed; the
  /// relation is named as `Entity.relation`, and the first of them as `Entity id`.
  case removalRefused(entity: String, id: UInt64, relation: String, count: Int, first: String)
  /// An object cannot take the unique value of another one, whose removal would remove it too.
  case replacementRefused(entity: String, id: UInt64, replaced: String)
  /// A value has the wrong type, or is out of the range of its property.
  case wrongValue(entity: String, property: String, value: Value, expected: String)
  /// The bytes for a string are not UTF-8.
  case notUTF8(entity: String, property: String)
  /// An object to be updated does not exist, or one to be linked.
  case notFound(entity: String, id: UInt64)
  /// An object to be inserted exists.
  case alreadyExists(entity: String, id: UInt64)
  /// The id was never given, and ids of the entity are not assigned by the caller.
  case idNotGiven(entity: String, id: UInt64, last: UInt64)
  /// An id is above ``ObjectStore/maximumID``.
  case idTooLarge(entity: String, id: UInt64)
  /// All ids of the entity were given.
  case idsExhausted(entity: String)
  /// An object is larger than a record can be.
  case objectTooLarge(entity: String)
  /// A write inside a read transaction.
  case readTransaction
  /// A write on a thread that is writing to the same store through another opening of it.
  case writingElsewhere
  /// The store was closed.
  case closed
  /// The visit of objects was ended by a request from outside.
  case interrupted
  /// The transaction has ended.
  case transactionEnded
  /// An error left a nested transaction, so nothing of the transaction can be kept.
  case transactionFailed(reason: String)
  /// The store was used while an object is being written or read, for example by a converter.
  case usedWhileCoding
  /// A write while ids are visited.
  case writtenWhileVisiting
  /// The property has no index.
  case notIndexed(entity: String, property: String)
  /// The values of the property cannot be added up or averaged.
  case notNumeric(entity: String, property: String)
  /// The store was opened without a place for checkpoints.
  case noCheckpointSpace
  /// The bytes of a checkpoint are damaged.
  case damagedCheckpoint
  /// The copy of a store cannot be written to a directory.
  case backup(target: String, StorageError)
  /// An entity is captured for data sync, and its objects would be written again.
  case synchronized(entity: String)
  /// Changes that were not sent would be lost: the number of their transactions.
  case unsent(transactions: Int)
  /// A converter of a catalogue cannot convert the property that it is bound to.
  case incompatibleConverter(IncompatibleConverter)
}

extension StoreError: CustomStringConvertible {
  /// The error and the advice, one sentence without a trailing period.
  public var description: String {
    switch self {
    case .storage(let error): error.description
    case .noStore(let place): "there is no store in \(place), and no model to create one with"
    case .notAStore(let place):
      "the data file in \(place) was not written by BoxJoint; name the directory of a store"
    case .newerFormat(let what):
      "the store has \(what), which a newer version wrote and this one does not know; "
        + "use that version"
    case .damagedCatalog(let what): "the store's catalog is damaged: \(what); restore a backup"
    case .damaged(let findings):
      "the store is damaged: "
        + list(findings.map { "\($0.message) [\($0.rule.id)]" }) + "; restore a backup"
    case .invalidModel(let findings): "the model does not pass the check: \(summary(findings))"
    case .incompatibleModel(let findings):
      "the store cannot be opened with this model: \(summary(findings))"
    case .modelChangedElsewhere:
      "another process changed the model of the store; open it again"
    case .unknownEntity(let name): "the model has no entity \(name)"
    case .unknownProperty(let entity, let property, let nearest):
      "\(entity) has no property \(property)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .foreignSchema(let name): "\(name) is the schema of another store"
    case .damagedRecord(let entity, let id, let damage):
      "\(entity) \(id) is damaged (\(damage.words)); restore it from a backup, or remove it"
    case .uniqueViolation(let entity, let property, let value, let existing):
      "\(entity).\(property) is unique, and \(entity) \(existing) has the value \(value) already"
    case .removalRefused(let entity, let id, let relation, let count, let first):
      "\(entity) \(id) cannot be removed: \(counted(count, "object")) that "
        + "\(count == 1 ? "stays is" : "stay are") related to it by \(relation) (deny), first \(first); "
        + "remove \(count == 1 ? "it" : "them") too, or change the relation first; nothing was removed"
    case .replacementRefused(let entity, let id, let replaced):
      "\(entity) \(id) cannot be put: \(replaced) loses its unique value and would be removed, and by a delete rule "
        + "\(entity) \(id) with it; change the relation first; nothing was changed"
    case .wrongValue(let entity, let property, let value, let expected):
      "\(entity).\(property) cannot be \(value): expected \(expected)"
    case .notUTF8(let entity, let property):
      "\(entity).\(property) cannot be set: its bytes are not UTF-8; decode them as the text that they "
        + "are, or store them in a property of bytes"
    case .notFound(let entity, 0):
      "\(entity) cannot be updated without an id; give its id, or insert it"
    case .notFound(let entity, let id): "there is no \(entity) with id \(id)"
    case .alreadyExists(let entity, let id): "\(entity) \(id) exists already"
    case .idNotGiven(let entity, let id, let last):
      "\(entity) \(id) was never assigned as an id (the last is \(last)); put it with id 0, "
        + "or make the ids of \(entity) assignable"
    case .idTooLarge(let entity, let id):
      "\(entity) \(id) is above the largest id, \(ObjectStore.maximumID)"
    case .idsExhausted(let entity):
      "all ids of \(entity) were given; export its objects and import them with new ids"
    case .objectTooLarge(let entity):
      "an object of \(entity) is larger than 2 GiB; split it, or keep the bytes in a file"
    case .readTransaction: "a read transaction cannot write"
    case .writingElsewhere:
      "this thread is writing to the store by another opening of it; write by that one"
    case .closed: "the store is closed; open it again"
    case .interrupted: "interrupted"
    case .transactionEnded: "the transaction has ended"
    case .transactionFailed(let reason):
      "the transaction cannot be committed, as a part of it failed and is not undone alone: \(reason)"
    case .usedWhileCoding: "the store cannot be used while an object is being written or read"
    case .writtenWhileVisiting:
      "nothing can be written while ids are visited; collect them first, and write afterwards"
    case .notIndexed(let entity, let property): "\(entity).\(property) has no index"
    case .notNumeric(let entity, let property):
      "\(entity).\(property) has no numbers; sums, limits and means are for properties of numbers and dates"
    case .noCheckpointSpace: "the store was opened without a place for checkpoints"
    case .damagedCheckpoint:
      "a checkpoint of interrupted work is damaged; restore a backup, or begin that work again"
    case .synchronized(let entity):
      "cannot migrate '\(entity)' in a way that rewrites its objects while it is synchronized; "
        + "add a property with a new UID instead"
    case .unsent(let count):
      "the store has \(counted(count, "transaction")) that "
        + "\(count == 1 ? "was" : "were") not sent; connect it once, or pass --discard-unsent"
    case .backup(let target, let error): "\(target): \(error)"
    case .incompatibleConverter(let error): error.description
    }
  }

  private func summary(_ findings: [Finding]) -> String {
    let lines = findings.map { finding in
      let advice = finding.advice.map { "; \($0)" } ?? ""
      return "\(finding.message)\(advice) [\(finding.rule.id)]"
    }
    return list(lines)
  }

  /// The first findings; a model or a store can have as many as it has properties.
  private func list(_ lines: [String]) -> String {
    let shown = lines.prefix(5).joined(separator: "; ")
    return lines.count > 5 ? "\(shown); and \(grouped(lines.count - 5)) more" : shown
  }
}

extension RecordDamage {
  fileprivate var words: String {
    switch self {
    case .tooShort: "it is too short"
    case .checksum: "its checksum is wrong"
    case .structure: "an offset or a length in it is impossible"
    }
  }
}
