extension PropertyFlags {
  /// The words for bits in tables, in ascending order; the bits for the kind of an index are in
  /// ``Property/indexDescription``.
  private static let words: [(flag: PropertyFlags, word: String)] = [
    (.id, "id"), (.nonPrimitiveType, "boxed"), (.notNull, "not-null"), (.unique, "unique"),
    (.idMonotonicSequence, "monotonic"), (.idSelfAssignable, "assignable"),
    (.indexPartialSkipNull, "skip-null"), (.indexPartialSkipZero, "skip-zero"),
    (.virtual, "virtual"), (.unsigned, "unsigned"), (.idCompanion, "companion"),
    (.uniqueOnConflictReplace, "replace"), (.expirationTime, "expires"),
    (.syncClock, "sync-clock"), (.syncPrecedence, "sync-precedence"),
  ]

  /// The words for the set bits except the bits of the index; unknown bits as numbers.
  var shortNames: [String] {
    let rest = subtracting(.indexKind)
    var unknown = rest
    var result: [String] = []
    for (flag, word) in Self.words where rest.contains(flag) {
      result.append(word)
      unknown.subtract(flag)
    }
    return result + unknown.setNames
  }
}

extension EntityFlags {
  /// The words for the bits that are set; unknown bits as numbers.
  var shortNames: [String] {
    var unknown = self
    var result: [String] = []
    for (flag, word) in [
      (EntityFlags.useNoArgConstructor, "no-arg-constructor"), (.syncEnabled, "sync"),
      (.sharedGlobalIDs, "shared-ids"),
    ] where contains(flag) {
      result.append(word)
      unknown.subtract(flag)
    }
    return result + unknown.setNames
  }
}

extension Property {
  /// The kind of the property's index by its flags: `value`, `hash` or `hash64`; nil without such a
  /// flag.
  ///
  /// Files have a hash with and without the bit for an index by value. Unusual bits are appended in
  /// parentheses, so that tables show every change of them.
  package var indexKindName: String? {
    let bits = flags.intersection(.indexKind)
    switch bits {
    case []: return nil
    case .indexed: return "value"
    case [.indexed, .indexHash]: return "hash"
    case [.indexed, .indexHash64]: return "hash64"
    case .indexHash: return "hash(\(bits.rawValue))"
    case .indexHash64: return "hash64(\(bits.rawValue))"
    default: return "index(\(bits.rawValue))"
    }
  }

  /// The kind, the number and the identity of the index, such as `hash 3:15616`; empty without one.
  var indexDescription: String {
    switch (indexKindName, indexID) {
    case (nil, nil): ""
    case (let kind?, nil): "\(kind) without id"
    case (nil, let pair?): "\(pair)"
    case (let kind?, let pair?): "\(kind) \(pair)"
    }
  }
}
