package import BoxJSON
internal import BoxReport

/// The output of `boxjoint git status`.
package struct IntegrationStatusReport: Hashable, Sendable {
  package var status: IntegrationStatus

  /// Creates the report.
  package init(status: IntegrationStatus) {
    self.status = status
  }

  /// The report for people.
  package var text: String {
    var lines: [String] = []
    lines.append("git: \(status.gitVersion?.description ?? "unknown version")")
    lines.append("merge driver: \(driverState)")
    lines.append("readable diff: \(status.textconv.map { $0.origin } ?? "not configured")")
    for (scope, path) in attributeFiles {
      lines.append("patterns (\(scope.rawValue)): \(pathFromHere(path))")
    }
    if let hooks = status.hooks {
      lines.append(
        hooks.isEmpty
          ? "hooks: none; 'boxjoint git install --hooks' installs them"
          : "hooks: " + hooks.map(\.name.rawValue).joined(separator: ", "))
    }
    if status.looksAtFiles {
      lines.append(status.files.isEmpty ? "no tracked model files" : "files:")
    }
    for file in status.files {
      let merge =
        file.mergesByUID
        ? "merged by UID" : file.mergesByKey ? "merged by key" : "merged as text"
      let diff = file.showsReadably ? "readable diff" : "diff as text"
      lines.append("  \(file.path): \(merge), \(diff)")
    }
    if let published = status.published {
      lines.append("published:")
      lines +=
        published.isEmpty
        ? [
          "  nothing; name the branch that is released in the setting 'published' (boxjoint config)"
        ]
        : published.lines
    }
    for problem in status.problems {
      let place = problem.path.map { "\(pathFromHere($0)): " } ?? ""
      lines.append("problem: \(place)\(problem.message); \(problem.remedy)")
    }
    if status.problems.isEmpty { lines.append("no problems found") }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }

  /// The report for programs; `Schemas/git-status.schema.json` describes it.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "installed": .bool(status.isInstalled),
      "gitVersion": status.gitVersion.map { .string($0.description) } ?? .null,
      "driver": Self.json(status.driver),
      "textconv": Self.json(status.textconv),
      "program": programJSON,
      "attributeFiles": .array(
        attributeFiles.map { scope, path in
          ["scope": .string(scope.rawValue), "path": .string(path)]
        }),
      "hooks": .array(
        (status.hooks ?? []).map { hook in
          ["name": .string(hook.name.rawValue), "path": .string(hook.path)]
        }),
      "files": .array(
        status.files.map { file in
          [
            "path": .string(file.path), "mergesByUID": .bool(file.mergesByUID),
            "mergesByKey": .bool(file.mergesByKey),
            "showsReadably": .bool(file.showsReadably), "merge": Self.json(file.merge),
            "diff": Self.json(file.diff),
          ]
        }),
      "published": status.published?.json ?? .null,
      "problems": .array(
        status.problems.map { problem in
          [
            "id": .string(problem.id), "message": .string(problem.message),
            "remedy": .string(problem.remedy), "path": problem.path.map { .string($0) } ?? .null,
          ]
        }),
    ]
  }

  private var attributeFiles: [(scope: IntegrationScope, path: String)] {
    IntegrationScope.allCases.compactMap { scope in
      status.attributeFiles[scope].map { (scope, $0) }
    }
  }

  private var driverState: String {
    guard let driver = status.driver else { return "not configured" }
    let program =
      switch status.program {
      case .works(let program): "runs \(program)"
      case .missing(let program): "\(program) is missing"
      case .broken(let program): "\(program) does not run"
      case .unknown, nil: "not as this version writes it"
      }
    return "\(program) (\(driver.origin))"
  }

  private var programJSON: JSONValue {
    switch status.program {
    case nil, .unknown: .null
    case .works(let name): ["command": .string(name), "state": .string("works")]
    case .missing(let name): ["command": .string(name), "state": .string("missing")]
    case .broken(let name): ["command": .string(name), "state": .string("broken")]
    }
  }

  private static func json(_ value: GitConfigurationValue?) -> JSONValue {
    guard let value else { return .null }
    return ["value": .string(value.value), "origin": .string(value.origin)]
  }

  private static func json(_ value: GitAttributeValue) -> JSONValue {
    switch value {
    case .unspecified: .null
    case .set: .bool(true)
    case .unset: .bool(false)
    case .text(let text): .string(text)
    }
  }
}
