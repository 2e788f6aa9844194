internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of git that hold the configuration of the tool.
package enum IntegrationScope: String, Hashable, Sendable, CaseIterable {
  /// Configuration and attributes of this repository, which no commit carries.
  case local
  /// Configuration of this repository, attributes in `.gitattributes`, for everybody.
  case shared
  /// Configuration and attributes of the user, for all repositories.
  case global

  /// The git configuration that has the drivers.
  package var configuration: GitConfigurationScope { self == .global ? .global : .local }
}

/// Adds the merge driver and the readable diff to git, and removes them.
package struct GitIntegration: Sendable {
  /// The client for the directory that the command runs in.
  package var git: GitClient

  /// Creates the integration of a repository.
  package init(git: GitClient) {
    self.git = git
  }

  /// The report on a change, for the user.
  package struct Report: Hashable, Sendable {
    /// The changes, one sentence each without a period; empty if nothing was changed.
    package var changes: [String] = []
    /// Further notes for the user.
    package var notes: [String] = []
  }

  /// The keys of git's configuration and the values that they get.
  ///
  /// `cachetextconv` stays off: git would keep the old output of `show` in `refs/notes` when a
  /// newer version of the tool prints something else, and model files are small.
  package static func settings(program: String) -> [(key: String, value: String)] {
    let lines = DriverLines(program: program)
    let name = DriverLines.name
    return [
      ("merge.\(name).name", "ObjectBox model files, by UID"),
      ("merge.\(name).recursive", DriverLines.driverOfBases),
      ("merge.\(name).driver", lines.merge),
      ("diff.\(name).textconv", lines.textconv),
    ]
  }

  /// The keys for `git mergetool --tool=boxjoint`, and the values that they get.
  static func mergeToolSettings(program: String) -> [(key: String, value: String)] {
    let name = DriverLines.name
    return [
      ("mergetool.\(name).cmd", DriverLines(program: program).mergeTool),
      ("mergetool.\(name).trustExitCode", "true"),
    ]
  }

  /// Installs the drivers and the attributes; correct parts stay unchanged.
  ///
  /// - Parameters:
  ///   - scope: The files of git to change.
  ///   - program: The program that git runs.
  ///   - patterns: The patterns of the model files.
  ///   - mergeTool: Whether the merge tool is installed too.
  ///   - hooks: Whether the hooks are installed, or removed; nil leaves them as they are.
  /// - Returns: The changes.
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository (unless the
  ///   scope is global), `inputOutput` if something cannot be written.
  package func install(
    _ scope: IntegrationScope, program: String, patterns: [FilePattern], mergeTool: Bool = false,
    hooks: Bool? = nil
  ) async throws(CommandFailure) -> Report {
    let attributesPath = try await attributesFile(for: scope)
    let root = scope == .shared ? parentDirectory(of: attributesPath) : nil
    // Before anything is changed.
    try WriteTarget.resolve(attributesPath, within: root)
    var report = Report()
    let tool = mergeTool ? Self.mergeToolSettings(program: program) : []
    for setting in Self.settings(program: program) + tool {
      let present = try await git.configurationValues(setting.key, scope: scope.configuration)
      if present.map(\.value) == [setting.value] { continue }
      let others = present.map(\.value).filter { !DriverLines.isOwn($0) }
      let earlier = EarlierSetting(key: setting.key, scope: scope.configuration)
      // Before it is replaced.
      if !others.isEmpty { try await earlier.save(others, git) }
      try await git.setConfiguration(setting.key, to: setting.value, scope: scope.configuration)
      report.changes.append("set \(setting.key) in the \(scope.configuration) configuration")
      if !others.isEmpty {
        let command = "boxjoint git uninstall" + (scope == .global ? " --\(scope.rawValue)" : "")
        report.notes.append("\(setting.key) had another value, which '\(command)' restores")
      }
    }
    let block = AttributesBlock(patterns: patterns)
    let content = try existingContent(attributesPath)
    let wanted = block.installed(in: content)
    if content != wanted {
      try createDirectory(parentDirectory(of: attributesPath))
      try AtomicFile.write(wanted, to: attributesPath, within: root)
      report.changes.append("wrote the patterns to \(pathFromHere(attributesPath))")
    }
    switch hooks {
    case true?: try await installHooks(program: program, report: &report)
    case false?: try await removeHooks(report: &report)
    case nil: break
    }
    if scope == .shared {
      report.notes.append(
        "commit .gitattributes; every clone still needs 'boxjoint git install' once")
    }
    if mergeTool {
      report.notes.append(
        "'git mergetool --tool=\(DriverLines.name) FILE' asks about each conflict of a model file")
    }
    return report
  }

  /// Removes everything that ``install(_:program:patterns:mergeTool:hooks:)`` added in the same scope,
  /// and restores the values of settings that it replaced.
  ///
  /// The shared scope includes the local one, since its configuration is the same.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository (unless the
  ///   scope is global), `inputOutput` if something cannot be written.
  package func uninstall(_ scope: IntegrationScope) async throws(CommandFailure) -> Report {
    var report = Report()
    var files = [try await attributesFile(for: scope)]
    if scope == .shared { files.append(try await attributesFile(for: .local)) }
    let settings =
      Self.settings(program: "boxjoint") + Self.mergeToolSettings(program: "boxjoint")
    for setting in settings {
      // A value that the user wrote is kept.
      let present = try await git.configurationValues(setting.key, scope: scope.configuration)
      let isOurs = present.contains { DriverLines.isOwn($0.value) || $0.value == setting.value }
      if isOurs, try await git.unsetConfiguration(setting.key, scope: scope.configuration) {
        report.changes.append(
          "removed \(setting.key) from the \(scope.configuration) configuration")
      }
      let earlier = EarlierSetting(key: setting.key, scope: scope.configuration)
      if try await earlier.restore(git) {
        report.changes.append("restored the previous value of \(setting.key)")
      }
    }
    for path in files { try removeBlock(from: path, scope: scope, report: &report) }
    if scope == .global {
      try await removeEmptyGlobalFile()
    } else {
      try await removeHooks(report: &report)
    }
    if scope == .local, let top = try await git.repository()?.topLevel {
      let shared = joinPath(top, ".gitattributes")
      if let content = try existingContent(shared), AttributesBlock.isInstalled(in: content) {
        report.notes.append(
          "\(shared) still names the driver, which git ignores where it is not installed; "
            + "'boxjoint git uninstall --shared' removes it there too")
      }
    }
    return report
  }

  /// The file of attributes of a scope.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if the scope needs a repository or a work tree
  ///   that does not exist.
  func attributesFile(for scope: IntegrationScope) async throws(CommandFailure) -> String {
    if scope == .global { return try await globalAttributesFile() }
    guard let repository = try await git.repository() else {
      throw CommandFailure(
        .impossible, "this is not inside a git repository",
        remedy: scope == .shared ? nil : .useGlobalScope)
    }
    if scope == .local { return try await git.path(ofRepositoryFile: "info/attributes") }
    guard let top = repository.topLevel else {
      throw CommandFailure(.impossible, "this repository has no work tree for .gitattributes")
    }
    return joinPath(top, ".gitattributes")
  }

  private func globalAttributesFile() async throws(CommandFailure) -> String {
    let configured = try await git.run(["config", "--type=path", "--get", "core.attributesFile"])
    if configured.status == 0, !configured.text.isEmpty { return configured.text }
    if let directory = git.location.variable("XDG_CONFIG_HOME") {
      return joinPath(directory, "git/attributes")
    }
    guard let home = git.location.variable("HOME") else {
      throw CommandFailure(.impossible, "there is no home directory: HOME is not set")
    }
    return joinPath(home, ".config/git/attributes")
  }

  private func removeBlock(
    from path: String, scope: IntegrationScope, report: inout Report
  ) throws(CommandFailure) {
    guard let content = try existingContent(path), AttributesBlock.isInstalled(in: content) else {
      return
    }
    if let rest = AttributesBlock.removed(from: content) {
      let root = scope == .shared ? parentDirectory(of: path) : nil
      try AtomicFile.write(rest, to: path, within: root)
    } else {
      guard unlink(path) == 0 else {
        throw CommandFailure(
          .inputOutput, "cannot be removed: \(SystemError.last.reason)", path: path)
      }
      // Fails, as it should, where something else is in it.
      let directory = parentDirectory(of: path)
      if scope != .shared, rmdir(directory) == 0, directory.hasSuffix("/.config/git") {
        rmdir(parentDirectory(of: directory))
      }
    }
    report.changes.append("removed the patterns from \(pathFromHere(path))")
  }

  /// Removes the user's configuration file if nothing is left in it, as git leaves it there.
  private func removeEmptyGlobalFile() async throws(CommandFailure) {
    let path: String? =
      if let named = git.location.variable("GIT_CONFIG_GLOBAL") { named } else {
        git.location.variable("HOME").map { joinPath($0, ".gitconfig") }
      }
    guard let path, let found = try? fileAttributes(at: path) else { return }
    if found.isRegularFile, found.st_size == 0, (try? linkDestination(path)) == nil {
      unlink(path)
    }
  }

  private func existingContent(_ path: String) throws(CommandFailure) -> [UInt8]? {
    do {
      guard try fileAttributes(at: path) != nil else { return nil }
    } catch {
      throw CommandFailure(.inputOutput, "cannot be read: \(error.reason)", path: path)
    }
    return try SourceFile.read(path).bytes
  }

  func createDirectory(_ path: String) throws(CommandFailure) {
    if let found = try? fileAttributes(at: path), found.isDirectory { return }
    let parent = parentDirectory(of: path)
    if parent != path { try createDirectory(parent) }
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw CommandFailure(
        .inputOutput, "the directory cannot be created: \(SystemError.last.reason)", path: path)
    }
  }
}
