import BoxJSON
import BoxReport

/// Flags go with each other, with indexes and with types.
extension ModelChecker {
  mutating func checkFlags() {
    for (e, entity) in model.entities.enumerated() {
      if entity.flags.contains(.sharedGlobalIDs), !entity.flags.contains(.syncEnabled) {
        report(
          ModelRule.sharedIDsNeedSync, at: range(.entity(e), .flags),
          "\(entity.name) has SHARED_GLOBAL_IDS (4) without SYNC_ENABLED (2)",
          advice: "set both or neither")
      }
      for (p, property) in entity.properties.enumerated() {
        let place = ElementPlace.property(entity: e, p)
        checkIndex(property, place)
        checkType(property, place)
        checkVectorIndex(property, place)
      }
      checkIDProperty(entity, e)
      checkSync(entity, e)
    }
  }

  private mutating func checkIndex(_ property: Property, _ place: ElementPlace) {
    let flags = property.flags
    var label: String { model.label(place) }
    if flags.isSuperset(of: [.indexHash, .indexHash64]) {
      report(
        ModelRule.twoHashes, at: range(place, .flags),
        "\(label) has both INDEX_HASH (2048) and INDEX_HASH64 (4096)", advice: "keep one of them")
    }
    if flags.contains(.uniqueOnConflictReplace), !flags.contains(.unique) {
      report(
        ModelRule.replaceNeedsUnique, at: range(place, .flags),
        "\(label) has UNIQUE_ON_CONFLICT_REPLACE (32768) without UNIQUE (32)",
        advice: "set both or neither")
    }
    if !flags.isIndexed, !flags.isDisjoint(with: .needsIndex) {
      // The generator for Go writes UNIQUE alone, with an indexId, and its files work.
      report(
        ModelRule.flagNeedsIndex, severity: property.indexID == nil ? .error : .note,
        at: range(place, .flags),
        "\(label) has \(flags.intersection(.needsIndex).setNames.joined(separator: ", ")) "
          + "without a flag for an index",
        advice: "add INDEXED (8), INDEX_HASH (2048) or INDEX_HASH64 (4096), and an indexId")
    }
    // Files of early generators have indexes and no flags, or no type; a to-one always has an index.
    if property.indexID != nil, !flags.isIndexed, flags.isDisjoint(with: .needsIndex),
      let type = property.type, type.isKnown, type != .relation
    {
      report(
        ModelRule.indexFlagMissing, at: range(place, .indexID),
        "\(label) has an index, and its flags do not say so",
        advice: "build once with the generator: it removes the index, or adds the flag")
    } else if property.indexID == nil, flags.isIndexed {
      report(
        ModelRule.indexIDMissing, at: range(place, .flags),
        "the flags of \(label) ask for an index, and it has no indexId",
        advice: "build once with the generator, which gives it one")
    }
  }

  private mutating func checkVectorIndex(_ property: Property, _ place: ElementPlace) {
    guard property.hnswParams != nil else { return }
    let index = property.vectorIndex
    var label: String { model.label(place) }
    if property.type != .floatVector {
      report(
        ModelRule.vectorParameters, at: range(place, .hnswParams),
        "\(label) has parameters of a vector index, and is not a vector of floats",
        advice: "remove hnswParams, or give the property the type \(PropertyType.floatVector)")
    } else if let reason = index.failureReason {
      report(
        ModelRule.vectorParameters, at: range(place, .hnswParams),
        "no graph serves the vector index of \(label): \(reason)",
        advice:
          "correct hnswParams; until then a search compares all vectors, or refuses the distance")
    }
    for key in index.unknownKeys {
      let known = VectorIndex.Key.parameters + VectorIndex.Key.hints
      let guess = nearestName(to: key, among: known).map { "; did you mean '\($0)'?" } ?? ""
      report(
        ModelRule.vectorParameters, at: range(place, .hnswParams),
        "hnswParams of \(label) has '\(key)', which is not a parameter\(guess)",
        advice: "correct the name: what has no effect has its default")
    }
    if !index.hints.isEmpty {
      report(
        ModelRule.vectorHints, at: range(place, .hnswParams),
        "\(index.hints.joined(separator: ", ")) of \(label) have no effect on stores of BoxJoint")
    }
  }

