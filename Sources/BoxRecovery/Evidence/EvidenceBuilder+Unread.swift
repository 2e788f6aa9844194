import BoxModel

extension EvidenceBuilder {
  /// Refuses code in which a UID is in no call that was read.
  ///
  /// A damaged call is not read as a call, so its element would look removed. In a part of code that is
  /// allowed only after its last element, where the code ends.
  ///
  /// - Parameters:
  ///   - code: The files of the source.
  ///   - isWhole: Whether the code has everything that its generator writes.
  /// - Complexity: O(*n* log *n*) in the size of the code.
  mutating func requireEverythingRead(
    in code: [(path: String, reader: CodeReader)], isWhole: Bool
  ) {
    let (known, live) = (knownUIDs, Set(evidence.model.elementKeys.map(\.uid)))
    var counts: [UID: Int] = [:]
    for (path, reader) in code {
      file = path
      if let line = reader.unclosedStringLine { refuse(line, "a string does not end on its line") }
      let lastLine = isWhole ? Int.max : lastElementLine(in: path)
      for written in reader.writtenUIDs {
        counts[written.uid, default: 0] += 1
        if !known.contains(written.uid), written.line < lastLine {
          refuse(
            written.line,
            "the UID \(written.uid) is in no call that is understood; the code was changed")
        }
      }
    }
    guard isWhole else { return }
    for (counter, pair) in evidence.model.lastPairs.sorted(by: { $0.value.uid < $1.value.uid })
    where !live.contains(pair.uid) && counts[pair.uid] ?? 0 > 1 {
      refuse(
        nil,
        "\(counter.kind.lastPairKey) is \(pair), whose element is in no call that is understood")
    }
  }

  /// The UIDs of elements, of last pairs, and of what was removed.
  private var knownUIDs: Set<UID> {
    var known = Set(evidence.model.elementKeys.map(\.uid))
    known.formUnion(evidence.model.lastPairs.values.map(\.uid))
    for kind in ElementKind.allCases { known.formUnion(evidence.model[retired: kind] ?? []) }
    return known
  }

  /// The line of the last element that was read in a file; 0 without one.
  private func lastElementLine(in path: String) -> Int {
    var last = 0
    evidence.model.forEachElement { place, pair in
      guard let written = evidence.places[ElementKey(place.kind, pair.uid)],
        written.hasPrefix(path + ":"), let line = Int(written.dropFirst(path.count + 1))
      else { return }
      last = max(last, line)
    }
    return last
  }
}
