/// A condition as operators build it: each of them adds a node in constant time.
///
/// A tree can have any depth. A ``QueryTerm`` is made of it when a query is built.
final class ConditionTree: @unchecked Sendable {
  enum Kind {
    /// A term without parts.
    case term(QueryTerm)
    /// All parts, which `allOf` lists or `&&` joins.
    case and(isJoined: Bool)
    /// One of the parts, which `anyOf` lists or `||` joins.
    case or(isJoined: Bool)
    case not
    case link(QueryLink)
  }

  let kind: Kind
  /// The parts, in the order of the text; nil once it is released.
  ///
  /// Nothing else changes it.
  private var children: [ConditionTree]?
  var parts: [ConditionTree] { children ?? [] }

  init(_ kind: Kind, _ parts: [ConditionTree] = []) {
    self.kind = kind
    children = parts
  }

  convenience init(_ term: QueryTerm) { self.init(.term(term)) }

  static var always: ConditionTree { ConditionTree(.and(isJoined: false)) }
  static var never: ConditionTree { ConditionTree(.or(isJoined: false)) }

  deinit { BoundedRelease.release(&children) }

  /// The condition that the condition does not hold.
  ///
  /// Twice is not at all, so that a loop may turn a condition round again and again.
  var negated: ConditionTree {
    if case .not = kind { return parts[0] }
    return ConditionTree(.not, [self])
  }

  // MARK: - The term

  /// The term of the tree, in which `&&` and `||` list their parts.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a tree of too many levels, such as
  ///   `!(!(a && b) && c)` with three.
  /// - Complexity: O(*n*) in the size of the tree.
  func term() throws -> QueryTerm { try term(level: 1) }

  private func term(level: Int) throws -> QueryTerm {
    if level > QueryTerm.maximumDepth {
      throw ObjectBoxError.illegalArgument(
        message: "the condition is nested deeper than \(QueryTerm.maximumDepth) levels; "
          + "list its parts with allOf(_:) and anyOf(_:)")
    }
    var terms: [QueryTerm] = []
    for part in listedParts { terms.append(try part.term(level: level + 1)) }
    switch kind {
    case .term(let term): return term
    case .and: return .and(terms)
    case .or: return .or(terms)
    case .not: return .not(terms[0])
    case .link(let link): return .link(link, terms[0])
    }
  }

  /// The parts, in place of those that the same operator joins and of lists of the same kind their own.
  private var listedParts: [ConditionTree] {
    guard isJoined else { return parts }
    var result: [ConditionTree] = []
    // The next one is the last.
    var waiting = Array(parts.reversed())
    while let next = waiting.popLast() {
      // An empty list is a part too.
      if !next.isSame(as: self) || next.parts.isEmpty {
        result.append(next)
      } else if next.isJoined {
        waiting += next.parts.reversed()
      } else {
        result += next.parts
      }
    }
    return result
  }

  private var isJoined: Bool {
    switch kind {
    case .and(let isJoined), .or(let isJoined): isJoined
    default: false
    }
  }

  private func isSame(as other: ConditionTree) -> Bool {
    switch (kind, other.kind) {
    case (.and, .and), (.or, .or): true
    default: false
    }
  }
}