  private mutating func checkType(_ property: Property, _ place: ElementPlace) {
    var label: String { model.label(place) }
    let unknown = property.flags.subtracting(Self.knownFlags)
    if !unknown.isEmpty {
      report(
        ModelRule.unknownFlag, at: range(place, .flags),
        "\(label) has flags without a known meaning: \(unknown.setNames.joined(separator: ", "))")
    }
    if property.flags.contains(.idSelfAssignable), !property.flags.contains(.id) {
      report(
        ModelRule.selfAssignableNeedsID, at: range(place, .flags),
        "\(label) has ID_SELF_ASSIGNABLE (128) without ID (1)",
        advice: "remove the flag: only the id of an object can be assigned")
    }
    guard let type = property.type else {
      // A type that is not a number is a defect of form.
      let isMissing =
        document.json.value(forKey: ElementField.type.key, in: document.node(place)) == nil
      if isMissing && isCurrentVersion {
        report(
          ModelRule.typeMissing, at: range(place, .type),
          "\(label) has no type, and no store opens with it",
          advice: ModelAdvice.typeMissing)
      }
      return
    }
    if !type.isKnown {
      return report(
        ModelRule.unknownType, severity: type == .unknown ? .note : .warning,
        at: range(place, .type),
        "the type \(type.rawValue) of \(label) has no known meaning",
        advice: ModelAdvice.typeUnknown)
    }
    let unsupported = type.unsupportedFlags(in: property.flags)
    let hashes = unsupported.intersection([.indexHash, .indexHash64])
    if !hashes.isEmpty {
      report(
        ModelRule.flagTypeMismatch, at: range(place, .flags),
        "\(label) has \(hashes.setNames.joined(separator: ", ")) and the type \(type)",
        advice: "hashes are for strings: index it by value")
    }
    if unsupported.contains(.indexed) {
      report(
        ModelRule.flagTypeMismatch, at: range(place, .flags),
        "\(label) has INDEXED and the type \(type)",
        advice: "bytes and vectors have no index: index another property")
    }
    if unsupported.contains(.unsigned) {
      report(
        ModelRule.flagTypeMismatch, at: range(place, .flags),
        "\(label) has UNSIGNED and the type \(type)",
        advice: "only what is stored as an integer is unsigned")
    }
    if unsupported.contains(.expirationTime) {
      report(
        ModelRule.flagTypeMismatch, at: range(place, .flags),
        "\(label) has EXPIRATION_TIME and the type \(type)",
        advice: "only dates are times of expiration")
    }
  }

  private static let knownFlags = PropertyFlags.names.reduce(into: PropertyFlags()) {
    $0.formUnion($1.flag)
  }

  private mutating func checkIDProperty(_ entity: Entity, _ e: Int) {
    // Files of the first versions of the format have neither types nor flags, and a generator that
    // stopped with an error leaves properties without them.
    guard entity.properties.allSatisfy({ $0.type?.isKnown ?? false }) else { return }
    let ids = entity.properties.indices.filter { entity.properties[$0].flags.contains(.id) }
    if ids.isEmpty {
      report(
        ModelRule.idPropertyCount, at: range(.entity(e), .name),
        "no property of \(entity.name) has the flag ID (1)",
        advice: "restore the flag from version control")
    }
    for p in ids.dropFirst() {
      report(
        ModelRule.idPropertyCount, at: range(.property(entity: e, p), .flags),
        "\(entity.name) has a second property with the flag ID (1): "
          + "\(entity.properties[p].name), after \(entity.properties[ids[0]].name)",
        advice: "remove the flag from one of them")
    }
    for p in ids {
      let property = entity.properties[p]
      if let type = property.type, type != .long {
        report(
          ModelRule.idPropertyType, at: range(.property(entity: e, p), .type),
          "the id \(entity.name).\(property.name) has the type \(type), and ids are long (6)",
          advice: "restore the type from version control")
      }
    }
  }

  private mutating func checkSync(_ entity: Entity, _ e: Int) {
    var first: [PropertyFlags: String] = [:]
    for (p, property) in entity.properties.enumerated() {
      let flags = property.flags.intersection([.syncClock, .syncPrecedence])
      if flags.isEmpty { continue }
      let label = "\(entity.name).\(property.name)"
      let names = flags.setNames.joined(separator: " and ")
      var fault: String?
      if flags == [.syncClock, .syncPrecedence] {
        fault = "\(label) has both \(names)"
      } else if let other = first.updateValue(property.name, forKey: flags) {
        fault = "\(label) has \(names), and so has \(other)"
      } else if let type = property.type, type != .long {
        fault = "\(label) has \(names) and the type \(type)"
      } else if !entity.flags.contains(.syncEnabled) {
        fault = "\(label) has \(names), and \(entity.name) is not synchronized"
      }
      if let fault {
        report(
          ModelRule.syncFlags, at: range(.property(entity: e, p), .flags), fault,
          advice: "a synchronized entity has each of the two on at most one long property")
      }
    }
  }
}
