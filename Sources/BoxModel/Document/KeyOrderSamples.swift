import BoxJSON

/// The orders of keys that a file shows.
struct KeyOrderSamples: Sendable {
  var top: [String]
  var entities: Set<[String]> = []
  var properties: Set<[String]> = []
  var relations: Set<[String]> = []

  /// The maximum number of entities at each end of a file, and of members of an entity, that are
  /// examined: they show as much as the whole.
  static let limit = 64
  /// The numbers of keys of an object, and of orders of a kind, that are examined: generators write
  /// some ten keys in a few orders.
  private static let keyLimit = 64
  private static let orderLimit = 32

  init(_ document: JSONDocument, _ nodes: ModelNodes) {
    top = Self.keys(of: document.root, in: document)
    for entity in nodes.entities.prefix(Self.limit) + nodes.entities.suffix(Self.limit) {
      Self.add(entity.object, of: document, to: &entities)
      for node in entity.properties.prefix(Self.limit) {
        Self.add(node, of: document, to: &properties)
      }
      for node in entity.relations.prefix(Self.limit) {
        Self.add(node, of: document, to: &relations)
      }
    }
  }

  private static func keys(of node: JSONNode, in document: JSONDocument) -> [String] {
    document.memberNodes(of: node).prefix(keyLimit).map { document.key($0.key) }
  }

  /// Adds the order of an object's keys.
  ///
  /// Files have few orders and many objects. Comparing with those that are known makes no strings,
  /// which took longer than reading the file.
  private static func add(
    _ node: JSONNode, of document: JSONDocument, to orders: inout Set<[String]>
  ) {
    if orders.count >= orderLimit { return }
    let isKnown = orders.count <= 16 && orders.contains { has(node, $0, document) }
    if !isKnown { orders.insert(keys(of: node, in: document)) }
  }

  private static func has(_ node: JSONNode, _ keys: [String], _ document: JSONDocument) -> Bool {
    var index = 0
    for (key, _) in document.memberNodes(of: node).prefix(keyLimit) {
      guard index < keys.count, document.key(key, equals: keys[index]) else { return false }
      index += 1
    }
    return index == keys.count
  }

  func inversions(in profile: GeneratorProfile) -> Int {
    var count = Self.inversions(top, profile.top)
    for keys in entities { count += Self.inversions(keys, profile.entity) }
    for keys in properties { count += Self.inversions(keys, profile.property) }
    for keys in relations { count += Self.inversions(keys, profile.relation) }
    return count
  }

  /// The profile with the orders of the file, where they differ or have keys that it does not know.
  func refine(_ profile: GeneratorProfile) -> GeneratorProfile {
    var result = profile
    result.top = Self.refined([top], profile.top)
    result.entity = Self.refined(entities, profile.entity)
    result.property = Self.refined(properties, profile.property)
    result.relation = Self.refined(relations, profile.relation)
    return result
  }

  private static func refined(_ samples: Set<[String]>, _ order: [String]) -> [String] {
    // The longest first: it says most. The rest of the order makes the result the same each time.
    let samples = samples.sorted { a, b in
      a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count > b.count
    }
    let fits = samples.allSatisfy { inversions($0, order) == 0 }
    var result = fits ? order : samples.first ?? order
    // A key that the order does not know goes as far to the end as its neighbours allow: that does not depend
    // on which known keys precede it.
    for keys in samples + [order] {
      var position = result.count
      for key in keys.reversed() {
        if let known = result.firstIndex(of: key) {
          position = known
        } else {
          result.insert(key, at: position)
        }
      }
    }
    return result
  }

  private static func inversions(_ keys: [String], _ order: [String]) -> Int {
    let positions = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    let ranks = keys.compactMap { positions[$0] }
    return zip(ranks, ranks.dropFirst()).count { $0 > $1 }
  }
}

extension ModelDocument {
  /// Whether a relation of the file has an empty text for its target.
  ///
  /// - Complexity: O(*n*) in the number of relations.
  var hasUnsetTargets: Bool {
    nodes.entities.contains { entity in
      entity.relations.contains { node in
        json.value(forKey: ElementField.targetID.key, in: node).map {
          json.range(of: $0).count == 2
        } ?? false
      }
    }
  }
}

/// The traits of the elements of a file except the order of their keys.
struct ElementTraits {
  /// Nil if the file does not show it.
  var writesEmptyRelations: Bool?
  var zeroFlagsOf: Set<ElementKind> = []
  var spreadsEmptyArrays = false

  init(_ document: JSONDocument, _ nodes: ModelNodes) {
    func hasZeroFlags(_ node: JSONNode) -> Bool {
      document.value(forKey: ElementField.flags.key, in: node).map { document.text(of: $0) == "0" }
        ?? false
    }
    func isEmptyArray(_ node: JSONNode) -> Bool {
      document.kind(of: node) == .array
        && document.elementNodes(of: node).first { _ in true } == nil
    }
    for entity in nodes.entities.prefix(KeyOrderSamples.limit) {
      let relations = document.value(forKey: "relations", in: entity.object)
      if let relations, isEmptyArray(relations) { writesEmptyRelations = true }
      if relations == nil, writesEmptyRelations == nil { writesEmptyRelations = false }
      if hasZeroFlags(entity.object) { zeroFlagsOf.insert(.entity) }
      if entity.properties.prefix(KeyOrderSamples.limit).contains(where: hasZeroFlags) {
        zeroFlagsOf.insert(.property)
      }
    }
    let lists = document.memberNodes(of: document.root).lazy.map(\.value).filter(isEmptyArray)
    spreadsEmptyArrays = lists.contains { document.range(of: $0).count > 2 }
  }
}
