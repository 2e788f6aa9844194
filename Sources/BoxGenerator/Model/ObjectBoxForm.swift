internal import BoxModel

/// The form of model files that ObjectBox's generator writes, and of those in the format before the current one.
///
/// A model file that it wrote keeps its form, so that both can be run on it in turn.
enum ObjectBoxForm {
  /// The current version of the format.
  private static let version = 5

  /// Sets the types of properties from the sources in a file of version 4 or before, which has no types.
  ///
  /// It becomes a file of version 5, as by ObjectBox's generator.
  ///
  /// - Parameters:
  ///   - model: The model file.
  ///   - entities: The entities of the sources.
  /// - Complexity: O(*n*) in the elements of both.
  static func takeTypes(_ model: inout Model, from entities: [SourceEntity]) {
    if let written = model.modelVersion, written < version { model.modelVersion = version }
    guard model.entities.contains(where: { $0.properties.contains { !isTyped($0) } }) else {
      return
    }
    let lookup = ModelLookup(model)
    for source in self.entities(entities, in: model) {
      guard let e = element(of: source, lookup) else { continue }
      for property in source.properties {
        guard let p = position(of: property, in: model.entities[e].properties) else { continue }
        let old = model.entities[e].properties[p]
        if isTyped(old) { continue }
        model.entities[e].properties[p].type = property.storedType
        model.entities[e].properties[p].relationTarget = property.target
        var flags = old.flags.union(property.flags.intersection(.unsigned))
        if property.isID { flags.insert(.id) }
        if property.storedType == .relation { flags.insert(.indexPartialSkipZero) }
        // Else the index would be new, or stay although the sources have none.
        if old.indexID != nil, !flags.isIndexed { flags.insert(.indexed) }
        model.entities[e].properties[p].flags = flags
      }
    }
  }

  /// The entities of the sources, as the model file says them.
  ///
  /// ObjectBox's generator for Swift gives an optional integer no sign, and writes no parameters of vector
  /// indexes. A file that it wrote has them where another generator added them, and stays as it is.
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - model: The model file.
  /// - Returns: The entities with other flags and parameters.
  /// - Complexity: O(*n*) in the elements of both.
  static func entities(_ entities: [SourceEntity], in model: Model) -> [SourceEntity] {
    guard model.isOfObjectBoxForSwift else { return entities }
    let lookup = ModelLookup(model)
    return entities.map { source in
      let properties = element(of: source, lookup).map { model.entities[$0].properties } ?? []
      var source = source
      for n in source.properties.indices {
        let property = source.properties[n]
        let isSigned = property.isNullable && property.flags.contains(.unsigned)
        guard isSigned || property.hnswParams != nil else { continue }
        let old = position(of: property, in: properties).map { properties[$0] }
        if isSigned, !(old?.flags.contains(.unsigned) ?? false) {
          source.properties[n].flags.remove(.unsigned)
        }
        if old?.hnswParams == nil { source.properties[n].hnswParams = nil }
      }
      return source
    }
  }

  private static func isTyped(_ property: Property) -> Bool { property.type?.isKnown ?? false }

  private static func element(of source: SourceEntity, _ lookup: ModelLookup) -> Int? {
    if case .chosen(let uid, _)? = source.uid, let known = lookup.entity(uid) { return known }
    return lookup.entity(named: source.name)
  }

  private static func position(of source: SourceProperty, in properties: [Property]) -> Int? {
    if case .chosen(let uid, _)? = source.uid,
      let known = properties.firstIndex(where: { $0.pair.uid == uid })
    {
      return known
    }
    for name in [source.name] + source.earlierNames.map(\.name) {
      let name = foldedName(name)
      if let known = properties.firstIndex(where: { foldedName($0.name) == name }) { return known }
    }
    return nil
  }
}

extension Model {
  /// Whether the file begins with the notes of ObjectBox's generators, and is one for Swift.
  ///
  /// They write their notes again in each run, and this one keeps existing notes.
  fileprivate var isOfObjectBoxForSwift: Bool {
    isOfSwift
      && otherMembers.contains { $0.key == "_note1" && $0.text.hasPrefix("\"KEEP THIS FILE!") }
  }
}
