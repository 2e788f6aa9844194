internal import BoxModel

/// An entity of the sources with its element of the model, and those of its members.
struct EntityMatch {
  var source: SourceEntity
  var element: UIDResolution.Match
  var properties: [(source: SourceProperty, element: UIDResolution.Match)] = []
  var relations: [(source: SourceCollection, element: UIDResolution.Match)] = []

  var uid: UID? { if case .existing(let uid) = element { uid } else { nil } }
}

/// The members of an entity of the model, among which those of a declaration are found.
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
