internal import BoxReport

/// The objects of a repository, including unreachable ones.
package struct GitObjects: Hashable, Sendable {
  /// The hashes of the blobs of the sizes that were asked for.
  package var blobs: [String] = []
  /// The hashes of all commits.
  package var commits: [String] = []
}

/// A version of a file in the history: what one commit made of one path.
package struct BlobOrigin: Hashable, Sendable {
  /// The hash of the blob.
  package var blob: String
  /// The hash of the commit.
  package var commit: String
  /// The time of the commit, in seconds since 1970.
  package var time: Int
  /// The path from the top of the repository.
  package var path: String
}

extension GitClient {
  /// The hashes of all objects: of every ref, reflog and stash, and of what is unreachable.
  ///
  /// - Parameter sizes: The sizes of the blobs that are listed.
  /// - Returns: The hashes.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the number of objects; one run of git.
  package func allObjects(sizes: ClosedRange<Int>) async throws(CommandFailure) -> GitObjects {
    var result = GitObjects()
    let arguments = ["cat-file", "--batch-check", "--batch-all-objects", "--unordered", "--buffer"]
    let output = try await run(arguments) { bytes in
      guard let end = bytes.lastIndex(of: 0x0A) else { return }
      for line in bytes[...end].split(separator: 0x0A) {
        let words = line.split(separator: 0x20)
        guard words.count == 3 else { continue }
        // The first letter tells the four kinds of objects apart.
        switch words[1].first {
        case UInt8(ascii: "b"):
          let size = words[2].reduce(0) { $0 &* 10 &+ Int($1 &- UInt8(ascii: "0")) }
          if sizes.contains(size) {
            result.blobs.append(String(decoding: words[0], as: UTF8.self))
          }
        case UInt8(ascii: "c"): result.commits.append(String(decoding: words[0], as: UTF8.self))
        default: continue
        }
      }
      bytes.removeFirst(end + 1)
    }
    guard output.status == 0 else { throw failure(of: "cat-file", output) }
    return result
  }

  /// Reads blobs one after the other, in one run of git.
  ///
  /// - Parameters:
  ///   - hashes: The hashes.
  ///   - body: Called with the hash and the bytes of each blob that could be read.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the size of the blobs; takes the memory of the largest one.
  package func forEachBlob(
    _ hashes: [String], _ body: (String, ArraySlice<UInt8>) -> Void
  ) async throws(CommandFailure) {
    if hashes.isEmpty { return }
    var names: [UInt8] = []
    names.reserveCapacity(hashes.count * 41)
    for hash in hashes {
      names += hash.utf8
      names.append(0x0A)
    }
    let output = try await run(["cat-file", "--batch", "--buffer"], input: names) { bytes in
      var start = 0
      while let end = bytes[start...].firstIndex(of: 0x0A) {
        let words = bytes[start..<end].split(separator: 0x20)
        guard words.count == 3 else {
          // "missing": another program has removed it.
          start = end + 1
          continue
        }
        let size = words[2].reduce(0) { $0 &* 10 &+ Int($1 &- UInt8(ascii: "0")) }
        guard end + 1 + size < bytes.count else { break }
        body(String(decoding: words[0], as: UTF8.self), bytes[end + 1..<end + 1 + size])
        start = end + 2 + size
      }
      bytes.removeFirst(start)
    }
    guard output.status == 0 else { throw failure(of: "cat-file", output) }
  }

  /// Commits in the order in which they were made: each one after its parents.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n* log *n*) in the number of commits; one run of git.
  package func ordered(_ commits: [String]) async throws(CommandFailure) -> [String] {
    if commits.isEmpty { return [] }
    let input = Array(commits.map { $0 + "\n" }.joined().utf8)
    let output = try await run(["rev-list", "--date-order", "--reverse", "--stdin"], input: input)
    // Of a damaged repository the order is not known.
    guard output.status == 0 else { return commits }
    return output.text.split(separator: "\n").map(String.init)
  }

  /// The commits that gave a path one of some contents, in the order of the commits.
  ///
  /// - Parameters:
  ///   - blobs: The hashes of the contents.
  ///   - commits: The hashes of the commits that are looked at.
  /// - Returns: A commit and a path for each time that a content was made.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the number of commits and of their changes; one run of git.
  package func origins(
    of blobs: Set<String>, in commits: [String]
  ) async throws(CommandFailure) -> [BlobOrigin] {
    if blobs.isEmpty || commits.isEmpty { return [] }
    var parser = OriginParser(blobs: blobs)
    let input = Array(commits.map { $0 + "\n" }.joined().utf8)
    // -c shows what a merge made itself, as when its conflict was resolved.
    let arguments = [
      "diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames", "--full-index",
      "--no-abbrev", "--format=%H %ct",
    ]
    let output = try await run(arguments, input: input) { parser.consume(&$0) }
    guard output.status == 0 else { throw failure(of: "diff-tree", output) }
    return parser.origins
  }

  /// The paths of contents that are in the index, from the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  package func stagedPaths(of blobs: Set<String>) async throws(CommandFailure) -> [String: String] {
    let output = try await run(["ls-files", "--stage", "-z", "--full-name", ":/"])
    var result: [String: String] = [:]
    for entry in output.standardOutput.split(separator: 0) {
      guard let tab = entry.firstIndex(of: 0x09) else { continue }
      let words = entry[..<tab].split(separator: 0x20)
      guard words.count == 3 else { continue }
      let hash = String(decoding: words[1], as: UTF8.self)
      if blobs.contains(hash) {
        result[hash] = String(decoding: entry[(tab + 1)...], as: UTF8.self)
      }
    }
    return result
  }
}

/// Parses `git diff-tree --raw -z` with a line for each commit.
private struct OriginParser {
  let blobs: Set<String>
  private(set) var origins: [BlobOrigin] = []
  private var commit = ""
  private var time = 0
  /// The hash of the record whose path is next, if it is one of those that are looked for.
  private var record: String?
  private var expectsPath = false

  init(blobs: Set<String>) { self.blobs = blobs }

  mutating func consume(_ bytes: inout [UInt8]) {
    guard let end = bytes.lastIndex(of: 0) else { return }
    for field in bytes[..<end].split(separator: 0, omittingEmptySubsequences: true) {
      read(field)
    }
    bytes.removeFirst(end + 1)
  }

  private mutating func read(_ field: ArraySlice<UInt8>) {
    if expectsPath {
      expectsPath = false
      if let record {
        origins.append(
          BlobOrigin(
            blob: record, commit: commit, time: time,
            path: String(decoding: field, as: UTF8.self)))
      }
      return
    }
    let line = field.drop { $0 == 0x0A }
    if line.first == UInt8(ascii: ":") {
      // A colon for each parent, then the modes, then the hashes; the result has the last hash.
      let words = line.split(separator: 0x20)
      let hash = words.count >= 5 ? String(decoding: words[words.count - 2], as: UTF8.self) : ""
      record = blobs.contains(hash) ? hash : nil
      expectsPath = true
    } else {
      let words = line.split(separator: 0x20)
      guard words.count == 2 else { return }
      commit = String(decoding: words[0], as: UTF8.self)
      time = Int(String(decoding: words[1], as: UTF8.self)) ?? 0
    }
  }
}
