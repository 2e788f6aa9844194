/// How the parts of a dump are laid out.
public enum DumpShape: String, Hashable, Sendable, CaseIterable {
  /// One file of lines: a header, objects, relations, and the totals.
  case lines
  /// A folder with a file for each entity and relation, and a manifest.
  case directory
  /// One JSON document.
  case document
}

/// How integers of 64 bits are written.
public enum IntegerForm: String, Hashable, Sendable, CaseIterable {
  /// As numbers: exact, and rounded by readers that know doubles only.
  case number
  /// As strings.
  case string
}

/// How dates are written.
public enum DateForm: String, Hashable, Sendable, CaseIterable {
  /// As the integer that is stored.
  case number
  /// As ISO 8601 in UTC.
  case iso
}

/// What is written in place of the values of a property.
public enum Redaction: String, Hashable, Sendable, CaseIterable {
  /// Null.
  case null
  /// A value that says nothing and has the type of the property.
  case mask
  /// A keyed hash: equal values of one dump have equal hashes.
  case hash
}
