internal import BoxEngine
internal import BoxModel

/// The loss of data that the model of a store lacks, while it is visited.
struct HiddenLoss {
  private var counts: [(element: HiddenElement, count: Int)] = []

  /// Adds an object, a value or an entry.
  mutating func add(
    _ element: HiddenElement, _ first: UInt64, _ second: UInt64, to hash: inout LossHash
  ) {
    if counts.last?.element != element {
      counts.append((element, 0))
      hash.add("\(element.key.kind) \(element.key.uid)")
    }
    counts[counts.count - 1].count += 1
    hash.add(first, second)
  }

  /// The objects of hidden entities.
  var objects: [Loss.Objects] {
    of(.entity).map {
      Loss.Objects(entity: $0.element.entity, removed: $0.count, overwritten: 0, total: $0.count)
    }
  }

  /// The values of hidden properties.
  var values: [Loss.Values] {
    of(.property).map {
      Loss.Values(property: [$0.element.entity, $0.element.member ?? ""], removed: $0.count)
    }
  }

  /// The entries of hidden relations.
  var entries: [Loss.Entries] {
    of(.relation).map {
      Loss.Entries(relation: [$0.element.entity, $0.element.member ?? ""], removed: $0.count)
    }
  }

  private func of(_ kind: ElementKind) -> [(element: HiddenElement, count: Int)] {
    counts.filter { $0.element.key.kind == kind }
  }
}
