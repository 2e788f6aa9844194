public import BoxMigration

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Here, and not where the errors are: the program links their module, and does not link Foundation.
extension MigrationError: LocalizedError {
  /// The description, for `localizedDescription`; it is in English.
  public var errorDescription: String? { description }
}

extension ModelHistoryError: LocalizedError {
  /// The description, for `localizedDescription`; it is in English.
  public var errorDescription: String? { description }
}

extension ModelLockError: LocalizedError {
  /// The description, for `localizedDescription`; it is in English.
  public var errorDescription: String? { description }
}
