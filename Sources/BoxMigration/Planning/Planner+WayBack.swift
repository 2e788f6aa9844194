internal import BoxEngine
internal import BoxModel
internal import BoxReport

/// The check whether the old model opens a store again that the new model has opened.
extension Planner {
  /// Asks the engine, and notes it in every step if the engine would refuse the old model.
  ///
  /// The rules judge each change alone; only opening the store shows the effect of all changes
  /// together.
  mutating func planWayBack() {
    if !targets.contains(.boxjoint) || difference.changes.isEmpty { return }
    if steps.contains(where: { $0.engine.changeClass == .openFailure }) { return }
    // What is the same in both models is in nobody's way, and a large model takes its time.
    let touched = Set(difference.changes.keys.flatMap { owners($0) })
    let models = [old, new].map { model in
      var part = model
      part.entities.removeAll { !touched.contains($0.pair.uid) }
      return part
    }
    let wayBack = OpeningForecast(opening: models[0], after: models, acceptsRegenerated: false)
    // What the new model cannot open has no way back.
    if !wayBack.hasStores || wayBack.refusals.isEmpty { return }
    refuseWayBack(wayBack.refusals.map(\.message).joined(separator: "; "))
  }

  /// The entities that an element belongs to in the two models.
  private func owners(_ key: ElementKey) -> [UID] {
    [(oldLookup, old), (newLookup, new)].compactMap { lookup, model in
      lookup[key.kind, key.uid].map { model.entities[$0.entity].pair.uid }
    }
  }
}
