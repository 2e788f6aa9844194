import BoxDump
import BoxEngine
import BoxReport
import TestSupport
import ToolTestSupport

@testable import BoxStoreTool

/// Requests about stores and dumps as their commands make them, for the names in a directory.
extension TemporaryDirectory {
  /// The directory as a place for the functions of the library.
  func place(_ observer: any WorkObserver = SilentObserver()) -> Workspace {
    Workspace(git: GitClient(in: path), directory: path, observer: observer)
  }

  /// An argument with the meaning that it has in the directory.
  func here(_ argument: String) -> String {
    let prefix = "store:"
    return argument.hasPrefix(prefix)
      ? prefix + path(of: String(argument.dropFirst(prefix.count))) : path(of: argument)
  }

  /// Runs a request, and keeps what its user reads, with paths that begin in the directory.
  func run(
    _ observer: RecordingObserver = RecordingObserver(),
    _ work: (Workspace) async throws -> (outcome: ReportOutcome, text: String)
  ) async throws -> RequestRun {
    try await .of(observer, shortened: { $0.replacing(path + "/", with: "") }) {
      try await work(place(observer))
    }
  }

  /// Imports a file as `boxjoint import` does.
  func load(
    _ input: String, into store: String = "data",
    _ change: (inout ImportRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = ImportRequest(path(of: input), into: path(of: store))
    change(&request)
    return try await run { place in
      let summary = try request.run(in: place) {
        place.observer.receive(Notice(.failure, CommandFailure($0).line))
      }
      return (summary.rejected > 0 ? .findings : .success, ImportReport(summary: summary).text)
    }
  }

  /// Imports people of ``ImportSample``.
  func loadPeople(
    _ input: String, _ change: (inout ImportRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    try await load(input) {
      $0.model = path(of: "model.json")
      $0.options.entity = "Person"
      change(&$0)
    }
  }

  /// Exports a store as `boxjoint export` does.
  func export(
    _ store: String = "data", to output: String,
    _ change: (inout ExportRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = ExportRequest(path(of: store), to: path(of: output))
    request.options.compression = Compression(endingOf: output)
    change(&request)
    return try await run { place in
      let report = try request.run(in: place)
      let lines = report.complaints.map { $0 + "\n" }
      return (lines.isEmpty ? .success : .findings, lines.reduce(report.text ?? "", +))
    }
  }

  /// Verifies a dump as `boxjoint dump verify` does.
  func verifyDump(_ name: String) async throws -> RequestRun {
    try await run { place in
      let report = try DumpVerificationReport(
        of: path(of: name), limits: DecompressionLimits(), place.observer)
      return (report.isWhole ? .success : .findings, report.text)
    }
  }

  /// Compares dumps and stores as `boxjoint dump diff` does.
  func compareDumps(_ old: String, _ new: String) async throws -> RequestRun {
    try await run { place in
      let report = try DumpComparison(from: here(old), to: here(new)).run(place.observer)
      return (report.isSame ? .success : .findings, report.text)
    }
  }

  /// Migrates the store `data` as `boxjoint migrate --yes` does, or looks at the migration only.
  func migrate(
    _ store: String = "data", to target: String, via intermediate: String...,
    mapping: String? = nil, isDryRun: Bool = false,
    _ change: (inout MigrationRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = MigrationRequest(path(of: store), to: here(target))
    request.intermediate = intermediate.map(here)
    request.mapping = mapping.map(path)
    request.isDryRun = isDryRun
    change(&request)
    return try await run { place in
      let proposal = try await request.prepare(in: place)
      if isDryRun || proposal.plan == nil { return (.success, proposal.text) }
      return (.success, proposal.text + (try proposal.carryOut(place.observer).text))
    }
  }
}
