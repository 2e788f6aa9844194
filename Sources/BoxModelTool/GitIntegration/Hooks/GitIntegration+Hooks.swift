internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension GitIntegration {
  /// Whether a hook could be installed that is not: whether there is something to ask.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run or a hook cannot be read.
  package func lacksHooks() async throws(CommandFailure) -> Bool {
    guard let directory = try await HookDirectory.find(git), directory.isOwn else { return false }
    for hook in GitHook.allCases {
      let file = try HookFile(directory.file(of: hook))
      if file.refusal == nil, !file.calls(hook) { return true }
    }
    return false
  }

  /// Installs the hooks, and updates what is out of date.
  ///
  /// Hooks of other tools keep what they do. One that is not a script of a shell stays as it is, and so
  /// does each hook in a directory that `core.hooksPath` names; a note says which line to add.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a hook cannot be read or written.
  func installHooks(
    program: String, report: inout Report
  ) async throws(CommandFailure) {
    guard let directory = try await HookDirectory.find(git) else {
      report.notes.append("without a work tree no hooks are installed")
      return
    }
    if directory.isOff {
      return report.notes.append("core.hooksPath is /dev/null, with which git runs no hook")
    }
    var written: [String] = []
    for hook in GitHook.allCases {
      let file = try HookFile(directory.file(of: hook))
      if directory.isOwn && file.refusal == nil {
        if try install(hook, in: file, program: program) { written.append(hook.rawValue) }
      } else if !file.calls(hook) {
        let reason =
          directory.isOwn ? file.refusal ?? "" : "in a directory that core.hooksPath names"
        report.notes.append(
          "\(pathFromHere(file.path)) is not changed, as it is \(reason); to check the model there, add "
            + "the line `\(hook.line(program: program))` to it")
      }
    }
    if written.isEmpty { return }
    report.changes.append(
      "wrote the \(written.count == 1 ? "hook" : "hooks") \(written.joined(separator: ", ")) to "
        + pathFromHere(directory.path))
  }

  /// Installs a hook.
  ///
  /// - Returns: Whether something was changed.
  private func install(
    _ hook: GitHook, in file: HookFile, program: String
  ) throws(CommandFailure) -> Bool {
    // A line of the user does the same.
    if !file.hasBlock, file.calls(hook) { return false }
    let wanted = HookBlock(hook: hook, program: program).installed(in: file.content)
    if file.content == wanted && file.isExecutable { return false }
    if file.content != wanted {
      try createDirectory(parentDirectory(of: file.path))
      try AtomicFile.write(wanted, to: file.path)
    }
    guard file.isExecutable || chmod(file.path, 0o755) == 0 else {
      throw CommandFailure(
        .inputOutput, "cannot be made executable: \(SystemError.last.reason)", path: file.path)
    }
    return true
  }

  /// Removes the lines of the tool from all hooks, and the files that have nothing else.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a hook cannot be read, written or removed.
  func removeHooks(report: inout Report) async throws(CommandFailure) {
    guard let directory = try await HookDirectory.find(git) else { return }
    for path in directory.ownPaths {
      var removed: [String] = []
      for hook in GitHook.allCases {
        let file = try HookFile(joinPath(path, hook.rawValue))
        guard let content = file.content, file.hasBlock else { continue }
        if let rest = HookBlock.removed(from: content) {
          try AtomicFile.write(rest, to: file.path)
        } else {
          guard unlink(file.path) == 0 else {
            throw CommandFailure(
              .inputOutput, "cannot be removed: \(SystemError.last.reason)", path: file.path)
          }
        }
        removed.append(hook.rawValue)
      }
      if removed.isEmpty { continue }
      // Fails, as it should, where something else is in it.
      rmdir(path)
      report.changes.append(
        "removed the \(removed.count == 1 ? "hook" : "hooks") \(removed.joined(separator: ", ")) from "
          + pathFromHere(path))
    }
  }
}
