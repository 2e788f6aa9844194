/// The flags of a property, bit by bit as model files hold them.
public struct PropertyFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public var rawValue: UInt32
  /// Creates flags from bits, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The property holds the id of its object.
  public static let id = PropertyFlags(rawValue: 1)
  /// A boxed type of Java; its generator keeps it out of the file.
  public static let nonPrimitiveType = PropertyFlags(rawValue: 2)
  /// Null is not allowed.
  public static let notNull = PropertyFlags(rawValue: 4)
  /// Indexed by value.
  public static let indexed = PropertyFlags(rawValue: 8)
  /// No two objects may hold the same value; needs an index.
  public static let unique = PropertyFlags(rawValue: 32)
  /// Ids are given in ascending order.
  public static let idMonotonicSequence = PropertyFlags(rawValue: 64)
  /// The application may assign ids.
  public static let idSelfAssignable = PropertyFlags(rawValue: 128)
  /// The index skips nulls.
  public static let indexPartialSkipNull = PropertyFlags(rawValue: 256)
  /// The index skips zeroes, as for to-one relations.
  public static let indexPartialSkipZero = PropertyFlags(rawValue: 512)
  /// Java only; kept out of the file.
  public static let virtual = PropertyFlags(rawValue: 1024)
  /// Indexed by a 32-bit hash.
  public static let indexHash = PropertyFlags(rawValue: 2048)
  /// Indexed by a 64-bit hash.
  public static let indexHash64 = PropertyFlags(rawValue: 4096)
  /// Integers are unsigned.
  public static let unsigned = PropertyFlags(rawValue: 8192)
  /// The property accompanies the id.
  public static let idCompanion = PropertyFlags(rawValue: 16384)
  /// A new object replaces one with the same value; needs ``unique``.
  public static let uniqueOnConflictReplace = PropertyFlags(rawValue: 32768)
  /// The property holds the time at which its object expires.
  public static let expirationTime = PropertyFlags(rawValue: 65536)
  /// Sync resolves conflicts by this clock.
  public static let syncClock = PropertyFlags(rawValue: 131_072)
  /// Sync resolves conflicts by this precedence.
  public static let syncPrecedence = PropertyFlags(rawValue: 262_144)

  /// The bits for the kind of an index; without any of them, a property is not indexed.
  public static let indexKind: PropertyFlags = [.indexed, .indexHash, .indexHash64]
  /// The bits that have no meaning without an index.
  public static let needsIndex: PropertyFlags = [
    .unique, .indexPartialSkipNull, .indexPartialSkipZero,
  ]

  /// Whether a bit for the kind of an index is set.
  public var isIndexed: Bool { !isDisjoint(with: .indexKind) }
}

/// The flags of an entity.
public struct EntityFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public var rawValue: UInt32
  /// Creates flags from bits, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Internal to Java; kept out of the file.
  public static let useNoArgConstructor = EntityFlags(rawValue: 1)
  /// Objects are synchronized.
  public static let syncEnabled = EntityFlags(rawValue: 2)
  /// Objects have the same ids everywhere; needs ``syncEnabled``.
  public static let sharedGlobalIDs = EntityFlags(rawValue: 4)
}

/// Names of flags, for people.
extension PropertyFlags {
  /// The name of each known bit, in ascending order.
  public static let names: [(flag: PropertyFlags, name: String)] = [
    (.id, "ID"), (.nonPrimitiveType, "NON_PRIMITIVE_TYPE"), (.notNull, "NOT_NULL"),
    (.indexed, "INDEXED"), (.unique, "UNIQUE"), (.idMonotonicSequence, "ID_MONOTONIC_SEQUENCE"),
    (.idSelfAssignable, "ID_SELF_ASSIGNABLE"), (.indexPartialSkipNull, "INDEX_PARTIAL_SKIP_NULL"),
    (.indexPartialSkipZero, "INDEX_PARTIAL_SKIP_ZERO"), (.virtual, "VIRTUAL"),
    (.indexHash, "INDEX_HASH"), (.indexHash64, "INDEX_HASH64"), (.unsigned, "UNSIGNED"),
    (.idCompanion, "ID_COMPANION"), (.uniqueOnConflictReplace, "UNIQUE_ON_CONFLICT_REPLACE"),
    (.expirationTime, "EXPIRATION_TIME"), (.syncClock, "SYNC_CLOCK"),
    (.syncPrecedence, "SYNC_PRECEDENCE"),
  ]

  /// The names of the bits that are set; unknown bits as numbers.
  public var setNames: [String] {
    flagNames(rawValue, Self.names.map { ($0.flag.rawValue, $0.name) })
  }

  /// The flag with a name, whatever its case, with hyphens or underscores; nil for any other name.
  package init?(named name: String) {
    let folded = foldedFlagName(name)
    guard let row = Self.names.first(where: { $0.name == folded }) else { return nil }
    self = row.flag
  }
}

extension EntityFlags {
  /// The name of each known bit, in ascending order.
  public static let names: [(flag: EntityFlags, name: String)] = [
    (.useNoArgConstructor, "USE_NO_ARG_CONSTRUCTOR"), (.syncEnabled, "SYNC_ENABLED"),
    (.sharedGlobalIDs, "SHARED_GLOBAL_IDS"),
  ]

  /// The names of the bits that are set; unknown bits as numbers.
  public var setNames: [String] {
    flagNames(rawValue, Self.names.map { ($0.flag.rawValue, $0.name) })
  }

  /// The flag with a name, whatever its case, with hyphens or underscores; nil for any other name.
  package init?(named name: String) {
    let folded = foldedFlagName(name)
    guard let row = Self.names.first(where: { $0.name == folded }) else { return nil }
    self = row.flag
  }
}

private func foldedFlagName(_ name: String) -> String {
  String(name.uppercased().map { $0 == "-" ? "_" : $0 })
}

private func flagNames(_ bits: UInt32, _ names: [(bit: UInt32, name: String)]) -> [String] {
  (0..<32).map { UInt32(1) << $0 }.filter { bits & $0 != 0 }.map { bit in
    names.first { $0.bit == bit }?.name ?? String(bit)
  }
}
