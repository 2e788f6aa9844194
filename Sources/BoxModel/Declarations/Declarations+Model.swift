extension RelationDeclaration {
  /// The rules alone, without the name.
  private struct Rules: Hashable {
    var relation: UID
    var sourceRemoved: DeleteRule?
    var targetRemoved: DeleteRule?
  }

  private var rules: Rules {
    Rules(relation: relation, sourceRemoved: sourceRemoved, targetRemoved: targetRemoved)
  }

  /// Whether it says the same as another one, whatever the relation was called.
  package func means(_ other: RelationDeclaration) -> Bool { rules == other.rules }
}

extension Declarations {
  /// Whether they say the same as others, whatever the relations were called.
  ///
  /// - Complexity: O(*n*).
  package func means(_ other: Declarations) -> Bool {
    relations.elementsEqual(other.relations) { $0.means($1) }
  }

  /// The declaration about a relation; nil if it is missing.
  ///
  /// - Complexity: O(log *n*).
  package func relation(_ uid: UID) -> RelationDeclaration? {
    var range = relations.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = relations[middle]
      if found.relation == uid { return found }
      range =
        found.relation < uid ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The declarations with the names that the relations have in a model.
  ///
  /// - Complexity: O(*n*) in the number of declarations and elements.
  package func named(by model: Model) -> Declarations {
    if isEmpty { return self }
    let kinds = model.declarable
    var result = self
    for position in relations.indices {
      guard case .relation(let name) = kinds[relations[position].relation] else { continue }
      result.relations[position].name = name
    }
    return result
  }
}

/// The role of a UID of a model for a declaration.
enum Declarable {
  /// A relation, with its name.
  case relation(String)
  /// Another element, in words.
  case other(String)
  /// An element that the model had.
  case retired
}

extension Model {
  /// The role of each UID of the model for a declaration about relations.
  var declarable: [UID: Declarable] {
    var result: [UID: Declarable] = [:]
    for kind in ElementKind.allCases {
      for uid in self[retired: kind] ?? [] { result[uid] = .retired }
    }
    for entity in entities {
      result[entity.pair.uid] = .other("the entity \(entity.name)")
      for property in entity.properties {
        let name = "\(entity.name).\(property.name)"
        if let index = property.indexID { result[index.uid] = .other("the index of \(name)") }
        result[property.pair.uid] =
          property.type == .relation ? .relation(name) : .other("the property \(name)")
      }
      for relation in entity.relations ?? [] {
        result[relation.pair.uid] = .relation("\(entity.name).\(relation.name)")
      }
    }
    return result
  }
}
