/// The kind of reason why a request is not carried out, in the order of severity: of several failures, the
/// greatest counts.
package enum FailureKind: Hashable, Sendable, Comparable, CaseIterable {
  /// The input has a finding that leaves nothing to report on.
  case finding
  /// The input is valid, but the request cannot be carried out with it.
  case impossible
  /// The request contradicts itself or names something that does not exist.
  case usage
  /// The input is invalid.
  case badInput
  /// A file, a stream or git could not be read or written.
  case inputOutput
  /// The configuration is invalid.
  case badConfiguration
}

/// The outcome of a request that has a report, in the order of severity: of the outcomes of several files,
/// the greatest counts.
package enum ReportOutcome: Hashable, Sendable, Comparable {
  /// No problems were found.
  case success
  /// There are findings, conflicts or differences.
  case findings
  /// A part of the request failed.
  case failed(FailureKind)
}
