internal import BoxModel

/// Follows the data of a store through the steps of a migration, by the elements that it is in.
///
/// The data of an entity is its objects, the data of a property its values, the data of a relation its links.
struct DataFlow {
  /// Objects that meet no rule of their mapping.
  struct Filter: Sendable {
    /// The entity as it was in the beginning.
    var entity: ElementKey
    /// The rules; nil where they are for objects that only an earlier step makes.
    var source: ResolvedMapping.Source?
  }

  /// The original elements of the data that each element has now.
  private var origins: [ElementKey: Set<ElementKey>] = [:]
  /// The elements whose data a function took: only running the function shows where that data goes.
  private var unclear: Set<ElementKey> = []
  private(set) var filters: [Filter] = []
  private var isFirst = true

  /// Creates the flow of a store with data in some elements.
  init(_ elements: [ElementKey]) { for element in elements { origins[element] = [element] } }

  /// The elements that hold the data of each element now; none for data that is freed.
  ///
  /// - Complexity: O(*n*) in the number of elements with data.
  func places() -> [ElementKey: Set<ElementKey>] {
    var places: [ElementKey: Set<ElementKey>] = [:]
    for element in unclear { places[element] = [element] }
    for (place, elements) in origins {
      for element in elements { places[element, default: []].insert(place) }
    }
    return places
  }

  /// Follows the data through a step.
  ///
  /// - Complexity: O(*n*) in the elements of both models.
  mutating func follow(_ step: PreparedStep) {
    defer { isFirst = false }
    // A light step hides what its model lacks, and frees nothing.
    guard let mapping = step.mapping else { return }
    let (old, new) = (step.hop.old, step.hop.to.document.model)
    let lookup = ModelLookup(old)
    var next: [ElementKey: Set<ElementKey>] = [:]
    func move(_ from: ElementKey, _ to: ElementKey) {
      guard let moved = origins[from] else { return }
      next[to, default: []].formUnion(moved)
    }
    for source in mapping.sources {
      guard let entity = old.entities.first(where: { $0.pair.uid == source.entity }) else {
        continue
      }
      if source.function != nil {
        for property in entity.properties {
          unclear.formUnion(origins[ElementKey(.property, property.pair.uid)] ?? [])
        }
      } else if source.routes.allSatisfy({ !$0.conditions.isEmpty }) {
        for origin in origins[ElementKey(.entity, source.entity)] ?? [] {
          filters.append(Filter(entity: origin, source: isFirst ? source : nil))
        }
      }
      for route in source.routes {
        guard let target = new.entities.first(where: { $0.pair.uid == route.new }) else { continue }
        move(ElementKey(.entity, route.old), ElementKey(.entity, route.new))
        let moves =
          route.copies.map { ($0.source, $0.destination) }
          + route.carriers.compactMap { carrier in carrier.source.map { ($0, carrier.destination) }
          }
        for (from, to) in moves {
          move(
            ElementKey(.property, entity.properties[from].pair.uid),
            ElementKey(.property, target.properties[to].pair.uid))
        }
        for carrier in route.carriers {
          guard let from = carrier.related?.key(in: old, lookup) else { continue }
          move(from, ElementKey(.property, target.properties[carrier.destination].pair.uid))
        }
      }
    }
    for links in mapping.links {
      guard let from = links.origin.key(in: old, lookup) else { continue }
      move(from, ElementKey(.relation, links.new))
    }
    origins = next
  }

  /// Frees what a model does not show.
  mutating func purge(_ model: Model) {
    let shown = Set(model.dataElements)
    origins = origins.filter { shown.contains($0.key) }
  }
}

extension Model {
  /// The elements that have data of their own: entities, properties apart from ids, and relations.
  var dataElements: [ElementKey] {
    entities.flatMap { entity in
      [ElementKey(.entity, entity.pair.uid)]
        + entity.properties.filter { !$0.flags.contains(.id) }
        .map { ElementKey(.property, $0.pair.uid) }
        + (entity.relations ?? []).map { ElementKey(.relation, $0.pair.uid) }
    }
  }
}
