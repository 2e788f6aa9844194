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
      guard case .relation(let name, _) = kinds[relations[position].relation] else { continue }
      result.relations[position].name = name
    }
    return result
  }
}

extension RelationDeclaration {
  /// Whether a removal of a target has to find the objects that refer to it.
  package var findsSources: Bool { targetRemoved ?? .noAction != .noAction }
}

/// A reason why no store opens with a model and declarations.
package struct DeclarationMismatch: Hashable, Sendable {
  /// The kind of a reason.
  package enum Kind: Hashable, Sendable {
    /// The declaration is about another element than a relation.
    case otherElement
    /// The relation lacks the index by which the removal of a target finds its sources.
    case missingIndex
  }

  /// The kind of the reason.
  package let kind: Kind
  /// The UID that the declaration is about.
  package let uid: UID
  /// The reason, in one sentence without a trailing period.
  package let message: String
  /// The advice.
  package let advice: String
}

extension Declarations {
  /// The reasons why no store opens with a model and these declarations; those about elements that the model lacks are
  /// no reason.
  ///
  /// The opening of a store, plans and checks all ask here.
  ///
  /// - Complexity: O(*n*) in the number of declarations and elements.
  package func mismatches(with model: Model) -> [DeclarationMismatch] {
    if isEmpty { return [] }
    let kinds = model.declarable
    return relations.compactMap { $0.mismatch(with: kinds[$0.relation]) }
  }

  /// The declarations about the relations of a model.
  ///
  /// - Complexity: O(*n*) in the number of declarations and elements.
  package func about(_ model: Model) -> Declarations {
    if isEmpty { return self }
    let kinds = model.declarable
    return Declarations(
      relations: relations.filter {
        if case .relation = kinds[$0.relation] { true } else { false }
      })
  }
}

extension RelationDeclaration {
  /// The reason why no store opens with the declaration, by the role of its UID; nil without any.
  func mismatch(with role: Declarable?) -> DeclarationMismatch? {
    switch role {
    case .other(let words):
      DeclarationMismatch(
        kind: .otherElement, uid: relation, message: "\(relation) is \(words)",
        advice: "name a relation")
    case .relation(let name, findsSources: false) where findsSources:
      DeclarationMismatch(
        kind: .missingIndex, uid: relation,
        message:
          "\(name) has a delete rule for removed targets, and no index to find their sources by",
        advice: "give the property the flag of an index and an index id, or take the rule out")
    case .relation, .retired, nil: nil
    }
  }
}

/// The role of a UID of a model for a declaration.
enum Declarable {
  /// A relation, with its name, and whether a removal finds the sources of a target.
  case relation(String, findsSources: Bool)
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
          property.type == .relation
          ? .relation(name, findsSources: property.indexID != nil)
          : .other("the property \(name)")
      }
      for relation in entity.relations ?? [] {
        result[relation.pair.uid] =
          .relation("\(entity.name).\(relation.name)", findsSources: true)
      }
    }
    return result
  }
}
