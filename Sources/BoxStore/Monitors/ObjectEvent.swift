internal import BoxEngine

/// A change of the object of an ``ObjectMonitor``.
@nonexhaustive public enum ObjectEvent: Hashable, Sendable {
  /// The object did not exist, and does now.
  case inserted
  /// Values or relations of the object have changed.
  ///
  /// The set has the names of these properties and to-many relations in the model.
  case updated(Set<String>)
  /// The object was removed.
  case removed
}

/// The state of an object monitor.
struct ObjectSnapshot: MonitoredState {
  /// The stored values; nil for an object that does not exist.
  let object: DynamicObject?

  static let isSentAtFirst = false

  /// A delta has the names of to-many relations that were changed.
  static func add(_ delta: Set<String>, to earlier: inout Set<String>?) {
    earlier = delta.union(earlier ?? [])
  }

  static func event(
    from old: ObjectSnapshot?, to new: ObjectSnapshot, _ delta: Set<String>?
  ) -> ObjectEvent? {
    guard let old else { return nil }
    switch (old.object, new.object) {
    case (nil, nil): return nil
    case (nil, _?): return .inserted
    case (_?, nil): return .removed
    case (let before?, let after?):
      let names = Set(after.propertiesDiffering(from: before)).union(delta ?? [])
      return names.isEmpty ? nil : .updated(names)
    }
  }
}
