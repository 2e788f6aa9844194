internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxSources

/// Connects the relations of entities with their targets.
struct SchemaResolution {
  private(set) var entities: [SourceEntity]
  private(set) var findings: [Finding] = []
  /// The positions of the entities by the paths of their types; of several of one path the first.
  private let positions: [String: Int]

  private let prefix: String

  /// Connects relations.
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - prefix: The word before the colon of an annotation.
  init(_ entities: [SourceEntity], prefix: String) {
    self.entities = entities
    self.prefix = prefix
    positions = Dictionary(
      entities.enumerated().map { ($0.element.typeName.withoutBackticks, $0.offset) }
    ) { first, _ in first }
    refuseDuplicates()
    for e in entities.indices {
      resolveTargets(of: e)
      refuseDuplicateMembers(of: e)
    }
    // Only now every relation has its target.
    for e in entities.indices { resolveBacklinks(of: e) }
    refuseRulesTwice()
    refuseSharedUIDs()
  }

  // MARK: - Names

  private mutating func refuseDuplicates() {
    var known: [ExactText: SourceEntity] = [:]
    for entity in entities {
      if let other = known.updateValue(entity, forKey: foldedName(entity.name)) {
        let isOneType = other.typeName == entity.typeName
        report(
          GeneratorRule.duplicateType, entity.place,
          isOneType
            ? "Two entity types have the name \"\(entity.typeName)\""
            : "The entities \"\(other.typeName)\" and \"\(entity.typeName)\" have one name in the"
              + " model file, \"\(entity.name)\"",
          (isOneType ? "Rename one of them" : "Give one of them another name by an annotation")
            + "; the other is in \"\(other.place.path)\", line \(other.place.line)")
      }
    }
  }

  /// A member with a name in the model file.
  private struct NamedMember {
    var name: String
    /// Its names in Swift, as `home.street`.
    var path: String
    var isEmbedded: Bool
    var place: SourcePlace
  }

  private mutating func refuseDuplicateMembers(of e: Int) {
    let entity = entities[e]
    var known: [ExactText: NamedMember] = [:]
    let members =
      entity.properties.map {
        NamedMember(
          name: $0.name, path: entity.swiftPath(of: $0), isEmbedded: $0.embedding != nil,
          place: entity.place(of: $0))
      }
      + entity.collections.filter { $0.link == .standalone }.map {
        NamedMember(name: $0.name, path: $0.swiftName, isEmbedded: false, place: $0.place)
      }
    for member in members {
      guard let other = known.updateValue(member, forKey: foldedName(member.name)) else { continue }
      if member.isEmbedded || other.isEmbedded {
        refuse(member, other, entity)
        continue
      }
      report(
        GeneratorRule.duplicateType, member.place,
        "The properties \"\(other.path)\" and \"\(member.path)\" of \"\(entity.typeName)\" have one name in"
          + " the model file, \"\(member.name)\"",
        "Give one of them another name; upper and lower case do not differ there")
    }
  }

  /// Reports a name of two members, of which one is in a struct.
  private mutating func refuse(
    _ member: NamedMember, _ other: NamedMember, _ entity: SourceEntity
  ) {
    let (first, second) = member.isEmbedded && !other.isEmbedded ? (member, other) : (other, member)
    let path = second.isEmbedded ? second.path : "\(entity.typeName).\(second.path)"
    report(
      GeneratorRule.embeddedName, member.place,
      "\(first.name) is the name of \(first.path) and of \(path); rename one",
      "Or give the struct another prefix, as \"// \(prefix): embedded = \"other_\"\"")
  }

  /// Refuses the UID of a member of a struct that is embedded more than once: several properties would have it.
  private mutating func refuseSharedUIDs() {
    var known: [SourcePlace: String] = [:]
    for entity in entities {
      for property in entity.properties where property.embedding != nil {
        guard let place = property.uid?.place else { continue }
        let name = "\(entity.name).\(property.name)"
        if let other = known.updateValue(name, forKey: place) {
          report(
            GeneratorRule.embeddedName, place,
            "One annotation \"uid\" is for \(other) and for \(name)",
            "Remove it; to rename the member, write its earlier name as \"// \(prefix): was = \"name\"\""
          )
        }
      }
    }
  }

  // MARK: - Targets

  /// The entity that a type name means inside another entity.
  private func target(_ name: String, from owner: String) -> SourceEntity? {
    var scope = owner.withoutBackticks.split(separator: ".").map(String.init)
    let name = name.withoutBackticks
    while true {
      let path = (scope + [name]).joined(separator: ".")
      if let position = positions[path] { return entities[position] }
      if scope.isEmpty { return nil }
      scope.removeLast()
    }
  }

  private mutating func resolveTargets(of e: Int) {
    let owner = entities[e]
    for p in owner.properties.indices {
      guard case .toOne(let name) = owner.properties[p].form else { continue }
      guard let target = target(name, from: owner.typeName) else {
        reportTarget(name, of: owner.properties[p].swiftName, owner.properties[p].place)
        continue
      }
      entities[e].properties[p].form = .toOne(target.typeName)
      entities[e].properties[p].target = target.name
    }
    for c in owner.collections.indices {
      guard let target = target(owner.collections[c].target, from: owner.typeName) else {
        reportTarget(
          owner.collections[c].target, of: owner.collections[c].swiftName,
          owner.collections[c].place)
        continue
      }
      entities[e].collections[c].target = target.typeName
      entities[e].collections[c].targetName = target.name
    }
  }

