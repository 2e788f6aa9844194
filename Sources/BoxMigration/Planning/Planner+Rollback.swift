internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// The check whether the old model opens a store again that the new model has opened.
extension Planner {
  /// Asks the engine, and notes it in every step if the engine would refuse the old model.
  ///
  /// The rules judge each change alone; only opening the store shows the effect of all changes
  /// together.
  mutating func planRollback() {
    if !targets.contains(.boxjoint) || difference.changes.isEmpty { return }
    if steps.contains(where: { $0.engine.changeClass == .openFailure }) { return }
    let parts = Self.changedParts(old, oldLookup, new, newLookup, difference)
    let forecast = OpeningForecast(
      opening: parts.old, after: [parts.old, parts.new], acceptsRegenerated: false)
    // A store that the new model cannot open has no way back.
    let reasons = forecast.refusals.map(\.message) + refusalsOfWayBack
    if !forecast.opensEarlier || reasons.isEmpty { return }
    refuseRollback(reasons.joined(separator: "; "))
  }

  /// The two models without the entities that are equal in both and that no relation of a changed entity has
  /// as target.
  ///
  /// The engine accepts these, and checking a large model is slow.
  static func changedParts(
    _ old: Model, _ oldLookup: ModelLookup, _ new: Model, _ newLookup: ModelLookup,
    _ difference: ModelDifference
  ) -> (old: Model, new: Model) {
    var changed: Set<UID> = []
    for key in difference.changes.keys {
      for (lookup, model) in [(oldLookup, old), (newLookup, new)] {
        if let place = lookup[key.kind, key.uid] {
          changed.insert(model.entities[place.entity].pair.uid)
        }
      }
    }
    return (part(of: old, changed), part(of: new, changed))
  }

  private static func part(of model: Model, _ changed: Set<UID>) -> Model {
    var targets: Set<ExactText> = []
    for entity in model.entities where changed.contains(entity.pair.uid) {
      for property in entity.properties {
        if let target = property.relationTarget { targets.insert(foldedName(target)) }
      }
    }
    var part = model
    part.entities.removeAll {
      !changed.contains($0.pair.uid) && !targets.contains(foldedName($0.name))
    }
    return part
  }
}
