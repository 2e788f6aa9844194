internal import BoxJSON
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
    var versions = Versions(old, new)
    return renamed(&versions)
  }

  private func renamed(_ versions: inout Versions) -> ConverterLock {
    var result = self
    result.properties = properties.compactMap { locked in
      guard let uid = versions.oldUID(of: locked.name) else { return locked }
      if let place = versions.later[.property, uid] {
        return Property(name: versions.new.label(place), content: locked.content)
      }
      let successor = versions.newUID(of: locked.name)
      return successor.map { versions.earlier[.property, $0] != nil } ?? false ? nil : locked
    }
    return result
  }

  /// The lock for a later version of its model: ``renamed(from:to:)``, and without the properties that the
  /// later version has removed or given another UID, so that no version reads their values again.
  ///
  /// - Parameters:
  ///   - old: The model of the lock.
  ///   - new: The later version.
  /// - Returns: The rest, in the same order.
  /// - Complexity: O(*n*) in the size of the lock and the models.
  package func followed(from old: Model, to new: Model) -> ConverterLock {
    var versions = Versions(old, new)
    return withoutRemoved(&versions).renamed(&versions)
  }

  private func withoutRemoved(_ versions: inout Versions) -> ConverterLock {
    var result = self
    result.properties.removeAll { locked in
      versions.oldUID(of: locked.name).map { versions.later[.property, $0] == nil } ?? false
    }
    return result
  }

  /// Two versions of a model, with their elements by UID and by name.
  private struct Versions {
    let old: Model
    let new: Model
    let earlier: ModelLookup
    let later: ModelLookup
    private var oldNames: ModelNames
    private var newNames: ModelNames

    init(_ old: Model, _ new: Model) {
      (self.old, self.new) = (old, new)
      (earlier, later) = (ModelLookup(old), ModelLookup(new))
      (oldNames, newNames) = (ModelNames(earlier), ModelNames(later))
    }

    mutating func oldUID(of name: String) -> UID? { oldNames.uid(of: name, in: old) }

    mutating func newUID(of name: String) -> UID? { newNames.uid(of: name, in: new) }
  }
}

extension ModelNames {
  /// The UID of the property with a name such as `Entity.property`.
  fileprivate mutating func uid(of name: String, in model: Model) -> UID? {
    guard let (owner, property) = NamePath(reading: name).member,
      let entity = entity(owner).map({ model.entities[$0] }),
      let position = members(of: entity).property(named: property)
    else { return nil }
    let uid = entity.properties[position].pair.uid
    return uid == 0 ? nil : uid
  }
}
