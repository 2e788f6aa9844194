internal import BoxEngine

/// The objects of one entity type in a store: puts, gets and removes them.
///
/// ```swift
/// let notes: Box<Note> = store.box()
/// try notes.put(Note(text: "Hello"))
/// for note in try notes.all() { print(note.text) }
/// ```
///
/// Each call runs in a transaction of its own, or in the one that is open on the thread: see
/// `Store.runInTransaction(_:)`. A box may be used by several threads. It keeps the handle of the
/// store that it was asked of, so that the store stays open as long as the box is used.
///
/// Each call that throws can throw the [errors of every call](doc:errors#Errors-of-every-call) too.
public final class Box<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  let storeCore: StoreCore
  let core: __EntityCore
  /// The store that bindings are called with, so that objects do not keep it open.
  let borrowed: Store
  /// The handle that the box keeps; nil for the boxes of bindings.
  private let handle: Store?
  /// The place of the box among the holders of a store for tests.
  private let holder: OpenHolder?
  let binding: E.EntityBindingType
  /// Whether objects have an identity.
  let isClass: Bool
  /// Puts and removes objects later, on a thread of the store.
  public let async: AsyncBox<E>

  init(_ storeCore: StoreCore, _ core: __EntityCore) {
    self.storeCore = storeCore
    self.core = core
    borrowed = .borrowed(storeCore)
    handle = nil
    holder = nil
    binding = E.entityBinding
    isClass = E.self is AnyObject.Type
    async = AsyncBox(storeCore, core, enqueueTimeout: 10)
  }

  /// The same box for an application, which keeps a handle of the store.
  init(_ box: Box<E>, keeping handle: Store) {
    storeCore = box.storeCore
    core = box.core
    borrowed = box.borrowed
    self.handle = handle
    holder = handle.holder?.addPart("a Box of \(box.core.schema.name), or a query of it")
    binding = box.binding
    isClass = box.isClass
    async = box.async
  }

  /// The store.
  public var store: Store { handle ?? borrowed }

  /// The name of a property in the model of the store, as conditions in text and dumps have it: the name in
  /// Swift, unless an annotation says another one.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` if the model has no property of that id.
  /// - Complexity: O(*n*) in the properties of the entity.
  public func name<V, R>(of property: Property<E, V, R>) throws -> String {
    try ConditionResolver(storeCore.engine).property(property.propertyId, core.schema).name
  }

  /// Runs a function in a read transaction, or in the one of this thread.
  func reading<R>(_ body: (EngineTransaction) throws -> R) throws -> R {
    try storeCore.reading(body)
  }

  // MARK: - Counting

  /// Whether there are no objects.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(1).
  public func isEmpty() throws -> Bool { try count(limit: 1) == 0 }

  /// The number of objects, or the limit if there are more.
  ///
  /// ```swift
  /// let total = try books.count()
  /// let isLarge = try books.count(limit: 1000) == 1000
  /// ```
  ///
  /// - Parameter limit: The number at which counting stops; nil for no limit, and 0 as well.
  /// - Returns: The number.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(1).
  public func count(limit: Int? = nil) throws -> Int {
    try reading { try $0.count(core.schema, limit: limit ?? 0) }
  }

  /// Whether there is an object with the id.
  ///
  /// ```swift
  /// if try !books.contains(7) { print("book 7 was removed") }
  /// ```
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*).
  public func contains(_ entityId: E.EntityBindingType.IdType) throws -> Bool {
    try contains([entityId])
  }

  /// Whether there is an object for each of the ids.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*) for each.
  public func contains(_ ids: [E.EntityBindingType.IdType]) throws -> Bool {
    try reading { transaction in
      try ids.allSatisfy { try transaction.contains(core.schema, $0.value) }
    }
  }

  /// Whether there is an object for each of the ids.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*) for each.
  public func contains(_ ids: E.EntityBindingType.IdType...) throws -> Bool { try contains(ids) }
}

extension Box: CustomDebugStringConvertible {
  /// The entity and the store.
  public var debugDescription: String { "Box<\(E.self)>(\(storeCore.directoryPath))" }
}
