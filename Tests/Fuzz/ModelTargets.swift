import BoxMerge
import BoxModel

/// A model file: what is accepted is checked, and comes back as it was.
func fuzzModel(_ bytes: [UInt8]) {
  guard let document = try? ModelDocument(parsing: bytes) else { return }
  expect(document.rendered(document.model) == bytes, "a model without changes comes back as it was")
  _ = document.check()
}

/// Three model files with zero bytes between them: base, ours, theirs.
func fuzzMerge(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
  guard parts.count == 3, let ours = try? ModelDocument(parsing: Array(parts[1])),
    let theirs = try? ModelDocument(parsing: Array(parts[2]))
  else { return }
  let base = try? ModelDocument(parsing: Array(parts[0]))
  let input = MergeInput(base: base, ours: ours, theirs: theirs)
  guard let result = try? input.merged() else { return }
  for text in [result.bytes] + result.resolved.values {
    expect((try? ModelDocument(parsing: text)) != nil, "a merged file is a model file")
  }
}

/// A file with conflict markers.
func fuzzMarkers(_ bytes: [UInt8]) {
  guard let text = try? ConflictedText(parsing: bytes) else { return }
  for side in [text.ours, text.theirs] {
    expect(side.count <= bytes.count, "a side is a part of the file")
  }
}
