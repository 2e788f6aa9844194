package import BoxDump
package import BoxJSON

/// A way out of a failure that depends on the options of the caller.
///
/// The messages of the library do not name options: a program that offers them adds how they are
/// called there.
package enum FailureRemedy: Hashable, Sendable {
  /// Change an option of the export or import.
  case dump(DumpRemedy)
  /// Raise the limits of decompression, if the input is trusted.
  case raiseDecompressionLimits
  /// Set ``ApprovalRequest/author``.
  case nameApprover
  /// Set ``ApprovalRequest/replacesValid``.
  case replaceApproval
  /// Name the new file for the catalogue.
  case nameNewCatalogue
  /// Name the new file for the model.
  case nameNewModel
  /// Import without an inferred model.
  case importWithoutInference
  /// Name the catalogue.
  case nameCatalogue
  /// Set ``PutRequest/mode``.
  case chooseMode
  /// Use ``IntegrationScope/global``.
  case useGlobalScope
  /// Set ``RecoveryRequest/replacesOutput``.
  case replaceOutput
  /// Name the place of the lost file as ``RecoveryRequest/output``, or state one of its UIDs.
  case nameLostFile
  /// Name the code of the lost model among ``RecoveryRequest/sources``, or state one of its UIDs.
  case nameLostCode
  /// Pass the code of a dry run as ``Consent/code``.
  case confirmCode
}

extension CommandFailure {
  /// The remedy, if it is an option of the caller.
  package var remedy: FailureRemedy? {
    get { anyRemedy?.value as? FailureRemedy }
    set { anyRemedy = newValue.map { AnyRemedy($0) } }
  }

  /// Creates a failure with a remedy.
  package init(
    _ kind: FailureKind, _ message: String, path: String? = nil, position: JSONPosition? = nil,
    remedy: FailureRemedy?
  ) {
    self.init(kind, message, path: path, position: position)
    self.remedy = remedy
  }
}
