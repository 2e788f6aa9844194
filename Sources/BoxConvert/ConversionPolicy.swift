/// The treatment of a value that is not as expected.
public enum ConversionPolicy: String, Hashable, Sendable, CaseIterable {
  /// The value is an error.
  case fail
  /// The default value replaces it, in both directions.
  case useDefault = "default"
  /// The value stays as it is stored: JSON shows the raw value, which converts back to the same
  /// bits. JSON that is not the raw form of a stored value is an error.
  case keep
  /// Null replaces it.
  case null
}

/// A policy for each way in which a value can fail to be as expected.
public struct ConversionPolicies: Hashable, Sendable {
  /// For a property that the stored object lacks, and for a key that JSON lacks.
  ///
  /// A store holds no null: what is nil, and what is newer than its object, is simply not there.
  public var missing = ConversionPolicy.keep
  /// For null in JSON.
  public var null = ConversionPolicy.keep
  /// For a value of the right form that is not a known one.
  public var unknown = ConversionPolicy.keep
  /// For a value that has not the right form.
  public var malformed = ConversionPolicy.keep

  /// Creates policies that keep everything.
  public init() {}

  /// The policy for a kind of error.
  public subscript(kind: ConversionError.Kind) -> ConversionPolicy {
    get {
      switch kind {
      case .missing: missing
      case .null: null
      case .unknown: unknown
      case .malformed: malformed
      }
    }
    set {
      switch kind {
      case .missing: missing = newValue
      case .null: null = newValue
      case .unknown: unknown = newValue
      case .malformed: malformed = newValue
      }
    }
  }
}
