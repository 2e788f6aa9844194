internal import BoxModel

extension Declarations {
  /// The relations to one whose sources a removal of a target has to find.
  private var lookedUp: Set<UID> {
    Set(relations.filter { $0.targetRemoved ?? .noAction != .noAction }.map(\.relation))
  }

  /// The properties of a model whose indexes removals need, as `Entity.property`.
  ///
  /// - Complexity: O(*n*) in the elements of the model and the declarations.
  func ruledProperties(of model: Model) -> [(label: String, property: Property)] {
    let uids = lookedUp
    if uids.isEmpty { return [] }
    return model.entities.flatMap { entity in
      entity.properties.filter { uids.contains($0.pair.uid) && $0.type == .relation }
        .map { ("\(entity.name).\($0.name)", $0) }
    }
  }
}
