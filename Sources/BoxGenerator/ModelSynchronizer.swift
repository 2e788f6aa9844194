internal import BoxModel
internal import BoxReport

/// Changes a model so that it holds what the sources declare.
///
/// An element is found by the UID of its annotation, then by its name. What is new is added, and what the
/// sources lack is retired.
struct ModelSynchronizer {
  private(set) var editor: ModelEditor
  private(set) var findings: [Finding] = []
  let allowsRemovals: Bool

  init(_ model: Model, uids: any UIDSource, allowsRemovals: Bool) {
    editor = ModelEditor(model, uids: uids)
    self.allowsRemovals = allowsRemovals
  }

  /// Makes the model follow the entities; a finding means that the model must not be written.
  ///
  /// - Complexity: O(*n* · *m*) in the entities of sources and model.
  mutating func follow(_ entities: [SourceEntity]) {
    let matched = entities.map { ($0, key(of: $0)) }
    if !findings.isEmpty { return }
    let kept = Set(matched.compactMap(\.1))
    let removed = editor.model.entities.filter { !kept.contains($0.pair.uid) }
    if !allowsRemovals, removed.count * 2 > editor.model.entities.count {
      report(
        GeneratorRule.manyRemovals, entities.first?.place,
        "The sources lack \(removed.count) of \(editor.model.entities.count) entities"
          + " of the model file",
        advice: "Check that all sources are read, or allow removals")
      return
    }
    for entity in removed {
      attempt(nil) { editor throws(ModelEditError) in
        try editor.remove(ElementKey(.entity, entity.pair.uid))
      }
    }
    // Renamed before anything is added, so that a freed name can be used at once.
    for (entity, uid) in matched {
      if let uid { update(uid, to: entity) }
    }
    for (entity, uid) in matched where uid == nil {
      attempt(entity.place) { editor throws(ModelEditError) in
        try editor.addEntity(EntityDraft(entity.name, properties: entity.properties.map(\.draft)))
      }
    }
  }

  private mutating func key(of entity: SourceEntity) -> UID? {
    guard let uid = entity.uid else {
      return editor.model.entities.first { $0.name.lowercased() == entity.name.lowercased() }?
        .pair.uid
    }
    if editor.model.entities.contains(where: { $0.pair.uid == uid }) { return uid }
    reportUnknown(uid, entity.place)
    return nil
  }

  private mutating func update(_ uid: UID, to source: SourceEntity) {
    guard let entity = editor.model.entities.first(where: { $0.pair.uid == uid }) else { return }
    if entity.name != source.name {
      attempt(source.place) { editor throws(ModelEditError) in
        try editor.rename(ElementKey(.entity, uid), to: source.name)
      }
    }
    let matched = source.properties.map { ($0, key(of: $0, in: entity)) }
    let kept = Set(matched.compactMap(\.1))
    for property in entity.properties where !kept.contains(property.pair.uid) {
      attempt(source.place) { editor throws(ModelEditError) in
        try editor.remove(ElementKey(.property, property.pair.uid))
      }
    }
    for (property, uid) in matched {
      if let uid, let old = entity.properties.first(where: { $0.pair.uid == uid }) {
        update(old, to: property)
      }
    }
    for (property, uid) in matched where uid == nil {
      attempt(property.place) { editor throws(ModelEditError) in
        try editor.addProperty(property.draft, to: source.name)
      }
    }
  }

  private mutating func key(of property: SourceProperty, in entity: Entity) -> UID? {
    guard let uid = property.uid else {
      return entity.properties.first { $0.name.lowercased() == property.name.lowercased() }?
        .pair.uid
    }
    if entity.properties.contains(where: { $0.pair.uid == uid }) { return uid }
    reportUnknown(uid, property.place)
    return nil
  }

  private mutating func update(_ old: Property, to source: SourceProperty) {
    let key = ElementKey(.property, old.pair.uid)
    attempt(source.place) { editor throws(ModelEditError) in
      if old.name != source.name { try editor.rename(key, to: source.name) }
      if old.type == source.storedType {
        try editor.setFlags(source.flags, of: key)
      } else {
        // The old property is retired, and one with the new type is added at the end.
        guard
          let owner = editor.model.entities.first(where: { entity in
            entity.properties.contains { $0.pair == old.pair }
          })?.name
        else { return }
        try editor.remove(key)
        try editor.addProperty(source.draft, to: owner)
      }
    }
  }

  private mutating func attempt(
    _ place: SourcePlace?, _ edit: (inout ModelEditor) throws(ModelEditError) -> Void
  ) {
    do throws(ModelEditError) {
      try edit(&editor)
    } catch {
      report(GeneratorRule.model, place, error.description, advice: "Correct the declaration")
    }
  }

  private mutating func reportUnknown(_ uid: UID, _ place: SourcePlace) {
    report(
      GeneratorRule.unknownUID, place, "The model file has no element with the UID \(uid) here",
      advice: "Restore the model file that has it, or remove the UID")
  }

  private mutating func report(
    _ rule: Rule, _ place: SourcePlace?, _ message: String, advice: String
  ) {
    findings.append(
      Finding(
        rule, at: place ?? SourcePlace(path: "", line: 1, column: 1), message, advice: advice))
  }
}

extension SourceProperty {
  fileprivate var draft: PropertyDraft { PropertyDraft(name, storedType, flags) }
}
