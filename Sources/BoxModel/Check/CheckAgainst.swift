import BoxReport

extension ModelDocument {
  /// The issues of the model as a successor of an earlier version of it, in the order of the text.
  ///
  /// These are rules `BOX201` to `BOX209`; ``check()`` covers all others. If no entity of the
  /// earlier version is left, the only issue is that one. If one of the two versions is not
  /// complete, there are no issues: elements that could not be read would appear to be removed.
  ///
  /// - Complexity: O(*n* log *n*) in the number of elements of both.
  package func check(against earlier: ModelDocument) -> [ModelIssue] {
    check(against: earlier, limit: .max).listed
  }

  /// The issues of ``check(against:)``, limited to the number that a report lists.
  ///
  /// - Parameters:
  ///   - earlier: The earlier version.
  ///   - limit: The number of issues of a rule and a severity that are listed; the others are
  ///     counted.
  ///   - settled: The ids that the rules of merging give the model: what has them is right, and all
  ///     else is an issue, also if it is as in the earlier version. Nil if they are not known.
  ///   - conversions: The changes of types whose values are stated to be converted.
  ///   - approval: The command that states one; nil if there is no place for it.
  /// - Returns: The issues, in the order of the text.
  /// - Complexity: O(*n* log *n*) in the number of elements of both.
  package func check(
    against earlier: ModelDocument, limit: Int, settled: SettledNumbers? = nil,
    conversions: Set<TypeDifference> = [], approval: String? = nil
  ) -> ModelIssues {
    guard isComplete, earlier.isComplete else { return ModelIssues(limit: limit) }
    var checker = SuccessorChecker(self, earlier.model, settled, limit: limit)
    (checker.conversions, checker.approval) = (conversions, approval)
    checker.check()
    checker.checker.issues.sort()
    return checker.checker.issues
  }
}

/// Compares a model with an earlier version of it.
struct SuccessorChecker {
  /// A number as a counter gave it.
  private struct Number: Hashable {
    var counter: Counter
    var id: UInt32
  }

  var checker: ModelChecker
  let model: Model
  let lookup: ModelLookup
  let earlier: Model
  let earlierLookup: ModelLookup
  /// The ids that the model has by the rules of merging; nil if they are not known.
  let settled: SettledNumbers?
  /// The changes of types that are stated, and the command that states one.
  var conversions: Set<TypeDifference> = []
  var approval: String?
  private var reported: Set<ElementKey> = []
  private let difference: ModelDifference
  private var earlierPlaces: [Number: ElementPlace] = [:]

  init(
    _ document: ModelDocument, _ earlier: Model, _ settled: SettledNumbers? = nil, limit: Int
  ) {
    self.settled = settled
    checker = ModelChecker(document, limit: limit)
    model = document.model
    lookup = checker.lookup
    self.earlier = earlier
    earlierLookup = ModelLookup(earlier)
    difference = ModelDifference(from: earlier, earlierLookup, to: model, lookup)
    guard difference.changes.values.contains(.added) else { return }
    var places: [Number: ElementPlace] = [:]
    earlier.forEachElement { place, pair in
      places[Number(counter: earlier.counter(of: place), id: pair.id)] = place
    }
    earlierPlaces = places
  }

  mutating func check() {
    if let first = model.entities.first, !earlier.entities.isEmpty,
      !earlier.entities.contains(where: { lookup.entity($0.pair.uid) != nil }), !isReplaced
    {
      return checker.report(
        ModelRule.regenerated, at: checker.pairRange(.entity(0)),
        "no entity has a UID of the earlier version, which had \(earlier.entities.count) entities: "
          + "the file was newly generated, from \(first.name) on",
        advice:
          "run `boxjoint recover`, which finds the earlier file, and build again; a database of "
          + "the earlier version does not open with this file")
    }
    for key in difference.sortedKeys {
      switch difference[key.kind, key.uid] {
      case .changed(let fields): checkChanged(key, fields)
      case .removed(.forgotten): checkForgotten(key)
      case .added: checkAdded(key)
      default: break
      }
    }
    checkSettled()
    checkCounters()
    checkRetiredLists()
  }

  /// Whether all earlier entities were retired, as a file that was newly generated has not.
  ///
  /// An entity that begins again under its name is a reset, of which another rule speaks.
  private var isReplaced: Bool {
    earlier.entities.allSatisfy { lookup.isRetired(.entity, $0.pair.uid) }
  }

  private mutating func checkChanged(_ key: ElementKey, _ fields: [FieldChange]) {
    guard let place = lookup[key.kind, key.uid] else { return }
    for field in fields {
      switch (field.field, field.before, field.after) {
      case (.id, .number(let before), .number(let after)):
        if let settled, settled.ids[key].map({ Int($0) == after }) ?? false { continue }
        reported.insert(key)
        checker.report(
          ModelRule.idChanged, at: checker.pairRange(place),
          "\(model.label(place)) has the id \(after), and had \(before) before",
          advice: settled?.ids[key].map { Int($0) != before } ?? false
            ? nil : "restore the id from version control: databases know it by \(before)",
          fix: fix(key, place))
      case (.type, .type(let before), .type(let after)):
        let change = TypeDifference(
          element: model.label(place), uid: key.uid, before: before, after: after)
        if conversions.contains(change) { continue }
        checker.report(
          ModelRule.typeChanged, at: checker.range(place, .type),
          "\(model.label(place)) has the type \(after), and had \(before) before, with the same UID",
          advice: "restore the type, or give the property a new UID and id and retire \(key.uid); "
            + "if stores convert its values, "
            + (approval.map { "`\($0)` notes that" } ?? "add BOX205 to check.ignore"))
      case (.flag(let bit), _, .isSet(let isSet)) where key.kind == .entity:
        checkSync(place, EntityFlags(rawValue: bit), isSet)
      default: break
      }
    }
  }

