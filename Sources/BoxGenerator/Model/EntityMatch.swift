internal import BoxModel
internal import BoxReport

/// An entity of the sources with its element of the model, and its members with theirs.
struct EntityMatch {
  var source: SourceEntity
  var element: UIDResolution.Match
  var properties: [(source: SourceProperty, element: UIDResolution.Match)] = []
  var relations: [(source: SourceCollection, element: UIDResolution.Match)] = []

  var uid: UID? { if case .existing(let uid) = element { uid } else { nil } }
}

/// The members of an entity of the model, to match with the members of a declaration.
struct KnownMembers {
  private(set) var idName: String?
  private(set) var ids = UIDResolution.Candidates([])
  /// The properties but for the id.
  private(set) var others = UIDResolution.Candidates([])
  private(set) var properties: [UID: Property] = [:]
  private(set) var relations = UIDResolution.Candidates([])

  init(of entity: Entity?) {
    guard let entity else { return }
    let ids = entity.properties.filter { $0.flags.contains(.id) }
    idName = ids.first?.name
    self.ids = UIDResolution.Candidates(ids.map { ($0.pair.uid, $0.name) })
    others = UIDResolution.Candidates(
      entity.properties.filter { !$0.flags.contains(.id) }.map { ($0.pair.uid, $0.name) })
    properties = Dictionary(entity.properties.map { ($0.pair.uid, $0) }) { first, _ in first }
    relations = UIDResolution.Candidates((entity.relations ?? []).map { ($0.pair.uid, $0.name) })
  }
}

extension EntityMatch {
  /// Warnings of relations that stay while their target is reset: they hold ids of its earlier objects, and
  /// new objects get the same ids.
  static func warningsOfResets(
    in matches: [EntityMatch], _ lookup: ModelLookup, prefix: String
  ) -> [Finding] {
    let names = matches.filter { match in
      if case .new(_?) = match.element {
        lookup.entity(named: match.source.name) != nil
      } else {
        false
      }
    }
    let resets = Set(names.map { foldedName($0.source.name) })
    if resets.isEmpty { return [] }
    return matches.flatMap { match in
      match.keptRelations.filter { resets.contains(foldedName($0.target)) }.map { relation in
        Finding(
          GeneratorRule.resetTarget, at: relation.place,
          "The entity \"\(relation.target)\" is reset, but \"\(match.source.name).\(relation.name)\""
            + " keeps the ids of its earlier objects",
          advice: "New objects get the same ids; reset the relation too, by \"// \(prefix): uid\"")
      }
    }
  }

  /// The relations that the model had before.
  private var keptRelations: [(name: String, target: String, place: SourcePlace)] {
    var kept: [(name: String, target: String, place: SourcePlace)] = []
    for (source, element) in properties {
      if case .existing = element, let target = source.target {
        kept.append((source.name, target, source.place))
      }
    }
    for (source, element) in relations {
      if case .existing = element { kept.append((source.name, source.targetName, source.place)) }
    }
    return kept
  }
}
