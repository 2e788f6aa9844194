/// The layout of the parts of a dump.
public enum DumpShape: String, Hashable, Sendable, CaseIterable {
  /// One file of lines: a header, objects, relations, and the totals.
  case lines
  /// A directory with a file for each entity and relation, and a manifest.
  case directory
  /// One JSON document.
  case document
}

/// The form in which 64-bit integers are written.
public enum IntegerForm: String, Hashable, Sendable, CaseIterable {
  /// As numbers: exact, but rounded by readers that only know doubles.
  case number
  /// As strings.
  case string
}

/// The form in which dates are written.
public enum DateForm: String, Hashable, Sendable, CaseIterable {
  /// As the integer that is stored.
  case number
  /// As ISO 8601 in UTC.
  case iso
}

/// The form in which bytes are written.
public enum BytesForm: String, Hashable, Sendable, CaseIterable {
  /// In the alphabet of RFC 4648, with padding.
  case base64
  /// `\x` and two hexadecimal digits for each byte, as PostgreSQL writes them.
  case hex
}

/// The replacement of the values of a property.
public enum Redaction: String, Hashable, Sendable, CaseIterable {
  /// Null.
  case null
  /// A fixed value of the type of the property, without any information.
  case mask
  /// A keyed hash: equal values of one dump have equal hashes.
  case hash
}
