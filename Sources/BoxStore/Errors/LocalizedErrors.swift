#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Without it, `localizedDescription` of Foundation says only that the operation could not be completed.
extension ObjectBoxError: LocalizedError {
  /// The message, for `localizedDescription`; it is in English.
  public var errorDescription: String? { message }
}

extension DraftConflictError: LocalizedError {
  /// The description, for `localizedDescription`; it is in English.
  public var errorDescription: String? { description }
}