  private mutating func reportTarget(_ name: String, of member: String, _ place: SourcePlace) {
    let nearest = nearestName(to: name, among: entities.map(\.typeName))
    report(
      GeneratorRule.relation, place, "The target \"\(name)\" of \"\(member)\" is not an entity",
      nearest.map { "Did you mean \"\($0)\"?" }
        ?? "Annotate the type \"\(name)\" with \"// \(prefix): entity\", and check that its file is read"
    )
  }

  // MARK: - Backlinks

  private mutating func resolveBacklinks(of e: Int) {
    let owner = entities[e]
    for c in owner.collections.indices {
      let collection = owner.collections[c]
      guard let position = positions[collection.target.withoutBackticks] else { continue }
      let target = entities[position]
      switch collection.link {
      case .unresolvedBacklink(let name):
        if let link = backlink(name, in: target, to: owner) {
          entities[e].collections[c].link = link
        } else {
          reportBacklink(name, collection, target, owner)
        }
      case .standalone: offerBacklink(collection, target, owner)
      default: break
      }
    }
  }

  private func backlink(
    _ name: String, in target: SourceEntity, to owner: SourceEntity
  ) -> SourceCollection.Link? {
    let isNamed = { (swiftName: String, stored: String) in
      swiftName.withoutBackticks == name.withoutBackticks || stored == name
    }
    let property = target.properties.first {
      $0.form == .toOne(owner.typeName) && isNamed($0.swiftName, $0.name)
    }
    if let property { return .backlinkOfProperty(property.swiftName) }
    let collection = target.collections.first {
      $0.link == .standalone && $0.target == owner.typeName && isNamed($0.swiftName, $0.name)
    }
    return collection.map { .backlinkOfCollection($0.swiftName) }
  }

  private mutating func reportBacklink(
    _ name: String, _ collection: SourceCollection, _ target: SourceEntity, _ owner: SourceEntity
  ) {
    let candidates =
      target.properties.filter { $0.form == .toOne(owner.typeName) }.map(\.swiftName)
      + target.collections.filter { $0.link == .standalone && $0.target == owner.typeName }
      .map(\.swiftName)
    let nearest =
      nearestName(to: name, among: candidates) ?? (candidates.count == 1 ? candidates[0] : nil)
    report(
      GeneratorRule.relation, collection.place,
      "The backlink \"\(name)\" of \"\(collection.swiftName)\" is not a relation of"
        + " \"\(target.typeName)\" to \"\(owner.typeName)\"",
      nearest.map { "Did you mean \"\($0)\"?" }
        ?? "Add \"var \(name): ToOne<\(owner.typeName)> = nil\" to \"\(target.typeName)\"")
  }

  private mutating func offerBacklink(
    _ collection: SourceCollection, _ target: SourceEntity, _ owner: SourceEntity
  ) {
    let matches = target.properties.filter { $0.form == .toOne(owner.typeName) }
    // A second collection may use the relation already.
    let isUsed = owner.collections.contains {
      $0.target == target.typeName && $0.link != .standalone
    }
    guard matches.count == 1, let match = matches.first, !isUsed, !collection.isRelation else {
      return
    }
    report(
      GeneratorRule.backlinkOffered, collection.place,
      "\"\(collection.swiftName)\" is a relation of its own, although \"\(match.swiftName)\" of"
        + " \"\(target.typeName)\" leads back",
      "Annotate it with \"// \(prefix): backlink = \"\(match.swiftName.withoutBackticks)\"\" if it has the"
        + " objects that \"\(match.swiftName)\" refers to, or with \"// \(prefix): relation\" if it has others"
    )
  }

  // MARK: - Rules for removals

  /// A relation of a type, by its Swift names.
  private struct RelationName: Hashable {
    @ExactText var type: String
    @ExactText var member: String
  }

  /// Refuses rules for one removal at both ends of a relation.
  private mutating func refuseRulesTwice() {
    var given: [RelationName: (member: String, place: SourcePlace)] = [:]
    for entity in entities {
      func give(_ rule: SourceRule?, at member: String) {
        guard let rule else { return }
        given[RelationName(type: entity.typeName, member: member)] =
          ("\(entity.typeName).\(member)", rule.place)
      }
      for property in entity.properties { give(property.inverseDeleteRule, at: property.swiftName) }
      for collection in entity.collections where collection.link == .standalone {
        give(collection.inverseDeleteRule, at: collection.swiftName)
      }
    }
    for entity in entities {
      for collection in entity.collections {
        guard let rule = collection.deleteRule, let name = collection.link.name else { continue }
        let member = "\(entity.typeName).\(collection.swiftName)"
        guard
          let other = given.updateValue(
            (member, rule.place), forKey: RelationName(type: collection.target, member: name))
        else { continue }
        report(
          GeneratorRule.relation, rule.place,
          "\"\(member)\" and \"\(other.member)\" both have a rule for the removal of a \"\(entity.typeName)\"",
          "Remove one of them; the other is in \"\(other.place.path)\", line \(other.place.line)")
      }
    }
  }

  private mutating func report(
    _ rule: Rule, _ place: SourcePlace, _ message: String, _ advice: String
  ) {
    findings.append(Finding(rule, at: place, message, advice: advice))
  }
}
