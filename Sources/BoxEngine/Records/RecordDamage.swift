/// What is wrong with the bytes of a record.
public enum RecordDamage: Error, Hashable, Sendable {
  /// There are fewer bytes than the smallest record has.
  case tooShort
  /// The bytes are not those that the checksum was made of.
  case checksum
  /// An offset, a length or an alignment is impossible.
  case structure
}
