internal import BoxModel
internal import Synchronization

/// Builds a model in code, as ObjectBox's generator writes it.
///
/// The ids and UIDs come from the model file. Prefer ``StoreModel/init(json:)`` with that file: it
/// also knows what was removed from the model.
public final class ModelBuilder {
  let draft = ModelDraft()

  /// Creates a builder of an empty model.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public init() throws {}

  /// Adds an entity.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` if the binding of the type is of another version.
  public func entityBuilder<T: EntityInspectable>(
    for type: T.Type = T.self, id schemaEntityID: UInt32, uid schemaEntityUID: UInt64
  ) throws -> EntityBuilder<T> {
    if let refusal = BindingVersion.refusal(type) { throw ObjectBoxError.schema(message: refusal) }
    let entity = BoxModel.Entity(
      pair: IDPair(id: schemaEntityID, uid: schemaEntityUID), name: T.entityInfo.entityName)
    draft.model.entities.append(entity)
    return EntityBuilder(draft, draft.model.entities.count - 1)
  }

  /// Sets the last id of entities.
  public func lastEntity(id schemaEntityID: UInt32, uid schemaEntityUID: UInt64) {
    draft.model.lastEntityID = IDPair(id: schemaEntityID, uid: schemaEntityUID)
  }

  /// Sets the last id of indexes.
  public func lastIndex(id schemaEntityID: UInt32, uid schemaEntityUID: UInt64) {
    draft.model.lastIndexID = IDPair(id: schemaEntityID, uid: schemaEntityUID)
  }

  /// Sets the last id of to-many relations.
  public func lastRelation(id relationID: UInt32, uid relationUid: UInt64) {
    draft.model.lastRelationID = IDPair(id: relationID, uid: relationUid)
  }

  /// Ends the model.
  ///
  /// - Returns: A handle for `Store.init(model:directory:maxDbSizeInKByte:fileMode:maxReaders:readOnly:hears:)`,
  ///   which takes it once. It points to nothing.
  public func finish() -> OpaquePointer { unsafe BuiltModels.add(draft.model) }
}

extension ModelBuilder: CustomDebugStringConvertible {
  /// The names of the entities so far.
  public var debugDescription: String {
    "ModelBuilder(\(draft.model.entities.map(\.name).joined(separator: ", ")))"
  }
}

/// The model that builders share.
final class ModelDraft {
  var model = Model()
}

/// The models that were built and not used yet, by handles that are numbers and no addresses.
enum BuiltModels {
  private static let models = Mutex<(next: UInt, models: [UInt: Model])>((1, [:]))

  static func add(_ model: Model) -> OpaquePointer {
    let number = models.withLock { state in
      state.models[state.next] = model
      state.next += 1
      return state.next - 1
    }
    // Numbers begin above 0, so only an overflow could give a null pointer.
    guard let handle = unsafe OpaquePointer(bitPattern: number) else {
      fatalError("no handle is left for a model")
    }
    return unsafe handle
  }

  /// The model of a handle, which is used up by it.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a handle that is used or unknown.
  static func consume(_ handle: OpaquePointer) throws -> StoreModel {
    let number = UInt(bitPattern: handle)
    guard let model = models.withLock({ $0.models.removeValue(forKey: number) }) else {
      throw ObjectBoxError.illegalArgument(
        message: "the model was used for another store, or was not built by a ModelBuilder; "
          + "build one for each store")
    }
    return try StoreModel(model)
  }
}

extension StoreModel {
  /// The model file of a model that was built in code.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` if the model cannot be written.
  init(_ model: Model) throws {
    var model = model
    model.complete()
    do throws(ModelError) {
      self.init(bytes: try ModelDocument(of: model).bytes, constants: nil)
    } catch {
      throw ObjectBoxError.schema(
        message: "the model that was built cannot be used: \(error.message)")
    }
  }
}

extension Model {
  /// Sets the last ids that the builder did not: generators omit them without elements.
  fileprivate mutating func complete() {
    let indexes = entities.flatMap(\.properties).compactMap(\.indexID)
    let relations = entities.flatMap { $0.relations ?? [] }.map(\.pair)
    lastEntityID = lastEntityID.raised(to: entities.map(\.pair))
    lastIndexID = lastIndexID.raised(to: indexes)
    lastRelationID = lastRelationID.raised(to: relations)
    for position in entities.indices {
      let properties = entities[position].properties.map(\.pair)
      entities[position].lastPropertyID = entities[position].lastPropertyID.raised(to: properties)
    }
  }
}

extension IDPair? {
  /// The pair, or the highest of others if it is not set.
  fileprivate func raised(to pairs: [IDPair]) -> IDPair {
    if let pair = self, !pair.isUnset { return pair }
    return pairs.max { $0.id < $1.id } ?? .unset
  }
}

extension Store {
  /// Opens a store with a model that was built in code.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` if the model was used before, and as
  ///   `init(model:directory:maxDbSizeInKByte:fileMode:maxReaders:readOnly:hears:)`.
  /// - Complexity: As `init(model:directory:maxDbSizeInKByte:fileMode:maxReaders:readOnly:hears:)`.
  public convenience init(
    model: OpaquePointer, directory: String = "objectbox", maxDbSizeInKByte: UInt64 = 1024 * 1024,
    fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0, readOnly: Bool = false
  ) throws {
    try self.init(
      model: unsafe BuiltModels.consume(model), directory: directory,
      maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode, maxReaders: maxReaders,
      readOnly: readOnly)
  }
}
