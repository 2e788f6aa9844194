/// A ref that a push updates: a line of the input of the hook `pre-push`.
struct PushedReference: Hashable, Sendable {
  /// The name of what is pushed, such as `refs/heads/main`, a hash, or `(delete)`.
  var localName: String
  /// The hash of the pushed object.
  var local: String
  /// The hash that the remote has; nil if the ref is new.
  var remote: String?

  /// The references that a push updates, without those that it deletes.
  ///
  /// - Complexity: O(*n*) in the size of the input.
  static func all(in input: [UInt8]) -> [PushedReference] {
    input.split(separator: 0x0A).compactMap { line in
      let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
      guard words.count == 4, let local = hash(words[1]) else { return nil }
      return PushedReference(localName: words[0], local: local, remote: hash(words[3]))
    }
  }

  /// A hash; nil for one of zeros, which stands for none.
  private static func hash(_ word: String) -> String? {
    word.utf8.allSatisfy { $0 == UInt8(ascii: "0") } ? nil : word
  }

  /// The name of the pushed branch; nil for anything else.
  var branch: String? {
    let start = "refs/heads/"
    return localName.hasPrefix(start) ? String(localName.dropFirst(start.count)) : nil
  }
}
