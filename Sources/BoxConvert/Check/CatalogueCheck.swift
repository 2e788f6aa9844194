internal import BoxJSON
public import BoxModel
public import BoxReport

/// A check of a catalogue: against itself, against a model, and against its locked state.
struct CatalogueCheck {
  let catalogue: Catalogue
  let path: String
  private(set) var findings: [Finding] = []
  /// The first entity of each name of the model that was looked at last, and of the properties and
  /// relations of each entity.
  private var names = ModelNames(Model())

  init(_ catalogue: Catalogue, path: String) {
    self.catalogue = catalogue
    self.path = path
  }

  mutating func add(
    _ rule: Rule, _ message: String, _ advice: String? = nil, at position: JSONPosition?
  ) {
    findings.append(
      Finding(
        rule: rule, message: message, advice: advice, path: path, region: position?.region))
  }

  /// Adds the findings that need no model.
  mutating func checkAlone() {
    for binding in catalogue.bindings { check(binding.definition, of: binding) }
  }

  private mutating func check(
    _ definition: ConverterDefinition, of binding: Catalogue.Binding
  ) {
    switch definition.kind {
    case .enumeration(let enumeration): check(enumeration, of: binding)
    case .optionSet(let options): check(options, of: binding)
    case .list(_, let element?): check(element, of: binding)
    case .chain(let first, let second):
      check(first, of: binding)
      check(second, of: binding)
    case .registered(let name) where catalogue.registry[name] == nil:
      add(
        ConverterRule.notRegistered,
        "\(binding.name) uses the converter \(name) of the application, which is not here",
        "its raw values are shown", at: definition.position)
    default: break
    }
    let lossy = [ConversionError.Kind.unknown, .malformed].filter {
      [.useDefault, .null].contains(definition.policies[$0])
    }
    if !lossy.isEmpty {
      let what = lossy.map(\.rawValue).joined(separator: " or ")
      add(
        ConverterRule.lossyPolicy,
        "a stored value of \(binding.name) that is \(what) is lost when it is exported and imported",
        "the policy keep brings it back", at: definition.position)
    }
  }

  private mutating func check(_ enumeration: Enumeration, of binding: Catalogue.Binding) {
    var owners: [RawKey: String] = [:]
    var names: [ExactText: RawKey] = [:]
    for item in enumeration.cases + enumeration.retired {
      let raw = RawKey(item.raw)
      if let other = names[ExactText(item.name)], other != raw {
        add(
          ConverterRule.duplicateName,
          "\(item.name) of \(binding.name) has two raw values, \(item.raw) among them",
          "give the retired case another name", at: item.position)
        continue
      }
      if let owner = owners[raw] {
        add(
          ConverterRule.duplicateRaw,
          owner.hasSameBytes(as: item.name)
            ? "\(item.name) of \(binding.name) is both in use and retired"
            : "\(owner) and \(item.name) of \(binding.name) both have the raw value \(item.raw)",
          "a second name of a case goes into aliases", at: item.position)
        continue
      }
      names[ExactText(item.name)] = raw
      owners[raw] = item.name
    }
    for alias in enumeration.aliases where names[ExactText(alias.alias)] != nil {
      add(
        ConverterRule.duplicateName,
        "\(alias.alias) of \(binding.name) is the name of a case and an alias of \(alias.name)",
        at: alias.position)
    }
  }

  /// Adds the findings of a comparison with a model.
  mutating func check(against model: Model) {
    names = ModelNames(model)
    for binding in catalogue.bindings {
      guard let entity = entity(binding.entity, in: model, binding.position) else { continue }
      guard
        let property = property(binding.property, of: entity, binding.position)
      else { continue }
      guard let type = property.type else { continue }
      do throws(IncompatibleConverter) {
        _ = try catalogue.converter(of: binding, type: type, flags: property.flags)
      } catch {
        let rule =
          switch error.reason {
          case .type: ConverterRule.wrongType
          case .range: ConverterRule.rawOutOfRange
          case .defaultValue: ConverterRule.wrongDefault
          }
        add(rule, error.description, at: error.position ?? binding.position)
      }
    }
    for mapping in catalogue.mappings {
      guard let entity = entity(mapping.entity, in: model, mapping.position) else { continue }
      check(mapping, entity, in: model)
    }
  }

  private mutating func entity(
    _ name: String, in model: Model, _ position: JSONPosition?
  ) -> Entity? {
    let found = names.entity(name)
    if found == nil {
      add(
        ConverterRule.unknownEntity, "the model has no entity \(name)",
        model.entities.isEmpty ? nil : "it has " + model.entities.map(\.name).listed, at: position)
    }
    return found.map { model.entities[$0] }
  }

