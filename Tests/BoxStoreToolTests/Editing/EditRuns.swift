import BoxDump
import TestSupport
import ToolTestSupport

@testable import BoxStoreTool

/// Requests that change objects, as their commands make them.
extension TemporaryDirectory {
  /// Puts objects as `boxjoint store put` does.
  func put(
    _ entity: String, _ objects: String..., mode: ImportMode = .insert,
    change: (inout EditOptions) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = PutRequest(path(of: "data"), entity, objects)
    request.mode = mode
    change(&request.options)
    return try await run { place in (.success, try request.run(in: place).text) }
  }

  /// Sets properties as `boxjoint store set --yes` does.
  func set(
    _ entity: String, _ selection: ObjectSelection, _ assignments: String...,
    change: (inout EditOptions) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = SetRequest(path(of: "data"), entity, selection, assignments)
    change(&request.options)
    return try await run { place in (.success, try request.run(in: place).text) }
  }

  /// Removes objects as `boxjoint store remove --yes` does.
  func remove(
    _ entity: String, _ selection: ObjectSelection, _ change: (inout EditOptions) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = RemoveRequest(path(of: "data"), entity, selection)
    change(&request.options)
    return try await run { place in (.success, try request.run(in: place).text) }
  }

  /// Adds or removes entries of a relation as `boxjoint store link` and `unlink` do.
  func link(
    _ relation: String, _ source: UInt64, _ targets: UInt64..., isRemoval: Bool = false,
    change: (inout EditOptions) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = LinkRequest(
      path(of: "data"), relation, from: source, to: targets, isRemoval: isRemoval)
    change(&request.options)
    return try await run { place in (.success, try request.run(in: place).text) }
  }

  /// Lists or removes objects with one value as `boxjoint store duplicates --yes` does.
  func duplicates(
    _ property: String, _ change: (inout DuplicatesRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = DuplicatesRequest(path(of: "data"), property)
    change(&request)
    return try await run { place in
      let report = try request.run(in: place)
      return (!request.removes && report.values > 0 ? .findings : .success, report.text)
    }
  }

  /// Shows objects as `boxjoint store get` does.
  func get(
    _ entity: String, _ ids: UInt64..., format: QueryFormat = .ndjson
  ) async throws -> RequestRun {
    let output = MemoryOutput()
    var request = GetRequest(path(of: "data"), entity, ids, to: output)
    request.format = format
    return try await run { place in
      try request.run(in: place)
      return (.success, output.text)
    }
  }
}
