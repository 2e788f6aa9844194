internal import BoxHash

/// The fingerprint of all that a run wrote, in the head of the bindings.
///
/// With the same sources, model file and settings, a run whose files are as they were written would write them again.
/// So it has nothing to do.
package struct BindingSeal: Hashable, Sendable {
  /// The fingerprint of the files and the settings.
  package let outputs: String
  /// The number of entities in the bindings.
  package let entities: Int

  /// The words in the line of the fingerprint.
  var text: String { "\(outputs) \(entities)" }

  /// Creates the seal of files.
  ///
  /// - Parameters:
  ///   - bindings: The bindings, whose head has no seal.
  ///   - others: The files that were written with them; nil for those that were not.
  ///   - settings: The options that decide what is written, beside those in the head.
  ///   - entities: The number of entities in the bindings.
  /// - Complexity: O(*n*) in the size of the files.
  package init(_ bindings: [UInt8], _ others: [[UInt8]?], settings: [String], entities: Int) {
    var result = Fingerprint()
    for setting in settings { result.combine(setting) }
    for file in [bindings] + others {
      result.combine(file == nil ? "missing" : "file")
      result.combine(bytes: file ?? [])
    }
    outputs = result.hexadecimal
    self.entities = entities
  }

  init?(parsing words: ArraySlice<Substring>) {
    guard words.count == 2, let outputs = words.first,
      let entities = words.last.flatMap({ Int($0) })
    else { return nil }
    self.outputs = String(outputs)
    self.entities = entities
  }

  /// The bindings with this seal in their head.
  package func added(to bindings: [UInt8]) -> [UInt8] {
    guard let end = Self.endOfLine(in: bindings) else { return bindings }
    var result = bindings
    result.insert(contentsOf: " \(text)".utf8, at: end)
    return result
  }

  /// The bindings without the seal in their head.
  package func removed(from bindings: [UInt8]) -> [UInt8] {
    let text = Array(" \(text)".utf8)
    guard let end = Self.endOfLine(in: bindings), bindings[..<end].suffix(text.count) == text[...]
    else { return bindings }
    var result = bindings
    result.removeSubrange((end - text.count)..<end)
    return result
  }

  /// The end of the line of the fingerprint, which is the second.
  private static func endOfLine(in bindings: [UInt8]) -> Int? {
    guard let first = bindings.firstIndex(of: 10),
      bindings[(first + 1)...].starts(with: BindingHead.fingerprintMark.utf8)
    else { return nil }
    return bindings[(first + 1)...].firstIndex(of: 10)
  }
}
