import Synchronization
import TestSupport

@testable import BoxTool

/// An observer that keeps the lines of notices.
final class RecordingObserver: WorkObserver {
  private let received = Mutex<[Notice]>([])

  var lines: String { received.withLock { $0.map(\.line).joined(separator: "\n") } }
  var kinds: [Notice.Kind] { received.withLock { $0.map(\.kind) } }

  func receive(_ notice: Notice) { received.withLock { $0.append(notice) } }
  func update(_ step: String, _ done: Int, of total: Int, unit: String) {}
  func finish() {}
}

extension TemporaryRepository {
  /// The repository, or a folder of it, as a place for the functions of the library, outside of CI.
  func place(
    _ observer: any WorkObserver = SilentObserver(), in folder: String? = nil
  ) -> Workspace {
    var environment = environment
    for name in ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] {
      environment.updateValue(nil, forKey: name)
    }
    let directory = folder.map { path + "/" + $0 } ?? path
    return Workspace(
      git: GitClient(in: directory, environment: environment), folder: directory,
      observer: observer)
  }
}
