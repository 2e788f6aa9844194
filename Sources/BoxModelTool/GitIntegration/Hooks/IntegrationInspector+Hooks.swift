extension IntegrationInspector {
  /// Inspects the hooks of a repository with a work tree.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run or a hook cannot be read.
  func inspectHooks(_ status: inout IntegrationStatus) async throws(CommandFailure) {
    guard let directory = try await HookDirectory.find(git) else { return }
    status.hooks = []
    if directory.isOff { return }
    var hooks: [IntegrationStatus.Hook] = []
    // All of them usually start the same program.
    var states: [String: IntegrationStatus.Program] = [:]
    if case .works(let name)? = status.program { states[name] = status.program }
    for hook in GitHook.allCases {
      let file = try HookFile(directory.file(of: hook))
      if file.calls(hook) { hooks.append(IntegrationStatus.Hook(name: hook, path: file.path)) }
      guard file.hasBlock, let content = file.content else { continue }
      if !file.isExecutable { status.problems.append(.inactiveHook(file.path)) }
      guard let name = HookBlock.program(of: hook, in: content) else {
        status.problems.append(.outdatedHook(file.path))
        continue
      }
      let state: IntegrationStatus.Program
      if let known = states[name] { state = known } else { state = await program(name) }
      states[name] = state
      switch state {
      case .missing: status.problems.append(.missingHookProgram(name, file.path))
      case .broken: status.problems.append(.brokenHookProgram(name, file.path))
      case .works, .unknown: break
      }
    }
    status.hooks = hooks
  }
}
