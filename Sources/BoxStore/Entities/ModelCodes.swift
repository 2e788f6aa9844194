/// The type of a property in a model.
public enum PropertyType: UInt16, Hashable, Sendable {
  /// No type.
  case unknown = 0
  /// A truth value.
  case bool = 1
  /// An integer of 8 bits.
  case byte = 2
  /// An integer of 16 bits.
  case short = 3
  /// A UTF-16 code unit.
  case char = 4
  /// An integer of 32 bits.
  case int = 5
  /// An integer of 64 bits.
  case long = 6
  /// A number of 32 bits.
  case float = 7
  /// A number of 64 bits.
  case double = 8
  /// A string.
  case string = 9
  /// Milliseconds since 1970.
  case date = 10
  /// The id of the target of a to-one relation.
  case relation = 11
  /// Nanoseconds since 1970.
  case dateNano = 12
  /// A value of any type, as bytes.
  case flex = 13
  /// Reserved.
  case reserved3 = 14
  /// Reserved.
  case reserved4 = 15
  /// Reserved.
  case reserved5 = 16
  /// Reserved.
  case reserved6 = 17
  /// Reserved.
  case reserved7 = 18
  /// Reserved.
  case reserved8 = 19
  /// Reserved.
  case reserved9 = 20
  /// Reserved.
  case reserved10 = 21
  /// Truth values.
  case boolVector = 22
  /// Bytes.
  case byteVector = 23
  /// Integers of 16 bits.
  case shortVector = 24
  /// UTF-16 code units.
  case charVector = 25
  /// Integers of 32 bits.
  case intVector = 26
  /// Integers of 64 bits.
  case longVector = 27
  /// Numbers of 32 bits.
  case floatVector = 28
  /// Numbers of 64 bits.
  case doubleVector = 29
  /// Strings.
  case stringVector = 30
  /// Milliseconds since 1970.
  case dateVector = 31
  /// Nanoseconds since 1970.
  case dateNanoVector = 32
}

/// A flag of a property in a model.
public enum PropertyFlags: UInt32, Hashable, Sendable {
  /// The id of the objects.
  case id = 1
  /// Can be nil, in Java.
  case nonPrimitiveType = 2
  /// Never null.
  case notNull = 4
  /// Has an index by value.
  case indexed = 8
  /// Reserved.
  case reserved = 16
  /// No two objects have the same value.
  case unique = 32
  /// Ids increase by one.
  case idMonotonicSequence = 64
  /// The application assigns the ids.
  case idSelfAssignable = 128
  /// The index leaves null out.
  case indexPartialSkipNull = 256
  /// The index leaves zero out.
  case indexPartialSkipZero = 512
  /// Not a field of the class.
  case virtual = 1024
  /// Has an index by 32-bit hashes.
  case indexHash = 2048
  /// Has an index by 64-bit hashes.
  case indexHash64 = 4096
  /// Integers are unsigned.
  case unsigned = 8192
  /// A date that goes with the id.
  case idCompanion = 16384
  /// A put removes the object that has the same value.
  case uniqueOnConflictReplace = 32768
  /// Synchronization resolves conflicts by this clock.
  case syncClock = 131072
  /// Synchronization resolves conflicts by this precedence.
  case syncPrecedence = 262144
}

/// A flag of an entity in a model.
public enum EntityFlags: UInt32, Hashable, Sendable {
  /// Internal to Java.
  case useNoArgConstructor = 1
  /// Objects are synchronized.
  case syncEnabled = 2
  /// Objects have the same ids everywhere.
  case sharedGlobalIds = 4
}

/// The type that a property has in an external database.
public enum ExternalPropertyType: UInt16, Hashable, Sendable {
  /// No type.
  case unknown = 0
  /// An integer of 128 bits.
  case int128 = 100
  /// Reserved.
  case reserved1 = 101
  /// A UUID as bytes.
  case uuid = 102
  /// A decimal number of 128 bits.
  case decimal128 = 103
  /// A UUID as text.
  case uuidString = 104
  /// A random UUID as bytes.
  case uuidV4 = 105
  /// A random UUID as text.
  case uuidV4String = 106
  /// A map of values of any type.
  case flexMap = 107
  /// A list of values of any type.
  case flexVector = 108
  /// JSON text.
  case json = 109
  /// BSON bytes.
  case bson = 110
  /// JavaScript source.
  case javaScript = 111
  /// JSON text that becomes native values.
  case jsonToNative = 112
  /// Reserved.
  case reserved6 = 113
  /// Reserved.
  case reserved7 = 114
  /// Reserved.
  case reserved8 = 115
  /// Integers of 128 bits.
  case int128Vector = 116
  /// Reserved.
  case reserved9 = 117
  /// UUIDs as bytes.
  case uuidVector = 118
  /// Reserved.
  case reserved10 = 119
  /// Reserved.
  case reserved11 = 120
  /// Reserved.
  case reserved12 = 121
  /// Reserved.
  case reserved13 = 122
  /// An id of MongoDB.
  case mongoId = 123
  /// Ids of MongoDB.
  case mongoIdVector = 124
  /// A timestamp of MongoDB.
  case mongoTimestamp = 125
  /// Bytes with a type of MongoDB.
  case mongoBinary = 126
  /// A regular expression of MongoDB.
  case mongoRegex = 127
}

/// The measure of distance of a vector index.
public enum HnswDistanceType: UInt16, Hashable, Sendable {
  /// The default.
  case unknown = 0
  /// The square of the Euclidean distance.
  case euclidean = 1
  /// The cosine distance.
  case cosine = 2
  /// The dot product of vectors of length 1.
  case dotProduct = 3
  /// The distance of two places on Earth, by latitude and longitude.
  case geo = 6
  /// The dot product of vectors of any length.
  case dotProductNonNormalized = 10
}

/// A flag of a vector index.
public enum HnswFlags: UInt32, Hashable, Sendable {
  /// Logs for debugging.
  case debugLogs = 1
  /// Detailed logs for debugging.
  case debugLogsDetailed = 2
  /// Vectors in memory are not padded.
  case vectorCacheSimdPaddingOff = 4
  /// Repairs consider fewer candidates.
  case reparationLimitCandidates = 8
}
