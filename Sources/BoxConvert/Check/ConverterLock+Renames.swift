package import BoxModel

extension ConverterLock {
  /// The lock with the names that its properties have in a later version of their model.
  ///
  /// A property is the same one as long as its UID is, and so are its stored values. Without its new
  /// name, a rename would look as if one converter was removed and another one added. What the
  /// earlier model does not have, or has without a UID, keeps its name. A property that was removed is left
  /// out where another property of the earlier model has taken its name.
  ///
  /// - Parameters:
  ///   - old: The model of the lock.
  ///   - new: The later version.
  /// - Returns: The lock, its properties in the same order.
  /// - Complexity: O(*n*) in the size of the lock and the models.
  package func renamed(from old: Model, to new: Model) -> ConverterLock {
    var oldNames = ModelNames(old)
    var newNames = ModelNames(new)
    let earlier = ModelLookup(old)
    let later = ModelLookup(new)
    var result = self
    result.properties = properties.compactMap { locked in
      guard let uid = oldNames.uid(of: locked.name, in: old) else { return locked }
      if let place = later[.property, uid] {
        return Property(name: new.label(place), content: locked.content)
      }
      let heir = newNames.uid(of: locked.name, in: new)
      return heir.map { earlier[.property, $0] != nil } ?? false ? nil : locked
    }
    return result
  }

  /// The lock without the properties that a later version of their model has removed or given another UID,
  /// with which nobody reads their values any more.
  ///
  /// - Parameters:
  ///   - old: The model of the lock.
  ///   - new: The later version.
  /// - Returns: The rest, in the same order.
  /// - Complexity: O(*n*) in the size of the lock and the models.
  package func withoutRemoved(from old: Model, to new: Model) -> ConverterLock {
    var names = ModelNames(old)
    let later = ModelLookup(new)
    var result = self
    result.properties.removeAll { locked in
      names.uid(of: locked.name, in: old).map { later[.property, $0] == nil } ?? false
    }
    return result
  }
}

extension ModelNames {
  /// The UID of the property of a name such as `Entity.property`; nil if there is none.
  fileprivate mutating func uid(of name: String, in model: Model) -> UID? {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let entity = entity(parts[0]).map({ model.entities[$0] }),
      let position = members(of: entity).property(named: parts[1])
    else { return nil }
    let uid = entity.properties[position].pair.uid
    return uid == 0 ? nil : uid
  }
}
