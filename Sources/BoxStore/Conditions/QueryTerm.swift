internal import BoxEngine

/// A condition before the store is known.
indirect enum QueryTerm: Sendable {
  case and([QueryTerm])
  case or([QueryTerm])
  case not(QueryTerm)
  case test(PropertyTest)
  /// A condition that was read from a text; its values are fixed.
  case parsed(ParsedCondition)
  /// Some object at the other end of a relation fulfils a condition.
  case link(QueryLink, QueryTerm)
}

/// A relation from the entity of a condition, by ids of the model.
struct QueryLink: Sendable {
  enum Kind: Hashable, Sendable {
    /// The to-one relation of a property.
    case toOne(obx_schema_id)
    /// A standalone relation.
    case relation(obx_schema_id)
    /// The objects of the other entity whose to-one relation leads here.
    case toOneBacklink(obx_schema_id)
    /// The objects of the other entity from which a standalone relation leads here.
    case relationBacklink(obx_schema_id)
  }

  var kind: Kind
  /// The entity at the other end.
  var other: EntityInfo

  init(_ kind: Kind, _ other: EntityInfo) {
    self.kind = kind
    self.other = other
  }

  init(_ id: ToManyProperty<some Any>.ToManyId, _ other: EntityInfo) {
    self.other = other
    kind =
      switch id {
      case .valuePropertyId(let property): .toOneBacklink(property)
      case .relationId(let relation): .relation(relation)
      case .backlinkRelationId(let relation): .relationBacklink(relation)
      }
  }
}

extension QueryTerm {
  /// The first test, in the order of the text, that fulfils a condition.
  func first(where matches: (PropertyTest) -> Bool) -> PropertyTest? {
    switch self {
    case .and(let parts), .or(let parts):
      for part in parts { if let found = part.first(where: matches) { return found } }
      return nil
    case .not(let part), .link(_, let part): return part.first(where: matches)
    case .test(let test): return matches(test) ? test : nil
    case .parsed: return nil
    }
  }

  /// Replaces the first test, in the order of the text, that fulfils a condition.
  ///
  /// - Returns: Whether there was one.
  mutating func replaceFirst(
    where matches: (PropertyTest) -> Bool, with replacement: PropertyTest
  ) -> Bool {
    func replace(in parts: inout [QueryTerm]) -> Bool {
      parts.indices.contains { parts[$0].replaceFirst(where: matches, with: replacement) }
    }
    switch self {
    case .and(var parts):
      guard replace(in: &parts) else { return false }
      self = .and(parts)
    case .or(var parts):
      guard replace(in: &parts) else { return false }
      self = .or(parts)
    case .not(var part):
      guard part.replaceFirst(where: matches, with: replacement) else { return false }
      self = .not(part)
    case .link(let link, var part):
      guard part.replaceFirst(where: matches, with: replacement) else { return false }
      self = .link(link, part)
    case .test(let test):
      guard matches(test) else { return false }
      self = .test(replacement)
    case .parsed: return false
    }
    return true
  }

  /// All nearest-neighbour tests in it.
  var nearestTests: [PropertyTest] {
    switch self {
    case .and(let parts), .or(let parts): return parts.flatMap(\.nearestTests)
    case .not(let part), .link(_, let part): return part.nearestTests
    case .test(let test):
      if case .nearest = test.kind { return [test] }
      return []
    case .parsed: return []
    }
  }

  /// The parts that all have to hold.
  var conjuncts: [QueryTerm] {
    if case .and(let parts) = self { return parts.flatMap(\.conjuncts) }
    return [self]
  }
}

extension QueryTerm {
  /// The levels that a condition can have: each needs some hundred bytes of the stack, and the smallest threads
  /// have 512 KiB.
  static let maximumDepth = 200
}
