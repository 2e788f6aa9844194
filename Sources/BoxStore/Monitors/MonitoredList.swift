internal import BoxEngine

/// The ids of a list of a ``ListMonitor`` at one time, in order and in sections.
///
/// It is a value: later changes of the monitor do not affect it.
public struct MonitoredList<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// A section.
  public struct Section: Hashable, Sendable {
    /// The name; empty in a list without sections.
    public let name: String
    /// The number of objects.
    public let count: Int
  }

  let state: ListState

  /// The number of objects.
  public var count: Int { state.keys.count }

  /// Whether the list is empty.
  public var isEmpty: Bool { count == 0 }

  /// The sections in their order; one without a name in a list without sections.
  ///
  /// - Complexity: O(*n*) in the number of sections.
  public var sections: [Section] {
    zip(state.runs.names, state.runs.counts).map { Section(name: $0, count: $1) }
  }

  /// The ids of all objects, in order.
  ///
  /// - Complexity: O(*n*).
  public var ids: [EntityId<E>] { state.keys.all.map { EntityId($0.id) } }

  /// The ids of the objects of a section; none for a section that does not exist.
  ///
  /// - Complexity: O(*n*) in the objects of the list.
  public func ids(inSection section: Int) -> [EntityId<E>] {
    guard state.runs.counts.indices.contains(section) else { return [] }
    let start = state.runs.starts[section]
    return Array(ids[start..<start + state.runs.counts[section]])
  }

  /// The id of an object by its position among all; nil for a position outside of the list.
  ///
  /// - Complexity: O(*n*) in blocks of some hundred objects.
  public subscript(position: Int) -> EntityId<E>? {
    state.keys[position].map { EntityId($0.id) }
  }

  /// The id of an object by its section and the position in it; nil outside of the section.
  ///
  /// - Complexity: O(*n*) in the sections, and in blocks of some hundred objects.
  public subscript(section: Int, item: Int) -> EntityId<E>? {
    let counts = state.runs.counts
    guard counts.indices.contains(section), item >= 0, item < counts[section] else { return nil }
    return self[state.runs.starts[section] + item]
  }

  /// The place of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*).
  public func position(of id: EntityId<E>) -> ListPosition? {
    guard let position = state.keys.all.firstIndex(where: { $0.id == id.value }) else { return nil }
    return ListPositions(state).split(position)
  }
}

extension MonitoredList: CustomDebugStringConvertible {
  /// The number of objects and of sections.
  public var debugDescription: String {
    let sections = state.runs.isDivided ? " in \(state.runs.names.count) sections" : ""
    return "MonitoredList<\(E.self)>(\(count) objects\(sections))"
  }
}
