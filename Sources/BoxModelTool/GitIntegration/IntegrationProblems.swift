internal import BoxReport

extension IntegrationStatus.Problem {
  static let notInstalled = Self(
    id: "not-installed", message: "nothing is installed: git merges model files as text",
    remedy: "run 'boxjoint git install'")

  static let noDriver = Self(
    id: "no-driver",
    message: "the attributes name the merge driver, and git's configuration does not have it",
    remedy: "run 'boxjoint git install' in this clone")

  static let noTextconv = Self(
    id: "no-textconv", message: "git's configuration lacks the readable diff",
    remedy: "run 'boxjoint git install'")

  static let noPatterns = Self(
    id: "no-patterns", message: "the driver is configured, and no attributes say for which files",
    remedy: "run 'boxjoint git install'")

  static let foreignDriver = Self(
    id: "foreign-driver", message: "merge.boxjoint.driver is not as this version writes it",
    remedy: "run 'boxjoint git install' to replace it")

  static let foreignTextconv = Self(
    id: "foreign-textconv", message: "diff.boxjoint.textconv is not as this version writes it",
    remedy: "run 'boxjoint git install' to replace it")

  static func outdated(_ key: String) -> Self {
    Self(
      id: "outdated-line", message: "\(key) was written by another version of this program",
      remedy: "run 'boxjoint git install' to replace it")
  }

  static func missingProgram(_ program: String) -> Self {
    Self(
      id: "missing-program",
      message: "the driver's program '\(program)' is not there: git merges model files as text",
      remedy: "put it there, or run 'boxjoint git install' with the program that is")
  }

  static func brokenProgram(_ program: String) -> Self {
    Self(
      id: "broken-program",
      message: "the driver's program '\(program)' does not run: git merges model files as text",
      remedy: "run \(quotedCommand(shellQuoted(program) + " --version")) to see why")
  }

  static func outdatedHook(_ path: String) -> Self {
    Self(
      id: "outdated-hook", message: "the lines of this hook were written by another version",
      remedy: "run 'boxjoint git install --hooks' to replace them", path: path)
  }

  static func inactiveHook(_ path: String) -> Self {
    Self(
      id: "inactive-hook", message: "the hook is not executable, so git does not run it",
      remedy: "run 'boxjoint git install --hooks' to make it executable", path: path)
  }

  static func missingHookProgram(_ program: String, _ path: String) -> Self {
    Self(
      id: "missing-program",
      message: "the program '\(program)' of the hook is not there: the hook checks nothing",
      remedy: "put it there, or run 'boxjoint git install --hooks' with the program that is",
      path: path)
  }

  static func brokenHookProgram(_ program: String, _ path: String) -> Self {
    Self(
      id: "broken-program",
      message: "the program '\(program)' of the hook does not run: the hook checks nothing",
      remedy: "run \(quotedCommand(shellQuoted(program) + " --version")) to see why", path: path)
  }

  static func oldGit(_ version: GitVersion) -> Self {
    Self(
      id: "old-git",
      message: "git \(version) is older than \(GitVersion.oldestSupported), the oldest supported",
      remedy: "update git")
  }

  static func outdatedPatterns(_ path: String) -> Self {
    Self(
      id: "outdated-patterns", message: "the patterns differ from the configuration",
      remedy: "run 'boxjoint git install' again, in the same way as before", path: path)
  }

  static func overridden(_ attribute: String, _ value: GitAttributeValue, _ path: String) -> Self {
    let stands =
      switch value {
      case .unspecified: "is not specified"
      case .set: "is set without a value"
      case .unset: "is unset"
      case .text(let text): "is '\(text)'"
      }
    return Self(
      id: "overridden-attribute",
      message: "the attribute '\(attribute)' \(stands) here, where it should be 'boxjoint'",
      remedy: "look for a line of attributes that overrides it, or run 'boxjoint git install'",
      path: path)
  }
}
