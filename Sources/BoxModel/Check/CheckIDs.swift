import BoxJSON
import BoxReport

/// The checks that ids are unique in their kind, and that no counter is below an id.
extension ModelChecker {
  mutating func checkIDs() {
    var byCounter: [Counter: [(place: ElementPlace, pair: IDPair)]] = [
      .entity: [], .index: [], .relation: [],
    ]
    model.forEachElement { place, pair in
      if place.kind != .property {
        byCounter[model.counter(of: place), default: []].append((place, pair))
      }
    }
    for counter in [Counter.entity, .index, .relation] {
      let elements = byCounter[counter] ?? []
      checkDuplicateIDs(elements)
      checkLast(
        counter, model[last: counter], elements, at: rootRange(counter.kind.lastPairKey))
    }
    checkUnset()
    for (e, entity) in model.entities.enumerated() {
      let elements = entity.properties.enumerated().map { p, property in
        (place: ElementPlace.property(entity: e, p), pair: property.pair)
      }
      checkDuplicateIDs(elements)
      checkLast(
        .property(entity: entity.pair.uid), entity.lastPropertyID, elements,
        at: range(.entity(e), .lastPropertyID), owner: entity.name)
    }
  }

  /// Go and C write an empty text for a counter that has given no number, and take nothing else;
  /// that a file is theirs shows where it has one.
  private mutating func checkUnset() {
    let unset = [ElementKind.entity, .index, .relation].compactMap { kind in
      document.json.value(forKey: kind.lastPairKey, in: document.json.root)
        .map { (kind: kind, node: $0, text: document.json.text(of: $0)) }
    }
    guard unset.contains(where: { $0.text == "\"\"" }) else { return }
    for (kind, node, text) in unset where text == "\"0:0\"" {
      report(
        ModelRule.lastIDZero, at: document.json.range(of: node),
        "\(kind.lastPairKey) is \(text), which the generator for Go and C refuses",
        advice: "write \"\" instead, as in the rest of the file", fix: .emptyLast(kind))
    }
  }

  private mutating func checkDuplicateIDs(_ elements: [(place: ElementPlace, pair: IDPair)]) {
    var first: [UInt32: ElementPlace] = [:]
    let highest = elements.map(\.pair.id).max() ?? 0
    let next = IDPair.nextID(after: highest)
    for (place, pair) in elements {
      guard let other = first.updateValue(place, forKey: pair.id) else { continue }
      first[pair.id] = other
      report(
        duplicateRule(place.kind), at: pairRange(place),
        place.kind == .index
          ? "id \(pair.id) of the \(model.label(place)) is also the id of the \(model.label(other))"
          : "\(place.kind) id \(pair.id) of \(model.label(place)) is also the id of "
            + model.label(other),
        advice: next.map {
          "give one of the two the id \($0), keep its UID, and raise \(place.kind.lastPairKey) to it; "
            + "where two branches were merged, `boxjoint resolve` decides which"
        } ?? "restore the ids from version control: no id above \(highest) is free")
    }
  }

  private func duplicateRule(_ kind: ElementKind) -> Rule {
    switch kind {
    case .entity: ModelRule.duplicateEntityID
    case .property: ModelRule.duplicatePropertyID
    case .index: ModelRule.duplicateIndexID
    case .relation: ModelRule.duplicateRelationID
    }
  }

  private mutating func checkLast(
    _ counter: Counter, _ last: IDPair?, _ elements: [(place: ElementPlace, pair: IDPair)],
    at range: Range<Int>, owner: String? = nil
  ) {
    let kind = counter.kind
    let key = kind.lastPairKey
    let inOwner = owner.map { " of \($0)" } ?? ""
    guard let highest = elements.max(by: { $0.pair.id < $1.pair.id }) else {
      if let last, !last.isUnset { checkLastUID(kind, last, at: range, inOwner) }
      return
    }
    let label = model.label(highest.place)
    let fix = ModelEdit.setLast(counter, highest.pair)
    guard let last else {
      return report(
        ModelRule.lastIDMissing, at: range,
        "\(key)\(inOwner) is missing, but \(label) has the id \(highest.pair.id)",
        advice: "add \"\(key)\": \"\(highest.pair)\"", fix: fix)
    }
    if last.id < highest.pair.id {
      report(
        ModelRule.lastIDTooLow, at: range,
        "\(key)\(inOwner) is \(last.id), but \(label) has the id \(highest.pair.id)",
        advice: "set \(key) to \"\(highest.pair)\", the pair of the highest id", fix: fix)
    } else if last.id == highest.pair.id {
      if !elements.contains(where: { $0.pair == last }) {
        report(
          ModelRule.lastIDMismatch, at: range,
          "\(key)\(inOwner) is \"\(last)\", and \(label), which has the id \(last.id), "
            + "has the UID \(highest.pair.uid)",
          advice: "set \(key) to \"\(highest.pair)\"", fix: fix)
      }
    } else {
      checkLastUID(kind, last, at: range, inOwner)
    }
  }

  /// The UID of a counter whose element was removed: it has to be a retired one.
  private mutating func checkLastUID(
    _ kind: ElementKind, _ last: IDPair, at range: Range<Int>, _ inOwner: String
  ) {
    let key = kind.lastPairKey
    if let place = lookup[kind, last.uid] {
      report(
        ModelRule.lastIDMismatch, at: range,
        "\(key)\(inOwner) is \"\(last)\", and its UID belongs to \(model.label(place)), "
          + "which has another id",
        advice: "restore \(key) from version control: ids up to \(last.id) were given")
    } else if model[retired: kind] != nil, !lookup.isRetired(kind, last.uid) {
      // The generator for Dart does not retire the indexes and relations of a removed entity.
      let isUsual = kind == .index || kind == .relation
      report(
        ModelRule.lastIDUnknown, severity: isUsual ? .note : .warning, at: range,
        "\(key)\(inOwner) is \"\(last)\", and its UID is neither in use nor in "
          + kind.retiredListKey,
        advice: "add \(last.uid) to \(kind.retiredListKey) if its \(kind) was removed; otherwise "
          + "restore the \(kind) from version control")
    }
  }
}
