package import BoxModel

/// Random edits of a model, carried out by the editor and by ``GeneratorRules`` at once.
package struct EditSequence: Sendable {
  /// The editor.
  package private(set) var editor: ModelEditor
  /// The expected result.
  package private(set) var rules = GeneratorRules()
  /// The edits so far, for messages.
  package private(set) var log: [String] = []
  /// The number of edits that both refused.
  package private(set) var refusals = 0
  private var random: SplitMix64
  /// Whether the file is one of the generator for Swift, which writes hash indexes in its own way.
  private let isOfSwift: Bool

  private static let names = ["a", "b", "c", "A", "title", "Title", "x.y"]
  private static let types: [PropertyType] = [
    .bool, .int, .long, .double, .string, .date, .floatVector, .stringVector, .byteVector,
  ]

  /// Begins with a model without entities.
  package init(_ random: SplitMix64) {
    self.random = random
    isOfSwift = self.random.oneIn(2)
    var model = Model()
    if isOfSwift { model.modelVersionParserMinimum = 4 }
    editor = ModelEditor(model, uids: .sequential)
  }

  /// Carries out one edit, chosen at random.
  ///
  /// - Returns: The difference between what happened and what the rules say; nil if there is none.
  package mutating func step() -> String? {
    let before = editor.model
    let expected = chooseEdit()
    if let message = expected { return message + " after " + log.joined(separator: "; ") }
    if !GeneratorRules(of: editor.model).agrees(with: rules) {
      return "\(editor.model) instead of \(rules) after " + log.joined(separator: "; ")
    }
    if log.last?.hasSuffix("refused") == true, editor.model != before {
      return "a refused edit left something: " + log.joined(separator: "; ")
    }
    return nil
  }

  /// Does something by the editor, and by the rules if they allow it.
  private mutating func apply(
    _ name: String, allowed: Bool, _ edit: (inout ModelEditor) throws -> Void,
    _ rule: (inout GeneratorRules) -> Void
  ) -> String? {
    do {
      try edit(&editor)
      log.append(name)
      if !allowed { return "\(name) was not refused" }
      rule(&rules)
    } catch {
      log.append(name + " refused")
      refusals += 1
      if allowed { return "\(name) was refused: \(error)" }
    }
    return nil
  }

  private mutating func chooseEdit() -> String? {
    let name = random.pick(Self.names)
    guard !rules.entities.isEmpty, !random.oneIn(6) else {
      return apply(
        "add \(name)", allowed: rules.position(name) == nil,
        { try $0.addEntity(EntityDraft(name)) }, { $0.addEntity(name) })
    }
    let e = random.below(rules.entities.count)
    let entity = rules.entities[e]
    let p = random.below(entity.properties.count)
    let property = entity.properties[p]
    let key = ElementKey(.property, UID(property.pair.uid))
    let isID = property.flags & 1 != 0
    switch random.below(12) {
    case 0, 1, 2: return addProperty(name, e)
    case 3:
      let target = random.below(rules.entities.count)
      let draft = RelationDraft(name, to: rules.entities[target].name)
      return apply(
        "add relation \(entity.name).\(name)", allowed: !rules.hasMember(name, e),
        { try $0.addRelation(draft, to: entity.name) }, { $0.addRelation(e, name, to: target) })
    case 4:
      let target = rules.entities[random.below(rules.entities.count)].name
      return apply(
        "add \(entity.name).\(name) to \(target)", allowed: !rules.hasMember(name, e),
        { try $0.addProperty(.toOne(name, target), to: entity.name) },
        { $0.addProperty(e, name, type: 11, flags: 520, target: target) })
    case 5:
      let other = rules.position(name)
      return apply(
        "rename \(entity.name) to \(name)", allowed: other == nil || other == e,
        { try $0.rename(ElementKey(.entity, UID(entity.pair.uid)), to: name) },
        { $0.renameEntity(e, to: name) })
    case 6:
      let isSame = property.name.lowercased() == name.lowercased()
      return apply(
        "rename \(entity.name).\(property.name) to \(name)",
        allowed: isSame || !rules.hasMember(name, e), { try $0.rename(key, to: name) },
        { $0.entities[e].properties[p].name = name })
    case 7:
      return apply(
        "remove \(entity.name)", allowed: !rules.isTarget(e),
        { try $0.remove(ElementKey(.entity, UID(entity.pair.uid))) }, { $0.removeEntity(e) })
    case 8:
      return apply(
        "remove \(entity.name).\(property.name)", allowed: !isID, { try $0.remove(key) },
        { $0.removeProperty(e, p) })
    case 9:
      guard !entity.relations.isEmpty else { return nil }
      let r = random.below(entity.relations.count)
      return apply(
        "remove \(entity.name).\(entity.relations[r].name)", allowed: true,
        { try $0.remove(ElementKey(.relation, UID(entity.relations[r].pair.uid))) },
        { $0.removeRelation(e, r) })
    case 10:
      return setFlags(e, p, entity.name, property, key)
    default:
      let type = random.pick(Self.types)
      let fits = Self.fits(property.flags, type)
      let flags = written(property.flags, type)
      let keepsUID = random.oneIn(2)
      return apply(
        "\(entity.name).\(property.name) becomes \(type)\(keepsUID ? " under its UID" : "")",
        allowed: !isID && property.type != 11
          && (property.type == type.rawValue
            // An index of vectors has parameters.
            || fits && !(type == .floatVector && property.flags & (8 | 2048) != 0)),
        { try keepsUID ? $0.convertType(type, of: key) : $0.setType(type, of: key) },
        { rules in
          if keepsUID {
            rules.entities[e].properties[p].type = type.rawValue
            rules.setFlags(e, p, flags)
          } else {
            rules.entities[e].properties[p].flags = flags
            rules.setType(e, p, type.rawValue)
          }
        })
    }
  }

  private mutating func addProperty(_ name: String, _ e: Int) -> String? {
    let entity = rules.entities[e].name
    let type = random.pick(Self.types)
    let (asked, flags) = someFlags(type)
    return apply(
      "add \(entity).\(name): \(type) \(asked)",
      allowed: !rules.hasMember(name, e) && Self.fits(flags, type),
      { try $0.addProperty(PropertyDraft(name, type, .init(rawValue: asked)), to: entity) },
      { $0.addProperty(e, name, type: type.rawValue, flags: flags) })
  }

  private mutating func setFlags(
    _ e: Int, _ p: Int, _ entity: String, _ property: GeneratorRules.Property, _ key: ElementKey
  ) -> String? {
    let type = PropertyType(rawValue: property.type)
    var (asked, flags) = someFlags(type)
    // From time to time the id loses its flag, or something else gets it.
    let isID = property.flags & 1 != 0
    if isID != random.oneIn(10) { (asked, flags) = (asked | 1, flags | 1) }
    if property.type == 11 { flags |= 520 }
    return apply(
      "flags of \(entity).\(property.name): \(asked)",
      allowed: (flags & 1 != 0) == isID && Self.fits(flags, type),
      { try $0.setFlags(PropertyFlags(rawValue: asked), of: key) }, { $0.setFlags(e, p, flags) })
  }

  /// Flags as somebody asks for them, and what they mean: UNIQUE alone asks for an index too.
  private mutating func someFlags(_ type: PropertyType) -> (asked: UInt32, meant: UInt32) {
    let asked: UInt32 = random.pick([0, 0, 4, 8, 32, 40, 2048, 2080, 8192, 65536])
    let needsIndex = asked & 32 != 0 && asked & (8 | 2048) == 0 && type != .relation
    let meant = needsIndex ? asked | (type == .string ? 2048 : 8) : asked
    return (asked, written(meant, type))
  }

  /// Flags as the file has them: the generator for Swift adds 8 (INDEXED) to 2048 (INDEX_HASH).
  private func written(_ flags: UInt32, _ type: PropertyType) -> UInt32 {
    isOfSwift && type == .string && flags & 2048 != 0 ? flags | 8 : flags
  }

  /// Whether flags have a meaning for a type, by the tables of the format.
  private static func fits(_ flags: UInt32, _ type: PropertyType) -> Bool {
    let isText = type == .string || type == .byteVector
    let isIndexable = type != .stringVector && type != .byteVector
    let isInteger = [.int, .long, .date, .relation].contains(type)
    return (flags & 2048 == 0 || isText) && (flags & 8 == 0 || isIndexable)
      && (flags & 8192 == 0 || isInteger) && (flags & 65536 == 0 || type == .date)
  }
}
