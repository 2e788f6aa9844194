internal import BoxSystem

/// The configuration that is in force, with the origin of each value.
package struct EffectiveConfiguration: Hashable, Sendable {
  /// The configuration file that was read, if any.
  package var file: String?
  private var settings: [SettingKey: Setting]
  /// The settings that a change under review would alter.
  package private(set) var changes: [ChangedSetting] = []

  /// The value of a setting.
  package subscript(key: SettingKey) -> Setting { settings[key] ?? key.default }

  init(file: String? = nil, settings: [SettingKey: Setting]) {
    self.file = file
    self.settings = settings
  }

  /// The patterns of the model files.
  package var filePatterns: [FilePattern] { self[.files].texts.compactMap { FilePattern($0) } }

  /// The maximum number of earlier versions of a side that a merge reads.
  package var historyLimit: Int { self[.historyLimit].texts.last.flatMap { Int($0) } ?? 0 }

  /// The settings of the command line, which override all others.
  package struct Options: Hashable, Sendable {
    /// The value of `--config`.
    package var configurationPath: String?
    /// The values of options such as `--published`, by setting; an option that was not given is
    /// missing.
    package var values: [SettingKey: [String]] = [:]

    /// Creates the options.
    package init(configurationPath: String? = nil, values: [SettingKey: [String]] = [:]) {
      self.configurationPath = configurationPath
      self.values = values
    }
  }

  /// Determines the effective configuration for a directory.
  ///
  /// An option overrides the environment, the environment the file `.boxjoint.yml`, and the file
  /// git's configuration. The file is the one that `--config` or `BOXJOINT_CONFIG` names, or else
  /// the nearest in the directory and its parents, up to the top of the repository. Outside of a
  /// repository only the directory itself counts. Without `readsGit`, git's configuration is left out
  /// and no process is started. With a base, the file is the one of that revision, unless one is
  /// named: the files of a change under review say nothing about whether it passes, and what they
  /// would change is in ``changes``.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file that was named cannot be
  ///   read, `badConfiguration` if a value is wrong, `usage` if an option is.
  package static func load(
    _ options: Options = Options(), in place: Workspace, readsGit: Bool = true,
    base: ReviewBase? = nil
  ) async throws(CommandFailure) -> EffectiveConfiguration {
    let explicit = options.configurationPath ?? place.variable("BOXJOINT_CONFIG")
    var changes: [ChangedSetting] = []
    let file: ConfigurationFile?
    if let explicit {
      file = try await ConfigurationFile.read(named: explicit, in: place)
    } else if let base {
      file = try await base.configurationFile()
      changes = ChangedSetting.all(
        from: file, in: base.revision, to: nearestFile(from: place.directory))
    } else {
      file = try nearestFile(from: place.directory).map { (path) throws(CommandFailure) in
        try ConfigurationFile.read(path)
      }
    }
    var result = EffectiveConfiguration(file: file?.path, settings: file?.settings ?? [:])
    result.changes = changes
    let fromGit = readsGit ? try await place.git.configuration(ofSection: "boxjoint") : [:]
    for key in SettingKey.allCases {
      if let values = options.values[key] {
        let option = "--" + key.rawValue.replacingDots
        result.settings[key] = try checked(values, key, .usage) { _ in .option(option) }
      } else if let text = place.variable(key.environmentVariable),
        !text.allSatisfy(\.isWhitespace)
      {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        result.settings[key] = try checked(words, key, .badConfiguration) { _ in
          .environment(key.environmentVariable)
        }
      } else if result.settings[key] == nil, let values = fromGit[key.gitKey.lowercased()] {
        result.settings[key] = try checked(values.map(\.value), key, .badConfiguration) {
          .git(key: key.gitKey, origin: values[$0].origin)
        }
      }
    }
    return result
  }

  private static func checked(
    _ texts: [String], _ key: SettingKey, _ kind: FailureKind,
    origin: (Int) -> SettingOrigin
  ) throws(CommandFailure) -> Setting {
    var setting = Setting(entries: [], isDefault: false)
    for (index, text) in texts.enumerated() {
      if let problem = key.problem(of: text) {
        throw CommandFailure(kind, "\(origin(index).description): \(problem)")
      }
      setting.entries.append(Setting.Entry(text: text, origin: origin(index)))
    }
    return setting
  }

  /// The nearest configuration file in a directory or its parents, as a path that starts like the
  /// directory's.
  static func nearestFile(from directory: String) -> String? {
    var current = directory
    // No path of a real file system is as deep as this.
    for _ in 0..<256 {
      let candidate =
        current == "." ? ConfigurationFile.name : joinPath(current, ConfigurationFile.name)
      if let found = try? fileAttributes(at: candidate), !found.isDirectory { return candidate }
      if exists(joinPath(current, ".git")) { return nil }
      guard isInsideRepository(current), let here = canonicalPath(current), here != "/" else {
        return nil
      }
      current = current == "." ? ".." : parentOrUp(current)
    }
    return nil
  }

  /// The parent directory, by a name as short as the given one.
  private static func parentOrUp(_ directory: String) -> String {
    let last = directory.split(separator: "/").last
    if last == ".." || last == "." || directory.hasSuffix("/") { return joinPath(directory, "..") }
    return parentDirectory(of: directory)
  }

  private static func isInsideRepository(_ directory: String) -> Bool {
    RepositoryLocation.containing(directory).isRepository
  }

  private static func exists(_ path: String) -> Bool {
    (try? fileAttributes(at: path)).flatMap { $0 } != nil
  }
}

extension String {
  /// The name of a setting as part of an option: `check.ignore` is `--check-ignore`.
  fileprivate var replacingDots: String { String(map { $0 == "." ? "-" : $0 }) }
}