  private mutating func property(
    _ name: String, of entity: Entity, _ position: JSONPosition?
  ) -> Property? {
    let found = names.members(of: entity).property(named: name)
    if found == nil {
      add(
        ConverterRule.unknownProperty, "\(entity.name) has no property \(name)",
        "it has " + entity.properties.map(\.name).listed, at: position)
    }
    return found.map { entity.properties[$0] }
  }

  private mutating func check(_ mapping: EntityMapping, _ entity: Entity, in model: Model) {
    for rule in mapping.properties { _ = property(rule.property, of: entity, rule.position) }
    if let rest = mapping.rest { _ = property(rest, of: entity, mapping.position) }
    for rule in mapping.relations {
      let members = names.members(of: entity)
      let relation = members.relation(named: rule.relation).flatMap { entity.relations?[$0] }
      let property = members.toOne(named: rule.relation).map { entity.properties[$0] }
      let target: String
      if let relation {
        target = names.entity(relation.target.uid).map { model.entities[$0].name } ?? rule.target
      } else if let property {
        target = property.relationTarget ?? rule.target
      } else {
        add(
          ConverterRule.unknownProperty, "\(entity.name) has no relation \(rule.relation)",
          at: rule.position)
        continue
      }
      if foldedName(target) != foldedName(rule.target) {
        add(
          ConverterRule.wrongTarget,
          "\(entity.name).\(rule.relation) refers to \(target), not to \(rule.target)",
          at: rule.position)
        continue
      }
      checkKey(rule, in: model)
    }
  }

  private mutating func checkKey(_ rule: EntityMapping.RelationRule, in model: Model) {
    guard let target = entity(rule.target, in: model, rule.position) else { return }
    guard let name = rule.key else {
      for property in target.properties where property.flags.contains(.unique) {
        add(
          ConverterRule.nestedUnique,
          "\(target.name).\(property.name) is unique, so nested objects cannot be made",
          "name it as the key, or make it not unique", at: rule.position)
      }
      return
    }
    guard let key = property(name, of: target, rule.position) else { return }
    if !key.flags.contains(.unique) {
      add(
        ConverterRule.keyNotUnique,
        "\(target.name).\(key.name) is not unique, so two objects can have one key",
        "make it unique in the model", at: rule.position)
    }
  }
}

extension Catalogue {
  /// The findings about the catalogue, by itself and against a model.
  ///
  /// - Parameters:
  ///   - model: The model; nil to check the catalogue by itself only.
  ///   - lock: The locked state, if any.
  ///   - path: The file as the user named it.
  /// - Returns: The findings, with their places.
  /// - Complexity: O(*n* *m*) in the size of the catalogue and the number of properties.
  package func check(model: Model?, lock: ConverterLock? = nil, path: String) -> [Finding] {
    var check = CatalogueCheck(self, path: path)
    check.checkAlone()
    if let model { check.check(against: model) }
    if let lock {
      check.check(against: lock)
      check.checkIsLocked(in: lock)
    }
    return check.findings
  }

  /// The findings about the catalogue of a change under review.
  ///
  /// - Parameters:
  ///   - model: The model; nil to check without one.
  ///   - review: The locked states that count.
  ///   - path: The file as the user named it.
  /// - Returns: The findings, with their places.
  /// - Complexity: O(*n* *m*) in the size of the catalogue and the number of properties.
  public func check(model: Model?, in review: LockReview, path: String) -> [Finding] {
    var check = CatalogueCheck(self, path: path)
    check.checkAlone()
    if let model { check.check(against: model) }
    if let meaning = review.meaning { check.check(against: meaning) }
    if let lock = review.baseLock { check.checkKept(lock, in: review.changeLock) }
    if let lock = review.changeLock { check.checkIsLocked(in: lock) }
    return check.findings
  }
}

/// The locked states that a change under review is compared with.
public struct LockReview: Sendable {
  /// The meaning of stored values in the base; nil if the base has neither a lock nor a catalogue.
  package var meaning: ConverterLock?
  /// The lock of the base; nil if it has none.
  package var baseLock: ConverterLock?
  /// The lock of the change; nil if it has none.
  package var changeLock: ConverterLock?

  /// Creates the states.
  package init(meaning: ConverterLock?, baseLock: ConverterLock?, changeLock: ConverterLock?) {
    self.meaning = meaning
    self.baseLock = baseLock
    self.changeLock = changeLock
  }
}

extension CatalogueError {
  /// The error as a finding.
  public func finding(path: String) -> Finding {
    Finding(
      rule: ConverterRule.notACatalogue, message: message, path: path, region: position?.region)
  }
}

extension JSONPosition {
  /// The place of one character.
  var region: SourceRegion {
    SourceRegion(line: line, column: column, endLine: line, endColumn: column + 1)
  }
}
