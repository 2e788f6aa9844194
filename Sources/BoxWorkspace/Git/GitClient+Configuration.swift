/// One of git's configuration files.
package enum GitConfigurationScope: String, Hashable, Sendable {
  /// The file of the repository.
  case local
  /// The file of the user.
  case global

  package var option: String { "--\(rawValue)" }
}

/// A value of git's configuration, with its origin.
package struct GitConfigurationValue: Hashable, Sendable {
  package var value: String
  /// The origin in git's words, such as `file:.git/config`.
  package var origin: String
}

extension GitClient {
  /// The values of a key, those that count most last.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` if git's configuration is broken,
  ///   `inputOutput` if git cannot be run.
  package func configurationValues(
    _ key: String, scope: GitConfigurationScope? = nil
  ) async throws(CommandFailure) -> [GitConfigurationValue] {
    let output = try await run(
      ["config"] + (scope.map { [$0.option] } ?? [])
        + ["--null", "--show-origin", "--get-all", key])
    // Status 1: the key is not set. Outside of a repository there is no local scope.
    if output.status == 1 || (output.status != 0 && scope != nil && output.isOutsideRepository) {
      return []
    }
    guard output.status == 0 else {
      throw CommandFailure(.badConfiguration, "git config: \(output.complaint)")
    }
    let fields = output.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    return stride(from: 0, to: fields.count - 1, by: 2).map {
      GitConfigurationValue(value: fields[$0 + 1], origin: fields[$0])
    }
  }

  /// All values of a section by key, those that count most last; keys are in small letters.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` if git's configuration is broken,
  ///   `inputOutput` if git cannot be run.
  package func configuration(
    ofSection section: String
  ) async throws(CommandFailure) -> [String: [GitConfigurationValue]] {
    let output = try await run(
      ["config", "--null", "--show-origin", "--get-regexp", "^\(section)\\."])
    if output.status == 1 { return [:] }
    guard output.status == 0 else {
      throw CommandFailure(.badConfiguration, "git config: \(output.complaint)")
    }
    let fields = output.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    var result: [String: [GitConfigurationValue]] = [:]
    for index in stride(from: 0, to: fields.count - 1, by: 2) {
      // A key without a value has no line of its own for it.
      let parts = fields[index + 1].split(
        separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? String(parts[1]) : ""
      result[String(parts[0]), default: []].append(
        GitConfigurationValue(value: value, origin: fields[index]))
    }
    return result
  }

  /// The value of a key that counts, or nil if it is not set.
  ///
  /// - Throws: As ``configurationValues(_:scope:)``.
  package func configurationValue(
    _ key: String, scope: GitConfigurationScope? = nil
  ) async throws(CommandFailure) -> GitConfigurationValue? {
    try await configurationValues(key, scope: scope).last
  }

  /// Sets a key to one value, in place of all that it has.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot write the file.
  package func setConfiguration(
    _ key: String, to value: String, scope: GitConfigurationScope
  ) async throws(CommandFailure) {
    _ = try await require(
      ["config", scope.option, "--replace-all", key, value], writes: true)
  }

  /// Adds a value to those that a key has.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot write the file.
  package func addConfiguration(
    _ key: String, _ value: String, scope: GitConfigurationScope
  ) async throws(CommandFailure) {
    _ = try await require(["config", scope.option, "--add", key, value], writes: true)
  }

  /// Removes a key; git removes its section too if nothing else is in it.
  ///
  /// - Returns: Whether the key was set.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot write the file.
  @discardableResult
  package func unsetConfiguration(
    _ key: String, scope: GitConfigurationScope
  ) async throws(CommandFailure) -> Bool {
    let output = try await run(["config", scope.option, "--unset-all", key], writes: true)
    // Status 5: the key was not set. Status 1: there is no such section or file.
    if output.status == 5 || (output.status == 1 && output.standardError.isEmpty) { return false }
    guard output.status == 0 else {
      throw CommandFailure(.inputOutput, "git config: \(output.complaint)")
    }
    return true
  }
}

extension GitClient {
  /// The same client with values of git's configuration that override all others.
  ///
  /// They are in the environment, where other users of the machine do not see them.
  package func overriding(_ settings: [(key: String, value: String)]) -> GitClient {
    let count = location.variable("GIT_CONFIG_COUNT").flatMap { Int($0) } ?? 0
    var variables: [String: String?] = ["GIT_CONFIG_COUNT": "\(count + settings.count)"]
    for (index, setting) in settings.enumerated() {
      variables["GIT_CONFIG_KEY_\(count + index)"] = setting.key
      variables["GIT_CONFIG_VALUE_\(count + index)"] = setting.value
    }
    return adding(variables)
  }
}

extension GitOutput {
  /// Whether git refused because there is no repository.
  fileprivate var isOutsideRepository: Bool { complaint.hasPart("git repository") }
}
