internal import BoxSystem
package import BoxWorkspace
internal import Synchronization
package import TestSupport

/// An observer that keeps the lines of notices, and the progress.
package final class RecordingObserver: WorkObserver {
  private let received = Mutex<[Notice]>([])
  private let progress = Mutex<[(done: Int, total: Int)]>([])

  package init() {}

  package var notices: [Notice] { received.withLock { $0 } }
  package var lines: String { notices.map(\.line).joined(separator: "\n") }
  package var updates: [(done: Int, total: Int)] { progress.withLock { $0 } }
  package var kinds: [Notice.Kind] { notices.map(\.kind) }

  package func receive(_ notice: Notice) { received.withLock { $0.append(notice) } }
  package func update(_ step: String, _ done: Int, of total: Int, unit: String) {
    progress.withLock { $0.append((done, total)) }
  }
  package func finish() {}
}

extension TemporaryRepository {
  /// The repository, or a directory of it, as a place for the functions of the library, outside of CI
  /// unless the variables say otherwise.
  package func place(
    _ observer: any WorkObserver = SilentObserver(), in directory: String? = nil,
    environment more: [String: String?] = [:]
  ) -> Workspace {
    var environment = environment
    for name in ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] {
      environment.updateValue(nil, forKey: name)
    }
    environment.merge(more) { $1 }
    // A working directory has no links.
    let named = directory.map { path + "/" + $0 } ?? path
    let directory = canonicalPath(named) ?? named
    return Workspace(
      git: GitClient(in: directory, environment: environment), directory: directory,
      observer: observer)
  }
}
