package import BoxModel

/// The numbers that the rules of merging give a single model, as the successor of an earlier version.
///
/// Git takes a file without a merge if one side did not change it, and where it reverts the last commit. So
/// published ids are lost, and ids that were given before are given again. This is the merge of such a file with
/// itself.
package struct SettledModel: Sendable {
  package var numbers: SettledNumbers
  /// Whether the history of what is published can change them.
  package var asksForPublishedHistory: Bool

  /// Creates the numbers of a model; nil if it is such that the rules give it none.
  ///
  /// - Parameters:
  ///   - document: The model.
  ///   - earlier: The version that it comes from.
  ///   - published: What is published.
  ///   - publishesEarlier: Whether the earlier version counts as published too, with the lowest precedence.
  /// - Complexity: O(*n* log *n*) in the number of elements.
  package init?(
    _ document: ModelDocument, since earlier: ModelDocument, published: Published,
    publishesEarlier: Bool = true
  ) {
    guard document.isComplete, earlier.isComplete else { return nil }
    var published = published
    if publishesEarlier {
      published.head = PublishedModel(name: "the version compared with", model: earlier.model)
    }
    let base = SideView(earlier.model, earlier.lookup, from: nil)
    let model = document.model.retiring(
      what: earlier.lookup, earlier.model, isNotIn: document.lookup)
    let side = SideView(model, ModelLookup(model), from: base)
    var merger = Merger(
      base: base, sides: BySide(ours: side, theirs: side), published: published, history: nil,
      choices: [:], fallback: .ours, layoutSide: .ours)
    merger.keepsLastsOfBase = true
    guard let merged = try? merger.merged() else { return nil }
    var numbers = SettledNumbers(ids: [:], lasts: [:], published: [:])
    let lookup = ModelLookup(merged.model)
    let counters =
      [Counter.entity, .index, .relation]
      + merged.model.entities.map { .property(entity: $0.pair.uid) }
    for counter in counters {
      numbers.lasts[counter] = lookup.last(counter, in: merged.model)
    }
    merged.model.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      numbers.ids[key] = pair.id
      let counter = merged.model.counter(of: place)
      let known =
        published.ids(of: key, in: counter)
        + [published.formerID(of: key, in: counter)].compactMap(\.self)
      if let model = known.first(where: { $0.id == pair.id })?.model {
        numbers.published[key] = model.described
      }
    }
    self.numbers = numbers
    asksForPublishedHistory = merged.answers.asksForPublishedHistory
  }
}

extension Model {
  /// The model with the UIDs of an earlier version that it does not mention as retired ones, so that last pairs
  /// can name them.
  fileprivate func retiring(
    what earlier: ModelLookup, _ earlierModel: Model, isNotIn lookup: ModelLookup
  ) -> Model {
    var result = self
    func retire(_ kind: ElementKind, _ uid: UID) {
      if lookup.isLive(uid) || lookup.isRetired(uid) { return }
      result[retired: kind] = (result[retired: kind] ?? []) + [uid]
    }
    earlierModel.forEachElement { place, pair in retire(place.kind, pair.uid) }
    for kind in ElementKind.allCases {
      for uid in earlierModel[retired: kind] ?? [] { retire(kind, uid) }
    }
    return result
  }
}
