internal import BoxSystem

extension GitClient {
  /// The content of a file of a commit, with the links and submodules that the commit has.
  ///
  /// A change can redirect a link, or replace a directory by a submodule. So the links and
  /// submodules of the work tree do not count here.
  ///
  /// - Parameters:
  ///   - path: The path from the top of the repository.
  ///   - commit: The commit.
  ///   - revision: The name of the commit, as the user gave it.
  /// - Returns: The bytes; nil if the commit has no file there.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a link leaves the repository, if a
  ///   submodule or its commit is missing here, or if git cannot be run.
  /// - Complexity: Two runs of git, and two more for each link and submodule on the way.
  package func content(
    at path: String, in commit: String, called revision: String
  ) async throws(CommandFailure) -> [UInt8]? {
    var path = path
    // More links in a row than any system follows go in a circle.
    for _ in 0..<40 {
      guard let entry = try await deepestEntry(on: path, in: commit) else { return nil }
      let rest = String(decoding: path.utf8.dropFirst(entry.path.utf8.count + 1), as: UTF8.self)
      switch entry.kind {
      case .file: return rest.isEmpty ? try await blobs([entry.hash])[0] : nil
      case .directory: return nil
      case .link:
        guard let target = try await blobs([entry.hash])[0],
          let followed = Self.following(String(decoding: target, as: UTF8.self), entry.path, rest)
        else { throw Self.escapingLink(entry, revision) }
        path = followed
      case .submodule:
        if rest.isEmpty { return nil }
        return try await client(ofSubmodule: entry, called: revision)
          .content(at: rest, in: entry.hash, called: revision)
      }
    }
    return nil
  }

  /// The paths of all files of a commit, or of one of its directories, from the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the commit does not exist.
  package func files(
    in commit: String, below directory: String = ""
  ) async throws(CommandFailure) -> [String] {
    let path = directory.isEmpty ? [] : ["--", HardenedCommand.pathspec(directory)]
    return try await require(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit] + path)
      .standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The files of a directory of a revision; nil if there is no such directory.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func files(
    inDirectory path: String, of revision: String
  ) async throws(CommandFailure) -> [String]? {
    guard location.isRepository, let commit = try await resolve(revision) else { return nil }
    let inside = try pathFromTop(path).split(separator: "/").joined(separator: "/")
    if !inside.isEmpty {
      guard let entry = try await deepestEntry(on: inside, in: commit), entry.path == inside,
        entry.kind == .directory
      else { return nil }
    }
    return try await files(in: commit, below: inside)
  }

  /// The deepest entry of a commit on a path: the file, or the link or submodule where git stops.
  ///
  /// - Returns: The entry; nil if not even the first directory exists.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func deepestEntry(
    on path: String, in commit: String
  ) async throws(CommandFailure) -> TreeEntry? {
    var places: [String] = []
    for name in path.split(separator: "/") {
      places.append((places.last.map { $0 + "/" } ?? "") + name)
    }
    if places.isEmpty { return nil }
    let output = try await require(
      ["ls-tree", "-t", "-z", "--full-tree", commit, "--"] + places.map(HardenedCommand.pathspec))
    return output.standardOutput.split(separator: 0)
      .compactMap { TreeEntry(String(decoding: $0, as: UTF8.self)) }
      .filter { places.contains($0.path) }.max { $0.path.utf8.count < $1.path.utf8.count }
  }

  /// The path after following a link; nil if it leaves the repository.
  private static func following(_ target: String, _ link: String, _ rest: String) -> String? {
    if target.isEmpty || target.hasPrefix("/") { return nil }
    var parts = link.split(separator: "/").dropLast().map(String.init)
    for name in (target + "/" + rest).split(separator: "/") where name != "." {
      if name != ".." {
        parts.append(String(name))
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }

  private static func escapingLink(_ entry: TreeEntry, _ revision: String) -> CommandFailure {
    CommandFailure(
      .inputOutput,
      "in \(revision) this is a symbolic link that leads out of the repository, so what was there is "
        + "unknown; pass a file with that content where the command takes one", path: entry.path)
  }

  /// A client for the submodule that a commit has at a path.
  ///
  /// Another repository in its place does no harm, since the hash of the commit identifies its
  /// content.
  private func client(
    ofSubmodule entry: TreeEntry, called revision: String
  ) async throws(CommandFailure) -> GitClient {
    let directory = joinPath(location.directory, entry.path)
    guard ((try? fileAttributes(at: directory + "/.git")) ?? nil) != nil else {
      throw CommandFailure(
        .inputOutput,
        "in \(revision) this is a submodule, but not here, so its content is unknown; run "
          + "'git submodule update --init'", path: entry.path)
    }
    let client = client(in: directory)
    guard try await client.resolve(entry.hash) == entry.hash else {
      throw CommandFailure(
        .inputOutput,
        "in \(revision) the submodule is at \(entry.hash), and that commit is not here; fetch it in "
          + "the submodule", path: entry.path)
    }
    return client
  }
}

/// An entry of a tree of git.
package struct TreeEntry: Hashable, Sendable {
  /// The kind of an entry.
  package enum Kind: Hashable, Sendable {
    case file, directory, link, submodule
  }

  package var kind: Kind
  /// The hash of the content, or of the commit of a submodule.
  package var hash: String
  /// The path from the top of the repository.
  package var path: String

  /// Parses a record of `git ls-tree -z`, such as `100644 blob 0123…` and the path after a tab.
  package init?(_ record: String) {
    // Byte by byte: a mark at the start of a name makes one character of the tab and itself.
    guard let tab = record.utf8.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let words = record[..<tab].split(separator: " ")
    guard words.count == 3 else { return nil }
    switch words[0] {
    case "040000": kind = .directory
    case "120000": kind = .link
    case "160000": kind = .submodule
    default: kind = .file
    }
    hash = String(words[2])
    path = String(decoding: record.utf8[tab...].dropFirst(), as: UTF8.self)
  }
}
