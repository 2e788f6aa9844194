package import BoxModel

/// Entities and relations as a drawing, of one model or of two with their differences.
package struct SchemaDiagram: Hashable, Sendable {
  /// The change of a part of the drawing.
  package enum State: String, Hashable, Sendable {
    case same, added, removed, changed

    /// The mark in front of a name, for those who cannot see the colour.
    var sign: String {
      switch self {
      case .same: ""
      case .added: "+ "
      case .removed: "- "
      case .changed: "~ "
      }
    }
  }

  struct Attribute: Hashable, Sendable {
    var name: String
    var type: String
    var isID: Bool
    var isLink: Bool
    var isUnique: Bool
    var state: State
    /// The target entity of a to-one relation.
    var target: String?

    /// The text after the name.
    var words: String { target.map { "to \($0)" } ?? type }
  }

  struct Node: Hashable, Sendable {
    var name: String
    var attributes: [Attribute]
    var state: State
    /// The to-many relations, as further rows of a box.
    var links: [Attribute] = []

    var rows: [Attribute] { attributes + links }

    /// The first row of each name that is a relation.
    var linkRows: [String: Int] {
      Dictionary(
        rows.enumerated().filter { $0.element.isLink }.map { ($0.element.name, $0.offset) }
      ) { first, _ in first }
    }
  }

  struct Edge: Hashable, Sendable {
    var from: Int
    var to: Int
    var name: String
    var isToMany: Bool
    var state: State
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  /// Adds a row to boxes for each to-many relation, and names targets in place of types.
  private mutating func nameTargets() {
    let linkRows = nodes.map(\.linkRows)
    for edge in edges {
      let target = (edge.isToMany ? "many " : "") + nodes[edge.to].name
      if edge.isToMany {
        nodes[edge.from].links.append(
          Attribute(
            name: edge.name, type: "to \(target)", isID: false, isLink: true, isUnique: false,
            state: edge.state))
      }
      if !edge.isToMany, let row = linkRows[edge.from][edge.name] {
        nodes[edge.from].attributes[row].target = target
      }
    }
  }

  /// Whether it shows a difference.
  let isDifference: Bool

  /// Draws one model.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  package init(_ model: Model) {
    isDifference = false
    let lookup = ModelLookup(model)
    for entity in model.entities {
      nodes.append(
        Node(
          name: entity.name, attributes: entity.properties.map { Self.attribute($0, .same) },
          state: .same))
    }
    for (e, entity) in model.entities.enumerated() {
      for edge in Self.links(of: entity, in: model, lookup) {
        guard let target = lookup.entity(edge.target) else { continue }
        edges.append(
          Edge(from: e, to: target, name: edge.name, isToMany: edge.isToMany, state: .same))
      }
    }
    nameTargets()
  }

  /// Draws two models and their difference.
  ///
  /// A removed part is drawn as it was; a changed part is drawn as it is now.
  ///
  /// - Complexity: O(*n*) in the sizes of both models.
  package init(from old: Model, to new: Model) {
    isDifference = true
    let difference = ModelDifference(from: old, to: new)
    let (oldLookup, newLookup) = (ModelLookup(old), ModelLookup(new))
    func state(_ kind: ElementKind, _ uid: UID) -> State {
      switch difference[kind, uid] {
      case nil: .same
      case .added: .added
      case .removed: .removed
      case .changed: .changed
      }
    }
    func state(of property: Property) -> State {
      let own = state(.property, property.pair.uid)
      if own != .same { return own }
      // A changed index counts as a change of the property; the index itself is not marked.
      if let index = property.indexID, state(.index, index.uid) != .same { return .changed }
      return .same
    }
    var positions: [UID: Int] = [:]
    var entities: [(before: Entity?, after: Entity?)] = new.entities.map { entity in
      (oldLookup.entity(entity.pair.uid).map { old.entities[$0] }, entity)
    }
    entities += old.entities.filter { newLookup.entity($0.pair.uid) == nil }.map { ($0, nil) }
    for (before, after) in entities {
      guard let entity = after ?? before else { continue }
      var attributes = (after?.properties ?? []).map { Self.attribute($0, state(of: $0)) }
      for property in before?.properties ?? []
      where newLookup[.property, property.pair.uid] == nil {
        attributes.append(Self.attribute(property, .removed))
      }
      var own = state(.entity, entity.pair.uid)
      if own == .same, attributes.contains(where: { $0.state != .same }) { own = .changed }
      positions[entity.pair.uid] = nodes.count
      nodes.append(Node(name: entity.name, attributes: attributes, state: own))
    }
    for (before, after) in entities {
      guard let from = (after ?? before).flatMap({ positions[$0.pair.uid] }) else { continue }
      let now = after.map { Self.links(of: $0, in: new, newLookup) } ?? []
      for link in now {
        guard let to = positions[link.target] else { continue }
        edges.append(
          Edge(
            from: from, to: to, name: link.name, isToMany: link.isToMany,
            state: state(link.kind, link.uid)))
      }
      for link in before.map({ Self.links(of: $0, in: old, oldLookup) }) ?? []
      where newLookup[link.kind, link.uid] == nil {
        guard let to = positions[link.target] else { continue }
        edges.append(
          Edge(from: from, to: to, name: link.name, isToMany: link.isToMany, state: .removed))
      }
    }
    nameTargets()
    for (position, node) in nodes.enumerated()
    where node.state == .same && node.links.contains(where: { $0.state != .same }) {
      nodes[position].state = .changed
    }
  }

  private static func attribute(_ property: Property, _ state: State) -> Attribute {
    Attribute(
      name: property.name, type: property.type?.description ?? "unknown",
      isID: property.flags.contains(.id), isLink: property.relationTarget != nil,
      isUnique: property.flags.contains(.unique), state: state)
  }

  private struct Link {
    var kind: ElementKind
    var uid: UID
    var name: String
    var target: UID
    var isToMany: Bool
  }

  private static func links(
    of entity: Entity, in model: Model, _ lookup: ModelLookup
  ) -> [Link] {
    let toOne = entity.properties.compactMap { property -> Link? in
      guard let name = property.relationTarget, let target = lookup.entity(named: name) else {
        return nil
      }
      return Link(
        kind: .property, uid: property.pair.uid, name: property.name,
        target: model.entities[target].pair.uid, isToMany: false)
    }
    return toOne
      + (entity.relations ?? []).map {
        Link(
          kind: .relation, uid: $0.pair.uid, name: $0.name, target: $0.target.uid, isToMany: true)
      }
  }
}
