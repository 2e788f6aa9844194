/// A file that a commit removed.
struct RemovedFile: Hashable, Sendable {
  /// The path from the top of the repository.
  var path: String
  /// The hash of its last content.
  var blob: String
  /// The hash of the commit.
  var commit: String
  /// The date of the commit, as ISO 8601.
  var date: String
  /// Whether the commit is a merge.
  var isMerge: Bool
}

extension GitClient {
  /// The JSON files that the commits up to HEAD removed, the latest first.
  ///
  /// A merge is among them if it lacks a file of a parent, whether or not the other parent had it. Git
  /// compares paths with one short pattern only: it takes hours for some that a setting can have.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of commits.
  func removedFiles() async throws(CommandFailure) -> [RemovedFile] {
    let output = try await require([
      "log", "--diff-filter=D", "--no-renames", "-m", "-z", "--raw", "--no-abbrev",
      "--format=%x02%H%x01%cI%x01%P", "HEAD", "--", ":(top)*.json",
    ])
    var fields = output.standardOutput.split(separator: 0)[...]
    var commit = RemovedFile(path: "", blob: "", commit: "", date: "", isMerge: false)
    var files: [RemovedFile] = []
    while let field = fields.popFirst() {
      if field.first == 0x02 {
        let words = field.dropFirst().split(separator: 0x01, omittingEmptySubsequences: false)
          .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3 else { continue }
        (commit.commit, commit.date) = (words[0], words[1])
        commit.isMerge = words[2].contains(" ")
      } else if let path = fields.popFirst() {
        // The modes and hashes before and after, and the letter.
        let words = field.split(separator: 0x20)
        guard words.count == 5 else { continue }
        commit.blob = String(decoding: words[2], as: UTF8.self)
        commit.path = String(decoding: path, as: UTF8.self)
        files.append(commit)
      }
    }
    return files
  }

  /// The place in history that has a file which is missing, as part of a sentence: HEAD, or the commit that removed
  /// it; nil if it was never there.
  ///
  /// - Parameter path: The path from the top of the repository.
  /// - Returns: The words.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func placeOfMissingFile(_ path: String) async throws(CommandFailure) -> String? {
    guard try await resolve("HEAD") != nil else { return nil }
    if try await blobHashes(["HEAD:\(path)"]).first ?? nil != nil { return "HEAD has it" }
    let log = try await require([
      "log", "-1", "--diff-filter=D", "--no-renames", "--full-history", "--format=%H %cI", "HEAD",
      "--",
      HardenedCommand.pathspec(path),
    ])
    let words = log.text.split(separator: " ")
    return words.count == 2
      ? Self.removal(by: String(words[0]), on: String(words[1])) : nil
  }

  /// The words for the commit that removed a file.
  static func removal(by commit: String, on date: String) -> String {
    "commit \(commit.prefix(10)) of \(date.prefix(10)) removed it"
  }
}
