package import BoxModel
package import BoxReport

extension Declarations {
  /// The properties of a model whose indexes removals need, as `Entity.property`.
  ///
  /// - Complexity: O(*n*) in the elements of the model and the declarations.
  func ruledProperties(of model: Model) -> [String] {
    let uids = Set(relations.filter(\.findsSources).map(\.relation))
    if uids.isEmpty { return [] }
    return model.entities.flatMap { entity in
      entity.properties.filter { uids.contains($0.pair.uid) }.map { "\(entity.name).\($0.name)" }
    }
  }

  /// The reasons for which the engine refuses to open a store with a model and these declarations, by UID.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - areGiven: Whether the opener gives them; a store may keep some about a relation that became something else.
  ///   - path: The path of the model file in findings.
  /// - Returns: The UID of each declaration that is refused, and the finding.
  /// - Complexity: O(*n*) in the number of declarations and elements.
  package func refusals(
    of model: Model, areGiven: Bool, path: String
  ) -> [(uid: UID, finding: Finding)] {
    mismatches(with: model).compactMap { mismatch in
      let (rule, words) =
        switch mismatch.kind {
        case .otherElement: (OpeningRule.declaredOther, "a rule about removals: ")
        case .missingIndex: (OpeningRule.ruleWithoutIndex, "")
        }
      if rule == OpeningRule.declaredOther, !areGiven { return nil }
      return (
        mismatch.uid,
        Finding(
          rule: rule, message: words + mismatch.message, advice: mismatch.advice, path: path)
      )
    }
  }
}
