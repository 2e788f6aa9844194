internal import BoxModel

// The texts of small types in a debugger; larger types have theirs beside them.

extension AsyncBox: CustomDebugStringConvertible {
  /// The entity.
  public var debugDescription: String { "AsyncBox<\(E.self)>" }
}

extension EntityInfo: CustomDebugStringConvertible {
  /// The name and the id.
  public var debugDescription: String { "EntityInfo(\(entityName), \(entitySchemaId))" }
}

extension Property: CustomDebugStringConvertible {
  /// The entity, the type of the values, and the id of the property.
  public var debugDescription: String { "Property<\(E.self), \(V.self)>(\(propertyId))" }
}

extension ToManyProperty: CustomDebugStringConvertible {
  /// The target, and the element of the model.
  public var debugDescription: String { "ToManyProperty<\(R.self)>(\(toManyId))" }
}

extension ObjectWithScore: CustomDebugStringConvertible {
  /// The object and its score.
  public var debugDescription: String { "ObjectWithScore(\(object), \(score))" }
}

extension IdWithScore: CustomDebugStringConvertible {
  /// The id and its score.
  public var debugDescription: String { "IdWithScore(\(id), \(score))" }
}

extension Transaction: CustomDebugStringConvertible {
  /// Whether the transaction has changes.
  public var debugDescription: String {
    "Transaction(\(hasChanges ? "with" : "without") changes)"
  }
}

extension StoreModel: CustomDebugStringConvertible {
  /// The names of the entities, or the error with which the model cannot be read.
  public var debugDescription: String {
    do {
      let names = try document().model.entities.map(\.name)
      return "StoreModel(\(names.joined(separator: ", ")))"
    } catch {
      return "StoreModel(\(error))"
    }
  }
}

extension TransactionChanges: CustomDebugStringConvertible {
  /// The ids of each kind.
  public var debugDescription: String {
    func list(_ ids: [EntityId<E>]) -> String { "\(ids.map(\.value))" }
    return "TransactionChanges<\(E.self)>(inserted: \(list(inserted)), updated: \(list(updated)), "
      + "removed: \(list(removed)))"
  }
}

extension ImportFields: CustomDebugStringConvertible {
  /// The names of the fields, and the faults so far.
  public var debugDescription: String {
    let faults = faults.isEmpty ? "" : "; \(faults.joined(separator: "; "))"
    return "ImportFields(\(names.joined(separator: ", "))\(faults))"
  }
}

extension MonitoredList.Section: CustomDebugStringConvertible {
  /// The name and the number of objects.
  public var debugDescription: String { "Section(\(name), \(count) objects)" }
}