  private mutating func checkSync(_ place: ElementPlace, _ flag: EntityFlags, _ isSet: Bool) {
    let name: String
    switch flag {
    case .syncEnabled: name = "SYNC_ENABLED"
    case .sharedGlobalIDs: name = "SHARED_GLOBAL_IDS"
    default: return
    }
    checker.report(
      ModelRule.syncChanged, at: checker.range(place, .flags),
      "\(model.label(place)) \(isSet ? "has" : "has lost") the flag \(name), which it "
        + "\(isSet ? "did not have" : "had") before",
      advice:
        "restore the flags, or retire the entity and add another one for the objects that are "
        + "\(isSet ? "" : "not ")synchronized")
  }

  /// Reports an element that was removed without being retired, unless its owner was removed with
  /// it.
  private mutating func checkForgotten(_ key: ElementKey) {
    guard let place = earlierLookup[key.kind, key.uid] else { return }
    let owner = earlier.entities[place.entity]
    if key.kind != .entity, lookup.entity(owner.pair.uid) == nil { return }
    if case .index(_, let p) = place, lookup[.property, owner.properties[p].pair.uid] == nil {
      return
    }
    let list = checker.rootRange(key.kind.retiredListKey)
    checker.report(
      ModelRule.forgotten, at: list.lowerBound..<list.lowerBound + 1,
      "the \(key.kind == .index ? "" : "\(key.kind) ")\(earlier.label(place)) was removed, and its UID "
        + "\(key.uid) is not in \(key.kind.retiredListKey)",
      advice: "if it was removed on purpose, add its UID to the list; otherwise restore it from "
        + "version control",
      fix: .retire(lost(with: place)))
  }

  /// An element and what it holds, as far as it is neither in use nor retired.
  private func lost(with place: ElementPlace) -> [ElementKey] {
    let owner = earlier.entities[place.entity]
    func keys(of property: Property) -> [ElementKey] {
      [ElementKey(.property, property.pair.uid)]
        + (property.indexID.map { [ElementKey(.index, $0.uid)] } ?? [])
    }
    let keys: [ElementKey] =
      switch place {
      case .entity:
        [ElementKey(.entity, owner.pair.uid)] + owner.properties.flatMap { keys(of: $0) }
          + (owner.relations ?? []).map { ElementKey(.relation, $0.pair.uid) }
      case .property(_, let p): keys(of: owner.properties[p])
      case .index(_, let p):
        owner.properties[p].indexID.map { [ElementKey(.index, $0.uid)] } ?? []
      case .relation(_, let r):
        (owner.relations?[r]).map { [ElementKey(.relation, $0.pair.uid)] } ?? []
      }
    return keys.filter { !lookup.isLive($0.uid) && !lookup.isRetired($0.uid) }
  }

  private mutating func checkAdded(_ key: ElementKey) {
    guard let place = lookup[key.kind, key.uid] else { return }
    if earlierLookup.isRetired(key.uid) {
      checker.report(
        ModelRule.revived, at: checker.pairRange(place),
        "\(model.label(place)) has the UID \(key.uid), which was retired",
        advice: "unless it is what was removed, give it a new id and a new UID: databases may hold "
          + "something else under the old one")
    }
    guard let pair = model.pair(at: place),
      let last = earlierLookup.last(model.counter(of: place), in: earlier), pair.id <= last.id,
      !earlierLookup.isRetired(key.kind, key.uid)
    else { return }
    // Another element of a published version, which a merge brought.
    if let settled, settled.ids[key] == pair.id { return }
    let before = earlierOwner(of: pair.id, model.counter(of: place))
    // Of two elements with one id in this file another rule speaks.
    if settled == nil, let before, lookup[key.kind, before.uid] != nil { return }
    reported.insert(key)
    let reason =
      before.map { "which belonged to \($0.name) with the UID \($0.uid)" }
      ?? "and ids up to \(last.id) were given before"
    checker.report(
      ModelRule.idReused, at: checker.pairRange(place),
      "\(model.label(place)) has the id \(pair.id), \(reason)",
      advice: "give it the next id above \(key.kind.lastPairKey), and raise that",
      fix: fix(key, place))
  }

  /// The edit that gives an element the id that it has by the rules of merging.
  private func fix(_ key: ElementKey, _ place: ElementPlace) -> ModelEdit? {
    let counter = model.counter(of: place)
    return settled?.ids[key].map {
      .setID(
        key, $0, name: model.label(place), counter: counter, last: settled?.lasts[counter])
    }
  }

  /// Reports each other element that has another id than by the rules of merging.
  private mutating func checkSettled() {
    guard let settled else { return }
    model.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      guard let id = settled.ids[key], id != pair.id, !reported.contains(key) else { return }
      let label = model.label(place)
      if let name = settled.published[key] {
        checker.report(
          ModelRule.idChanged, at: checker.pairRange(place),
          "\(label) has the id \(pair.id), and is published under \(id) in \(name)",
          fix: fix(key, place))
      } else {
        checker.report(
          ModelRule.idReused, at: checker.pairRange(place),
          "\(label) has the id \(pair.id), which is given already in what is published",
          fix: fix(key, place))
      }
    }
  }

  /// The element that had an id in the earlier version; nil if that is unknown.
  private func earlierOwner(of id: UInt32, _ counter: Counter) -> (uid: UID, name: String)? {
    if let place = earlierPlaces[Number(counter: counter, id: id)],
      let pair = earlier.pair(at: place)
    {
      return (pair.uid, earlier.label(place))
    }
    if let last = earlierLookup.last(counter, in: earlier), last.id == id {
      return (last.uid, "something that was removed")
    }
    return nil
  }
}
