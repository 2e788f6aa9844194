package import BoxConvert
package import BoxDump
package import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// An open store on which requests are carried out, with the converters that are in force.
package struct OpenStore {
  /// The directory, as the user named it.
  package let path: String
  package let store: ObjectStore
  /// The catalogue of converters; nil to show values as they are stored.
  package let catalogue: Catalogue?
  /// The receiver of notices and progress.
  let observer: any WorkObserver

  /// Opens an existing store for the time of a function, and turns its errors into the tool's.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` for an invalid catalogue, `usage` for a
  ///   name that the store does not have, and as ``onDump(_:_:)``.
  package static func with<R>(
    _ path: String, _ access: StoreAccess, _ choice: CatalogueChoice?, isReadOnly: Bool,
    in place: Workspace, _ body: (OpenStore) throws -> R
  ) throws -> R {
    do {
      let observer = place.observer
      let opened: ObjectStore
      if let session = access.session {
        opened = try session.store(observer)
      } else {
        try requireStoreInWorkTree(path)
        opened = try ObjectStore.open(
          .directory(path), options: access.options(isReadOnly: isReadOnly, observer))
        observer.warn(opened.warnings, of: path)
      }
      defer { if access.session == nil { opened.close() } }
      let catalogue = try choice?.load(fitting: opened.model, in: place)
      observer.finish()
      return try body(
        OpenStore(path: path, store: opened, catalogue: catalogue, observer: observer))
    } catch let error as ConditionError {
      throw CommandFailure(.usage, error.message)
    } catch let error as StoreError {
      if case .notNumeric = error { throw CommandFailure(.usage, "\(error)") }
      throw CommandFailure.ofDump(error, path)
    } catch {
      throw CommandFailure.ofDump(error, path)
    }
  }

  /// The entity of a name, between backquotes or as it is.
  ///
  /// - Throws: `DumpError` for an unknown name, with the nearest.
  func entity(_ name: String) throws(DumpError) -> EntitySchema {
    guard let entity = store.entities.entity(named: name) else {
      throw store.unknownEntity(NamePath.name(name))
    }
    return entity
  }

  /// Splits the name of a property or a relation, such as `Person.name`.
  ///
  /// - Parameters:
  ///   - text: The name.
  ///   - kind: The kind of the member.
  ///   - example: A name of that kind.
  /// - Returns: The entity, and the name of the member, which may not exist.
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name without an entity, `DumpError` for an
  ///   unknown entity, with the nearest.
  func member(
    _ text: String, _ kind: String, _ example: String
  ) throws -> (entity: EntitySchema, name: String) {
    if let found = store.entities.member(named: text),
      !found.name.isEmpty || found.entity.hasMember(named: "")
    {
      return found
    }
    let names = NamePath(reading: text).names.filter { !$0.isEmpty }
    guard names.count > 1 else {
      throw CommandFailure(
        .usage, "'\(text)' is not a \(kind); write Entity.\(kind), such as \(example)")
    }
    throw store.unknownEntity(names[0])
  }

  /// The form of values, with the converters.
  package func values(_ form: ValueForm) -> ValueForm {
    var values = form
    values.converters = catalogue.map { ExportConverters($0) }
    return values
  }

  /// Prepares a condition; nil finds all objects.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage`, with the place in the condition.
  package func query(_ entity: EntitySchema, _ text: String?) throws(CommandFailure)
    -> PreparedQuery
  {
    do throws(ConditionError) {
      let converters = catalogue.map { ConditionConverters($0) }
      guard let text else { return try store.prepare(StoreQuery(entity), converters: converters) }
      return try store.prepare(entity, try ConditionParser.parse(text), converters: converters)
    } catch {
      throw CommandFailure(error, in: text, about: entity)
    }
  }

  /// The end of a dry run, by which nothing of its transaction is kept.
  private struct DryRunEnd: Error {}

  /// Runs a function in a write transaction, or as a part of the one that is open on this thread, which
  /// is undone alone if the function throws.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether nothing is kept.
  ///   - body: Called with the transaction.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or of the commit; then nothing is kept.
  func write<R>(isDryRun: Bool, _ body: (Transaction) throws -> R) throws -> R {
    func write(_ body: (Transaction) throws -> R) throws -> R {
      guard let current = store.currentTransaction else { return try store.write(body) }
      return try current.savepoint { try body(current) }
    }
    if !isDryRun { return try write(body) }
    var result: R?
    do {
      return try write { transaction -> R in
        result = try body(transaction)
        throw DryRunEnd()
      }
    } catch let end as DryRunEnd {
      guard let result else { throw end }
      return result
    }
  }
}

extension EntitySchema {
  /// The failure for a member that does not exist, with the nearest.
  func unknown(_ kind: String, _ name: String, among known: [String]) -> CommandFailure {
    let nearest = NamePath.nearest(to: name, among: known).map { "did you mean \($0)?" }
    return CommandFailure(
      .usage,
      "\(NamePath.quoted(self.name)) has no \(kind) \(name); "
        + (nearest
          ?? (known.isEmpty ? "it has none" : "it has \(known.map(NamePath.quoted).listed)")))
  }
}
