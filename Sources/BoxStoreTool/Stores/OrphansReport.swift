internal import BoxDump
internal import BoxEngine
package import BoxJSON
internal import BoxModel
internal import BoxReport

/// The output of `boxjoint store orphans`.
package struct OrphansReport: Sendable {
  private let store: String
  private let orphans: StoreOrphans

  /// Finds the links of a store to objects that do not exist, and the objects without an owner; nothing is changed.
  ///
  /// - Throws: ``CommandFailure``, as ``OpenStore/with(_:_:_:isReadOnly:in:_:)``.
  /// - Complexity: O(*n* log *n*) in the objects.
  package init(_ path: String, _ access: StoreAccess, in place: Workspace) throws {
    store = path
    orphans = try OpenStore.with(path, access, nil, isReadOnly: true, in: place) { open in
      try open.store.read { try $0.orphans() }
    }
  }

  /// Whether anything was found.
  package var hasOrphans: Bool { !orphans.isEmpty }

  /// A line for each relation and each entity, for people.
  package var text: String {
    let dangling = orphans.dangling.map { link in
      let objects = link.objects
      return "\(link.relation): \(counted(objects.count, "object")) "
        + "\(objects.count == 1 ? "refers" : "refer") to \(NamePath.quoted(link.target)) objects that do not "
        + "exist: \(ids(objects, of: link.source))"
    }
    let unowned = orphans.unowned.map { kind in
      let objects = kind.objects
      return "\(NamePath.quoted(kind.entity)): \(counted(objects.count, "object")) "
        + "\(objects.count == 1 ? "belongs" : "belong") to no object by \(kind.relations.listed): "
        + ids(objects, of: kind.entity)
    }
    let lines = dangling + unowned
    if lines.isEmpty { return "no orphans\n" }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }

  /// The first objects by their ids, such as `Line 3, 4`.
  private func ids(_ objects: StoreOrphans.Objects, of entity: String) -> String {
    "\(NamePath.quoted(entity)) " + objects.first.map { "\($0)" }.joined(separator: ", ")
      + (objects.count > objects.first.count ? ", …" : "")
  }

  /// The same for programs; `Schemas/store-orphans.schema.json` describes it.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "store": .string(store),
      "dangling": .array(
        orphans.dangling.map { link in
          [
            "relation": .string(link.relation), "target": .string(link.target),
            "objects": .int(link.objects.count), "firstIds": json(link.objects),
          ]
        }),
      "unowned": .array(
        orphans.unowned.map { kind in
          [
            "entity": .string(kind.entity),
            "relations": .array(kind.relations.map { .string($0) }),
            "objects": .int(kind.objects.count), "firstIds": json(kind.objects),
          ]
        }),
    ]
  }

  private func json(_ objects: StoreOrphans.Objects) -> JSONValue {
    .array(objects.first.map { .uint($0) })
  }
}
