/// A fault in the bytes of a record.
public enum RecordDamage: Error, Hashable, Sendable {
  /// There are fewer bytes than in the smallest record.
  case tooShort
  /// The bytes do not match their checksum.
  case checksum
  /// An offset, a length or an alignment is impossible.
  case structure
}
