import TestSupport

extension TemporaryRepository {
  /// Objects of the repository, by their names.
  func objects(_ names: [String]) async throws -> [(hash: String, bytes: [UInt8])] {
    let run = try await tryGit(
      ["cat-file", "--batch"], input: Array(names.map { $0 + "\n" }.joined().utf8))
    var objects: [(hash: String, bytes: [UInt8])] = []
    var rest = run.output[...]
    while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
      // A hash, a kind and a size; then as many bytes, and a line end.
      let words = String(decoding: rest[..<lineEnd], as: UTF8.self).split(separator: " ")
      guard words.count == 3, let size = Int(words[2]) else {
        throw TestFailure("git cat-file: \(words.joined(separator: " "))")
      }
      let bytes = rest[(lineEnd + 1)...].prefix(size)
      objects.append((String(words[0]), Array(bytes)))
      rest = rest[(bytes.endIndex + 1)...]
    }
    guard objects.count == names.count else { throw TestFailure("git cat-file: \(run.messages)") }
    return objects
  }
}
