import BoxModel
import BoxReport

/// A model with what the laws look up in it.
struct Version {
  let document: ModelDocument
  let lookup: ModelLookup
  /// The pair of each element, and the counter that gave it.
  let pairs: [ElementKey: (pair: IDPair, counter: Counter)]
  /// The owner of each element: for an index its property.
  let owners: [ElementKey: ElementKey]
  let names: [ElementKey: String]

  var model: Model { document.model }

  init(_ document: ModelDocument) {
    self.document = document
    lookup = ModelLookup(document.model)
    var pairs: [ElementKey: (pair: IDPair, counter: Counter)] = [:]
    var owners: [ElementKey: ElementKey] = [:]
    var names: [ElementKey: String] = [:]
    let model = document.model
    model.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      pairs[key] = (pair, model.counter(of: place))
      let entity = model.entities[place.entity]
      switch place {
      case .entity: names[key] = entity.name.lowercased()
      case .property(_, let p):
        owners[key] = ElementKey(.entity, entity.pair.uid)
        names[key] = entity.properties[p].name.lowercased()
      case .index(_, let p):
        owners[key] = ElementKey(.property, entity.properties[p].pair.uid)
        names[key] = "index of " + entity.properties[p].name.lowercased()
      case .relation(_, let r):
        owners[key] = ElementKey(.entity, entity.pair.uid)
        names[key] = entity.relations?[r].name.lowercased()
      }
    }
    (self.pairs, self.owners, self.names) = (pairs, owners, names)
  }

  func isKnown(_ key: ElementKey) -> Bool {
    pairs[key] != nil || lookup.isRetired(key.kind, key.uid)
  }

  func last(_ counter: Counter) -> UInt32 { model[last: counter]?.id ?? 0 }

  /// Whether an element is there, with a number of another counter.
  func hasElsewhere(_ uid: UID, _ counter: Counter) -> Bool {
    pairs[ElementKey(counter.kind, uid)].map { $0.counter != counter } ?? false
  }

  /// The kind, the owner and the name of an element: a declaration in the sources has no more.
  struct Declaration: Hashable {
    var kind: ElementKind
    var owner: ElementKey?
    var name: String
  }

  func declaration(of key: ElementKey) -> Declaration? {
    names[key].map { Declaration(kind: key.kind, owner: owners[key], name: $0) }
  }

  /// The counters of the model, those of its entities among them.
  var counters: [Counter] {
    [.entity, .index, .relation] + model.entities.map { .property(entity: $0.pair.uid) }
  }

  /// Every element, live or retired.
  var keys: Set<ElementKey> {
    var result = Set(pairs.keys)
    for kind in ElementKind.allCases {
      result.formUnion((model[retired: kind] ?? []).map { ElementKey(kind, $0) })
    }
    return result
  }

  var errors: [String] {
    document.check().filter { $0.severity == .error }.map { "\($0.rule.id) \($0.message)" }
  }
}

extension Model {
  /// The model with its lists of UIDs in ascending order: each side keeps its own.
  var withSortedLists: Model {
    var result = self
    result.newUIDPool?.sort()
    for kind in ElementKind.allCases { result[retired: kind]?.sort() }
    return result
  }

  /// The model without what the writers of files do differently: order, and how nothing is written.
  var canonical: Model {
    var result = self
    result.lastSequenceID = nil
    result.newUIDPool = (newUIDPool ?? []).sorted()
    result.lastEntityID = lastEntityID ?? .unset
    result.lastIndexID = lastIndexID ?? .unset
    result.lastRelationID = lastRelationID ?? .unset
    for kind in ElementKind.allCases {
      result[retired: kind] = (self[retired: kind] ?? []).sorted()
    }
    result.otherMembers.sort { $0.key < $1.key }
    result.entities.sort { $0.pair.uid < $1.pair.uid }
    for e in result.entities.indices {
      result.entities[e].lastPropertyID = result.entities[e].lastPropertyID ?? .unset
      result.entities[e].properties.sort { $0.pair.uid < $1.pair.uid }
      result.entities[e].relations = (result.entities[e].relations ?? []).sorted {
        $0.pair.uid < $1.pair.uid
      }
      result.entities[e].otherMembers.sort { $0.key < $1.key }
    }
    return result
  }
}

extension Model {
  /// The model with no last pair in some counters, and no number from them.
  func withoutNumbers(of counters: Set<Counter>) -> Model {
    var result = self
    for counter in counters { result[last: counter] = nil }
    for e in entities.indices {
      if counters.contains(.entity) { result.entities[e].pair.id = 0 }
      for p in entities[e].properties.indices {
        if counters.contains(.property(entity: entities[e].pair.uid)) {
          result.entities[e].properties[p].pair.id = 0
        }
        if counters.contains(.index) { result.entities[e].properties[p].indexID?.id = 0 }
      }
      for r in entities[e].relations?.indices ?? 0..<0 {
        if counters.contains(.relation) { result.entities[e].relations?[r].pair.id = 0 }
        if counters.contains(.entity) { result.entities[e].relations?[r].target.id = 0 }
      }
    }
    return result
  }
}

/// The differences of two canonical models, for the message of a failed law.
func differences(_ a: Model, _ b: Model) -> String {
  let (a, b) = (a.canonical, b.canonical)
  if a == b { return "" }
  let difference = ModelDifference(from: a, to: b)
  var lines = difference.sortedKeys.prefix(4).map { key in
    "\(key.kind) \(key.uid): \(difference[key.kind, key.uid].map { "\($0)" } ?? "")"
  }
  for kind in ElementKind.allCases where a[retired: kind] != b[retired: kind] {
    lines.append(
      "\(kind.retiredListKey): \(a[retired: kind] ?? []) and \(b[retired: kind] ?? [])")
  }
  for counter in [Counter.entity, .index, .relation] where a[last: counter] != b[last: counter] {
    lines.append(
      "\(counter.kind.lastPairKey): \(a[last: counter] ?? .unset) and \(b[last: counter] ?? .unset)"
    )
  }
  for (e, f) in zip(a.entities, b.entities) where e.lastPropertyID != f.lastPropertyID {
    lines.append(
      "lastPropertyId of \(e.name): \(e.lastPropertyID ?? .unset) and \(f.lastPropertyID ?? .unset)"
    )
  }
  if a.newUIDPool != b.newUIDPool {
    lines.append("newUidPool: \(a.newUIDPool ?? []) and \(b.newUIDPool ?? [])")
  }
  if lines.isEmpty { lines.append("versions or unknown keys") }
  return lines.joined(separator: "; ")
}
