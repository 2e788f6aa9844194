/// The place that functions of the library work in: a repository, variables, and a receiver of
/// notices.
///
/// Relative paths start from the working directory of the process.
package struct Workspace: Sendable {
  /// A client for the repository that revisions belong to unless a path says otherwise.
  package var git: GitClient
  /// The directory whose settings and catalogue are in force.
  package var directory: String
  /// The receiver of notices and progress.
  package var observer: any WorkObserver

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - git: A client for the repository; defaults to the repository of the working directory.
  ///   - directory: The directory whose settings are in force; by default the working directory.
  ///   - observer: The receiver of notices and progress; by default nobody.
  package init(
    git: GitClient = GitClient(), directory: String = ".",
    observer: any WorkObserver = SilentObserver()
  ) {
    self.git = git
    self.directory = directory
    self.observer = observer
  }

  /// The same place with another repository.
  package func with(_ git: GitClient) -> Workspace {
    Workspace(git: git, directory: directory, observer: observer)
  }

  /// The value of an environment variable; nil if it is unset or empty.
  package func variable(_ name: String) -> String? { git.location.variable(name) }

  /// Whether the work is part of a CI job, as `CI` says, or a variable of services that do not set
  /// it.
  package var isUnattended: Bool {
    ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"].contains { name in
      variable(name).map { !["false", "0"].contains($0.lowercased()) } ?? false
    }
  }
}
