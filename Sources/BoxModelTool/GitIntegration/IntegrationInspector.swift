internal import BoxSystem

/// Inspects the configuration of git for the tool, and reports its problems.
package struct IntegrationInspector: Sendable {
  package var git: GitClient
  package var patterns: [FilePattern]

  /// Creates an inspector.
  package init(git: GitClient, patterns: [FilePattern]) {
    self.git = git
    self.patterns = patterns
  }

  /// Inspects git's configuration, the attributes and every tracked file.
  ///
  /// - Parameter scope: The scope to inspect; nil for all of them. In the global scope files are
  ///   not inspected, and a repository is not needed. In the others, the effective configuration
  ///   counts, and the attributes of the scope.
  /// - Returns: The status.
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository that is needed,
  ///   `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of tracked files.
  package func inspect(_ scope: IntegrationScope? = nil) async throws(CommandFailure)
    -> IntegrationStatus
  {
    let repository = scope == .global ? nil : try await git.repository()
    if scope != .global && repository == nil {
      throw CommandFailure(
        .impossible, "this is not inside a git repository",
        remedy: scope == .shared ? nil : .useGlobalScope)
    }
    let name = DriverLines.name
    let configuration: GitConfigurationScope? = scope == .global ? .global : nil
    var status = IntegrationStatus(
      gitVersion: try await git.version(),
      driver: try await git.configurationValue("merge.\(name).driver", scope: configuration),
      textconv: try await git.configurationValue("diff.\(name).textconv", scope: configuration),
      attributeFiles: [:], files: [], problems: [], looksAtFiles: scope != .global)
    if let line = status.driver?.value {
      status.program = await self.program(DriverLines.program(inMerge: line))
    }
    if let line = status.textconv?.value {
      let program = DriverLines.program(inTextconv: line)
      let isSame =
        program != nil
        && program
          == status.driver.flatMap {
            DriverLines.program(inMerge: $0.value)
          }
      if isSame {
        status.textconvProgram = status.program
      } else {
        status.textconvProgram = await self.program(program)
      }
    }
    for scope in scope.map({ [$0] }) ?? IntegrationScope.allCases {
      if scope == .shared && repository?.topLevel == nil { continue }
      guard let path = try? await GitIntegration(git: git).attributesFile(for: scope),
        let content = try? SourceFile.read(path).bytes,
        AttributesBlock.isInstalled(in: content)
      else { continue }
      status.attributeFiles[scope] = path
      if !AttributesBlock(patterns: patterns).isCurrent(in: content) {
        status.problems.append(.outdatedPatterns(path))
      }
    }
    if repository?.topLevel != nil {
      status.files = try await files(status)
      try await inspectHooks(&status)
    }
    status.problems = general(status, scope) + status.problems
    if status.isInstalled { status.problems += status.files.compactMap { problem($0, status) } }
    if let scope, scope != .local {
      for index in status.problems.indices {
        status.problems[index].remedy = status.problems[index].remedy.replacing(
          part: "boxjoint git install", by: "boxjoint git install --\(scope.rawValue)")
      }
    }
    return status
  }

  private func files(
    _ status: IntegrationStatus
  ) async throws(CommandFailure) -> [IntegrationStatus.File] {
    let matching = Set(try await git.trackedFiles(matching: patterns + KeyedFile.filePatterns))
    let all = try await git.trackedFiles()
    let values = try await git.attributes(["merge", "diff"], of: all)
    let name = GitAttributeValue.text(DriverLines.name)
    return zip(all, values).compactMap { path, attributes in
      let merge = attributes["merge"] ?? .unspecified
      let diff = attributes["diff"] ?? .unspecified
      guard matching.contains(path) || merge == name || diff == name else { return nil }
      let isKeyed = KeyedFile.kind(of: path) != nil
      let isMerged = merge == name && status.driver != nil && status.program?.mayWork ?? true
      return IntegrationStatus.File(
        path: path, merge: merge, diff: diff, isKeyed: isKeyed,
        mergesByUID: isMerged && !isKeyed, mergesByKey: isMerged && isKeyed,
        showsReadably: diff == name && status.textconv != nil
          && status.textconvProgram?.mayWork ?? true)
    }
  }

  /// The state of a program; unknown for nil, which means a line that this version does not write.
  func program(_ program: String?) async -> IntegrationStatus.Program {
    guard let program else { return .unknown }
    let path = environmentValue("PATH") ?? ""
    do {
      let result = try RunningProgram.lookUp("sh", in: path).map { shell in
        try ChildProcess(
          program: shell,
          arguments: ["-c", #"command -v "$0" >/dev/null && exec "$0" --version"#, program],
          patience: 60
        ).run()
      }
      if let result, result.status == 0, !result.standardOutput.isEmpty { return .works(program) }
      let found =
        program.contains("/")
        ? program : RunningProgram.lookUp(program, in: path)
      guard let found, let attributes = try fileAttributes(at: found), attributes.isRegularFile
      else { return .missing(program) }
      return .broken(program)
    } catch {
      return .broken(program)
    }
  }

  private func general(
    _ status: IntegrationStatus, _ scope: IntegrationScope?
  ) -> [IntegrationStatus.Problem] {
    guard status.isInstalled else { return [.notInstalled] }
    var problems: [IntegrationStatus.Problem] = []
    if let version = status.gitVersion, version < .oldestSupported {
      problems.append(.oldGit(version))
    }
    if status.driver == nil { problems.append(.noDriver) }
    if status.textconv == nil { problems.append(.noTextconv) }
    switch status.program {
    case .missing(let program): problems.append(.missingProgram(program))
    case .broken(let program): problems.append(.brokenProgram(program))
    case .unknown:
      let isOutdated = status.driver.map { DriverLines.isOutdated($0.value) } ?? false
      problems.append(isOutdated ? .outdated("merge.boxjoint.driver") : .foreignDriver)
    case .works(let program):
      if let textconv = status.textconv, textconv.value != DriverLines(program: program).textconv,
        !DriverLines.isOutdated(textconv.value)
      {
        problems.append(.foreignTextconv)
      }
    case nil: break
    }
    if let textconv = status.textconv, DriverLines.isOutdated(textconv.value) {
      problems.append(.outdated("diff.boxjoint.textconv"))
    }
    // If only one scope is inspected, the attributes of others do not count.
    if status.attributeFiles.isEmpty,
      scope != nil || !status.files.contains(where: { $0.mergesByUID })
    {
      problems.append(.noPatterns)
    }
    return problems
  }

  private func problem(
    _ file: IntegrationStatus.File, _ status: IntegrationStatus
  ) -> IntegrationStatus.Problem? {
    // Without an installed block, one problem covers all files.
    if status.attributeFiles.isEmpty { return nil }
    let name = GitAttributeValue.text(DriverLines.name)
    if file.merge != name { return .overridden("merge", file.merge, file.path) }
    if file.diff != name, !file.isKeyed { return .overridden("diff", file.diff, file.path) }
    return nil
  }
}
