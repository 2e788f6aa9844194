/// The change that an operation made to an object.
enum MergeOutcome {
  case noEffect
  /// The object was not there and has exactly the values of the operation.
  case created
  /// The named properties have their values; the life may be a later one.
  case changed
  case removed
}

extension SyncEntity {
  /// Applies an insert, update or removal to an object, on a server as well as in a client's view.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  func merge<ID>(
    _ operation: SyncOperation<ID>, into state: inout ObjectState<ID>
  ) -> MergeOutcome {
    switch operation.kind {
    case .insert: return insert(operation, into: &state)
    case .update:
      guard state.isAlive, operation.life == state.life || PlantedFault.omits(.lifeOfUpdates),
        wins(operation.fields, over: state.fields)
      else { return .noEffect }
      state.fields.assign(operation.fields)
      return .changed
    case .remove, .replaced:
      guard state.isAlive, operation.life == state.life else { return .noEffect }
      state = ObjectState(life: state.life + 1)
      return .removed
    case .link, .unlink: return .noEffect
    }
  }

  private func insert<ID>(
    _ operation: SyncOperation<ID>, into state: inout ObjectState<ID>
  ) -> MergeOutcome {
    if !state.isAlive {
      guard operation.life > state.life else { return .noEffect }
      state = ObjectState(life: operation.life, fields: operation.fields.withoutNulls)
      return .created
    }
    guard
      operation.life > state.life
        || operation.life == state.life && wins(operation.fields, over: state.fields)
    else { return .noEffect }
    // Properties that the author's model lacks stay, as the object never went away.
    if PlantedFault.omits(.valuesOutsideOfModel) { state.fields = Fields() }
    state.fields.assign(operation.fields)
    state.life = operation.life
    return .changed
  }

  /// Whether values win over the fields of the object: by the precedence, then by the clock, then by arrival.
  private func wins<ID>(_ new: Fields<ID>, over old: Fields<ID>) -> Bool {
    if let precedence {
      let (a, b) = (new[precedence]?.unsigned ?? 0, old[precedence]?.unsigned ?? 0)
      if a != b { return a > b }
    }
    guard let clock else { return true }
    return (new[clock]?.unsigned ?? 0) > (old[clock]?.unsigned ?? 0)
  }
}
