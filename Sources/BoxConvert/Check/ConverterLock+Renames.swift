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

    /// The property of a name such as `Entity.property`.
    func property(_ name: String, _ names: inout ModelNames, _ model: Model) -> BoxModel.Property? {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2, let entity = names.entity(parts[0]).map({ model.entities[$0] }) else {
        return nil
      }
      return names.members(of: entity).property(named: parts[1]).map {
        entity.properties[$0]
      }
    }

    var result = self
    result.properties = properties.compactMap { locked in
      guard let uid = property(locked.name, &oldNames, old)?.pair.uid, uid != 0 else {
        return locked
      }
      if let place = later[.property, uid] {
        return Property(name: new.label(place), content: locked.content)
      }
      let heir = property(locked.name, &newNames, new)?.pair.uid ?? 0
      return heir != 0 && earlier[.property, heir] != nil ? nil : locked
    }
    return result
  }
}
