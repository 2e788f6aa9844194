/// The values of a git setting before the installation, which are kept in the same file.
///
/// They are in a section of their own, so that they stay with the file.
struct EarlierSetting: Hashable, Sendable {
  /// The setting, such as `merge.boxjoint.driver`.
  var key: String
  /// The configuration that it is in.
  var scope: GitConfigurationScope

  /// The key that the values are kept under.
  var keptKey: String { "boxjoint-before.\(key)" }

  /// Saves values, and replaces any that were saved before.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot write the file.
  func save(_ values: [String], _ git: GitClient) async throws(CommandFailure) {
    try await git.unsetConfiguration(keptKey, scope: scope)
    for value in values { try await git.addConfiguration(keptKey, value, scope: scope) }
  }

  /// Restores the kept values of the setting, and removes them from their section.
  ///
  /// - Returns: Whether values were kept.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot write the file,
  ///   `badConfiguration` if the configuration is invalid.
  func restore(_ git: GitClient) async throws(CommandFailure) -> Bool {
    let values = try await git.configurationValues(keptKey, scope: scope).map(\.value)
    guard let first = values.first else { return false }
    try await git.setConfiguration(key, to: first, scope: scope)
    for value in values.dropFirst() { try await git.addConfiguration(key, value, scope: scope) }
    try await git.unsetConfiguration(keptKey, scope: scope)
    return true
  }
}
