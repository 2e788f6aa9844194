import BoxMigration
import BoxModel
import BoxReport
import BoxSystem
import TestSupport
import ToolTestSupport

@testable import BoxModelTool

/// Requests as their commands make them, for files that are named from a directory of the repository.
///
/// Nothing may depend on a relative path: the working directory is that of the tests.
extension TemporaryRepository {
  /// An argument with the meaning that it has in a directory of the repository.
  func here(_ argument: String, in directory: String? = nil) -> String {
    guard case .file(let path) = SourceReference(argument), !path.hasPrefix("/") else {
      return argument
    }
    return place(in: directory).directory + "/"
      + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
  }

  /// Runs a request, and keeps what its user reads, with the paths that are shown in the repository.
  func run(
    in directory: String? = nil, environment: [String: String?] = [:],
    _ work: (Workspace) async throws -> (outcome: ReportOutcome, text: String)
  ) async throws -> RequestRun {
    let observer = RecordingObserver()
    return try await .of(observer, shortened: shortened) {
      try await work(place(observer, in: directory, environment: environment))
    }
  }

  private func shortened(_ text: String) -> String {
    let relative = RepositoryModels.path(of: name, in: surroundings.path, from: workingDirectory())
    return [relative, path].reduce(text) { $0.replacing($1 + "/", with: "") }
  }

  /// Plans a change as `boxjoint plan` does.
  func plan(
    _ files: String..., against: String? = nil, in directory: String? = nil,
    environment: [String: String?] = [:], format: PlanFormat = .text,
    _ change: (inout ChangeRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = ChangeRequest(files.map { here($0, in: directory) }, against: against)
    change(&request)
    return try await run(in: directory, environment: environment) { place in
      guard let review = try await request.run(in: place) else { return (.success, "") }
      let text = review.render(format, tool: .boxjoint)
      return (review.isBlocked ? .findings : .success, text)
    }
  }

  /// Plans from tags as `boxjoint plan --all-tags` does.
  func planAllTags(
    _ file: String, matching pattern: String = "*",
    _ change: (inout ChangeRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = ChangeRequest([here(file)])
    change(&request)
    return try await run { place in
      guard let (matrix, isBlocked) = try await request.matrix(tags: pattern, in: place) else {
        return (.success, "")
      }
      return (isBlocked ? .findings : .success, matrix.text())
    }
  }

  /// Checks models as `boxjoint check` does.
  func check(
    _ files: String..., against: String? = nil, in directory: String? = nil,
    format: ReportFormat = .text, environment: [String: String?] = [:],
    _ change: (inout CheckRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = CheckRequest(files.map { here($0, in: directory) })
    request.against = against
    change(&request)
    return try await run(in: directory, environment: environment) { place in
      let check = try await request.run(in: place)
      return (check.outcome, check.isFailed ? "" : check.report.render(format))
    }
  }

  /// Approves a step as `boxjoint plan approve` does.
  func approve(
    _ fingerprint: String, _ files: String..., against: String? = nil, reason: String = "agreed",
    _ change: (inout ApprovalRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = ApprovalRequest(fingerprint, reason: reason)
    request.files = files.map { here($0) }
    request.against = against
    change(&request)
    return try await run { place in
      let (path, replaced) = try await request.run(in: place)
      return (.success, path + (replaced.map { " replaces the approval by \($0)" } ?? ""))
    }
  }

  /// The fingerprints of the steps of a plan.
  func fingerprints(_ file: String, against: String? = nil) async throws -> [String] {
    let request = ChangeRequest([here(file)], against: against)
    return try await request.run(in: place())?.plan.steps.map(\.fingerprint) ?? []
  }

  /// Commits a file of approvals, and nothing else.
  func commitApprovals(_ list: ApprovalList? = nil) async throws {
    if let list { try write(list.text, to: ApprovalList.fileName) }
    try await git("add", ApprovalList.fileName)
    try await git("commit", "--quiet", "-m", "Approve")
  }
}
