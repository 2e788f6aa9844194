/// The place of an object in a list with sections; without sections the section is 0.
public struct ListPosition: Hashable, Comparable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index in the section.
  public var item: Int

  /// Creates a place.
  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether the first place comes before the second one.
  public static func < (a: ListPosition, b: ListPosition) -> Bool {
    (a.section, a.item) < (b.section, b.item)
  }
}

extension ListPosition: CustomStringConvertible {
  /// The two indexes.
  public var description: String { "[\(section), \(item)]" }
}

/// A difference between two states of a list.
///
/// `from` and the index of a removed section count in the list before the change, all others in the list
/// after it: as collection views of user interfaces take them.
///
/// An object that another process wrote counts as changed if its bytes differ; one that was written again with the same
/// values does not. Where very much was changed at once, objects that are the same can count as updated.
@nonexhaustive public enum ListEvent<E: Entity>: Hashable, Sendable {
  /// A section disappeared.
  case removeSection(String, from: Int)
  /// A section appeared.
  case insertSection(String, at: Int)
  /// An object has left the list.
  case remove(EntityId<E>, from: ListPosition)
  /// An object is in the list now.
  case insert(EntityId<E>, at: ListPosition)
  /// An object was changed and has another place now.
  case move(EntityId<E>, from: ListPosition, to: ListPosition)
  /// An object was changed and kept its place among the others.
  case update(EntityId<E>, at: ListPosition)
}

/// The change of a list of a ``ListMonitor``: from one state to a later one.
///
/// It is the change of one commit, or of several that were made before it could be delivered.
public struct ListChange<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The differences: removed sections, inserted sections, removed objects in descending order, inserted
  /// objects in ascending order, moved objects in the order of their new places, and updated objects.
  public let events: [ListEvent<E>]
  /// The list after the change.
  public let list: MonitoredList<E>
  /// Whether it is the first one of a subscription: then ``events`` is empty, and all of ``list`` is new.
  public let isInitial: Bool
}

extension ListChange {
  /// Makes the changes in a copy of the list that a program keeps: an array for each section.
  ///
  /// Removed and moved objects are taken out first, in descending order, then sections; then sections are
  /// put in, and inserted and moved objects in ascending order. At last updated objects are made again.
  /// The first change of a subscription replaces everything.
  ///
  /// - Parameters:
  ///   - sections: The elements before the change, and after it.
  ///   - make: Makes the element of an object that is new in the list, was changed, or has moved.
  /// - Throws: The error of `make`; then `sections` is as before.
  /// - Complexity: O(*n*) in the elements of the sections that change.
  public func replay<T>(
    on sections: inout [[T]], _ make: (EntityId<E>) throws -> T
  ) rethrows {
    if isInitial {
      sections = try list.sections.indices.map { section in
        try list.ids(inSection: section).map(make)
      }
      return
    }
    var result = sections
    for place in events.compactMap(\.from).sorted(by: >) {
      result[place.section].remove(at: place.item)
    }
    for case .removeSection(_, let index) in events { result.remove(at: index) }
    for case .insertSection(_, let index) in events { result.insert([], at: index) }
    for (id, place) in events.compactMap(\.to).sorted(by: { $0.place < $1.place }) {
      result[place.section].insert(try make(id), at: place.item)
    }
    for case .update(let id, let place) in events {
      result[place.section][place.item] = try make(id)
    }
    sections = result
  }
}

extension ListEvent {
  /// The place at which an object is taken out.
  fileprivate var from: ListPosition? {
    switch self {
    case .remove(_, let place), .move(_, let place, _): place
    default: nil
    }
  }

  /// The place at which an object is put in.
  fileprivate var to: (id: EntityId<E>, place: ListPosition)? {
    switch self {
    case .insert(let id, let place), .move(let id, _, let place): (id, place)
    default: nil
    }
  }
}

extension ListChange: CustomDebugStringConvertible {
  /// The number of events, and of the objects after them.
  public var debugDescription: String {
    let what = isInitial ? "initial" : "\(events.count) events"
    return "ListChange<\(E.self)>(\(what), \(list.count) objects)"
  }
}

extension ListEvent: CustomDebugStringConvertible {
  /// The kind, the id or the name of the section, and the places.
  public var debugDescription: String {
    switch self {
    case .removeSection(let name, let index): "remove section \(name) from \(index)"
    case .insertSection(let name, let index): "insert section \(name) at \(index)"
    case .remove(let id, let place): "remove \(id) from \(place)"
    case .insert(let id, let place): "insert \(id) at \(place)"
    case .move(let id, let from, let to): "move \(id) from \(from) to \(to)"
    case .update(let id, let place): "update \(id) at \(place)"
    }
  }
}
