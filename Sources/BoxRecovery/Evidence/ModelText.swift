package import BoxModel

/// The words by which the text of a model file is recognized before it is parsed.
package enum ModelText {
  /// The sizes of files that can be a model.
  package static let sizes = 60...(1 << 24)

  private static let words = ["\"entities\"", "\"lastEntityId\""].map { Array($0.utf8) }

  /// Whether bytes begin as a JSON object and have the keys of a model.
  ///
  /// - Complexity: O(*n*) in the size of the text; O(1) for most other files.
  package static func isLikely(_ bytes: some Collection<UInt8>) -> Bool {
    guard sizes.contains(bytes.count) else { return false }
    var rest = bytes.prefix(64)[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let first = rest.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    guard first == UInt8(ascii: "{") else { return false }
    return words.allSatisfy { ByteSearch.contains($0, in: bytes) }
  }

  /// The model in a text, valid or not; nil if the text is not a model.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  package static func model(_ bytes: [UInt8]) -> Model? {
    guard isLikely(bytes) else { return nil }
    return (try? ModelDocument(parsing: bytes))?.model
  }
}
