extension GitClient {
  /// The commands that may bring a revision.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func fetchCommands(for name: String) async throws(CommandFailure) -> [String] {
    var commands: [String] = []
    let remotes = try await self.remotes()
    let short = name.hasPrefix("refs/remotes/") ? String(name.dropFirst(13)) : name
    if name.hasPrefix("refs/tags/"), let remote = remotes.first {
      let tag = String(name.dropFirst(10))
      commands.append("git fetch \(shellQuoted(remote)) tag \(shellQuoted(tag))")
    } else if let remote = remotes.first(where: { short.hasPrefix($0 + "/") }) {
      let branch = String(short.dropFirst(remote.count + 1))
      if branch == "HEAD" {
        commands.append("git remote set-head \(shellQuoted(remote)) --auto")
      } else {
        // In a clone of a single branch, a plain fetch of another does not make the remote's ref.
        commands.append(
          "git fetch \(shellQuoted(remote)) "
            + shellQuoted("\(branch):refs/remotes/\(remote)/\(branch)"))
      }
    } else if let remote = remotes.first, !name.contains(where: { "~^@".contains($0) }) {
      commands.append("git fetch \(shellQuoted(remote)) --tags")
    }
    if !remotes.isEmpty, try await isShallow() { commands.append("git fetch --unshallow") }
    return commands
  }
}
