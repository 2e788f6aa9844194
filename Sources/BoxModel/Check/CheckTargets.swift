import BoxJSON
import BoxReport

/// Relations refer to entities of the model by their current names.
extension ModelChecker {
  mutating func checkTargets() {
    for (e, entity) in model.entities.enumerated() {
      for (p, property) in entity.properties.enumerated() {
        checkToOne(property, .property(entity: e, p))
      }
      for (r, relation) in (entity.relations ?? []).enumerated() {
        checkToMany(relation, .relation(entity: e, r))
      }
    }
  }

  private mutating func checkToMany(_ relation: Relation, _ place: ElementPlace) {
    if relation.target.isUnset { return checkUnsetTarget(place) }
    guard let e = lookup.entity(relation.target.uid) else {
      let isRetired = lookup.isRetired(.entity, relation.target.uid)
      return report(
        ModelRule.targetMissing, at: range(place, .targetID),
        "the target \"\(relation.target)\" of \(model.label(place)) is not an entity of the model"
          + (isRetired ? ": it is retired" : ""),
        advice: "remove the relation and retire its UID, or restore the entity")
    }
    let target = model.entities[e]
    if target.pair.id != relation.target.id {
      report(
        ModelRule.targetIDMismatch, at: range(place, .targetID),
        "the target of \(model.label(place)) is \"\(relation.target)\", and \(target.name) is "
          + "\"\(target.pair)\"",
        advice: "set targetId to \"\(target.pair)\"",
        fix: .setTarget(relation: relation.pair.uid, target.pair))
    }
  }

  private mutating func checkUnsetTarget(_ place: ElementPlace) {
    let isMissing =
      document.json.value(forKey: ElementField.targetID.key, in: document.node(place)) == nil
    // Generators before version 5 wrote no target; that for Go writes an empty text for one that it
    // has not found.
    let severity: Severity =
      if !isCurrentVersion { .note } else if isMissing { .error } else { .warning }
    report(
      ModelRule.targetUnset, severity: severity, at: range(place, .targetID),
      "\(model.label(place)) does not say which entity it refers to",
      advice: ModelAdvice.targetUnset)
  }

  private mutating func checkToOne(_ property: Property, _ place: ElementPlace) {
    guard let target = property.relationTarget else {
      if property.type == .relation {
        report(
          ModelRule.toOneTargetMisplaced, severity: .note, at: range(place, .type),
          "\(model.label(place)) is a to-one relation and has no relationTarget",
          advice: "build once with the generator, which writes it")
      }
      return
    }
    if let type = property.type, type != .relation {
      report(
        ModelRule.toOneTargetMisplaced, at: range(place, .relationTarget),
        "\(model.label(place)) has a relationTarget and the type \(type)",
        advice: "a to-one relation has the type 11: restore the property from version control")
    } else if lookup.entity(named: target) == nil {
      report(
        ModelRule.toOneTargetMissing, at: range(place, .relationTarget),
        "the target \(target) of \(model.label(place)) is not an entity of the model",
        advice: "use the name that the entity has now, or remove the property and retire its UID")
    }
  }
}
