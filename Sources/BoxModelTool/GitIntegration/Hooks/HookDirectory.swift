internal import BoxSystem

/// The directory whose hooks git runs in a repository.
struct HookDirectory: Hashable, Sendable {
  /// The absolute path.
  var path: String
  /// The absolute path of the directory that git uses without settings.
  var defaultPath: String
  /// Whether the directory belongs to this repository alone, and no commit changes it.
  ///
  /// A directory of `core.hooksPath` is usually in the work tree, where another tool keeps it, or shared by
  /// all repositories of a user.
  var isOwn: Bool

  /// Whether the setting turns all hooks off.
  var isOff: Bool { path == "/dev/null" }

  /// Finds the directory.
  ///
  /// - Returns: The directory; nil outside of a repository and without a work tree, for which no hook is.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, `badConfiguration` if
  ///   git's configuration is wrong.
  static func find(_ git: GitClient) async throws(CommandFailure) -> HookDirectory? {
    guard let repository = try await git.repository(), let top = repository.topLevel else {
      return nil
    }
    let standard = joinPath(repository.commonDirectory, "hooks")
    let path = try await configured(git).map { joinPath(top, $0) } ?? standard
    let isOwn = isInside(path, directory: repository.commonDirectory)
    return HookDirectory(path: path, defaultPath: standard, isOwn: isOwn)
  }

  /// The value of `core.hooksPath`.
  private static func configured(_ git: GitClient) async throws(CommandFailure) -> String? {
    let output = try await git.require(
      ["config", "--type=path", "--null", "--get-all", "core.hooksPath"],
      otherwise: .badConfiguration)
    // The last value comes from the command line of this call, which turns hooks off.
    let values = output.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }.dropLast(2)
    return values.last.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The path of a hook.
  func file(of hook: GitHook) -> String { joinPath(path, hook.rawValue) }

  /// The directories that can have lines of the tool: this one, and git's default.
  var ownPaths: [String] { isOwn && path != defaultPath ? [path, defaultPath] : [defaultPath] }
}
