internal import BoxEngine
public import BoxModel

/// The values that generated code states of properties that are not optional.
public struct StatedConstants: Sendable {
  /// The expressions in Swift of the values of objects without one, by the UID of the property.
  public var expressions: [UID: String]
  /// The properties for which it is zero, false or empty.
  public var zeros: Set<UID>

  /// Creates what is stated.
  public init(expressions: [UID: String], zeros: Set<UID>) {
    self.expressions = expressions
    self.zeros = zeros
  }

  /// The value of a property in objects without one, in words; nil if it has none.
  func words(of property: Property) -> String? {
    let uid = property.pair.uid
    if let expression = expressions[uid] { return expression }
    return zeros.contains(uid) ? property.type?.zeroWords : nil
  }
}

extension MigrationPlan {
  /// The name of the feature of stores without which a constant cannot be stored.
  static let constantsFeature = "constants"

  /// Whether a step is about a property that objects which are stored already may get a value for.
  public var hasNewProperties: Bool { steps.contains(where: isNewProperty) }

  /// Says in the steps of new properties which value objects have that are stored already.
  ///
  /// A store with objects of the entity gets format 2 with such a property, which programs refuse whose bindings
  /// were generated before there were constants.
  ///
  /// - Parameters:
  ///   - stated: What the code of the new model states.
  ///   - isKnown: Whether the code of the old model states constants too, so that the previous release reads
  ///     stores that have them; nil if there is no such code.
  /// - Complexity: O(*n*) in the number of steps.
  public mutating func state(_ stated: StatedConstants, wereKnown isKnown: Bool?) {
    let lookup = ModelLookup(new.model)
    for position in steps.indices where isNewProperty(steps[position]) {
      guard let uid = steps[position].uid, let property = new.model.property(uid, lookup) else {
        continue
      }
      guard let words = stated.words(of: property) else {
        steps[position].data = "objects that are stored already have no value for it"
        continue
      }
      steps[position].constant = words
      steps[position].data = "objects that are stored already have \(words) for it"
      switch isKnown {
      case true?: break
      case false?: refuseEarlierFormat(at: position)
      case nil:
        steps[position].engine.outcome +=
          ", if it was built with a version that reads format 2"
      }
      steps[position].settleClass(targets)
    }
    steps = Self.sorted(steps)
  }

  /// Settles by a store what the steps of new properties say about its format.
  mutating func settleFormat(features: [String], hasObjects: (UID) -> Bool) {
    let lookup = ModelLookup(new.model)
    for position in steps.indices
    where isNewProperty(steps[position]) && steps[position].constant != nil {
      guard let uid = steps[position].uid, let place = lookup[.property, uid] else { continue }
      let entity = new.model.entities[place.entity].pair.uid
      if features.contains(Self.constantsFeature) || !hasObjects(entity) {
        steps[position].engine = ChangeRule.propertyAdded.engine
      } else {
        refuseEarlierFormat(at: position)
      }
    }
  }

  private mutating func refuseEarlierFormat(at position: Int) {
    guard steps[position].engine.changeClass <= .noRollback else { return }
    steps[position].engine = EngineVerdict(
      .noRollback,
      "it opens, and gets format 2 for the value; a previous release that reads format 1 only is refused",
      .refused)
  }

  private func isNewProperty(_ step: PlanStep) -> Bool {
    step.rule == ChangeRule.propertyAdded.rule && step.oldEntity != nil
  }
}

extension PropertyType {
  /// Zero of the type, in words.
  fileprivate var zeroWords: String {
    switch (traits?.form, traits?.isVector) {
    case (.bool, false): "false"
    case (.integer, false): "0"
    case (.float, false), (.double, false): "0.0"
    case (.string, false): "an empty text"
    default: "an empty value"
    }
  }
}
