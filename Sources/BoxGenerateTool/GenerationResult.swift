internal import BoxModel
package import BoxReport

/// The findings and the changes of a run, made or only computed.
package struct GenerationResult {
  /// A file with another content than before.
  package struct Change: Hashable {
    /// The file.
    package var path: String
    /// The content before; nil for a new file.
    package var old: [UInt8]?
    /// The content after the run.
    package var new: [UInt8]
  }

  /// The problems of the sources and of the model file.
  package var findings: [Finding]
  /// The sources that were read.
  package var paths: [String]
  /// The files that change, in the order in which they are written.
  package var changes: [Change] = []
  /// The number of entities of the model.
  package var entities = 0
  /// The names of the elements that the run retires.
  var retired: [String] = []
  /// The properties that get another type under their UIDs.
  var conversions: [TypeDifference] = []
  /// Whether a finding is an error, so that no bindings were generated.
  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// The lines that say which elements are retired, and which get another type; empty without any.
  package func changesOfElements(isCheck: Bool) -> String {
    let verb = isCheck ? "would change" : "changed"
    return
      (retired.isEmpty
      ? "" : "\(isCheck ? "would retire" : "retired") \(retired.joined(separator: ", "))\n")
      + conversions.map { "\(verb) \($0.element) from \($0.before) to \($0.after)\n" }.joined()
  }

  /// The last line for people; empty after an error.
  package func summary(isCheck: Bool) -> String {
    if hasErrors && changes.isEmpty { return "" }
    let count = counted(entities, "entity", "entities")
    if changes.isEmpty { return "up to date: \(count)\n" }
    let verb = isCheck ? "would write" : "wrote"
    return changes.map { "\(verb) \($0.path)\n" }.joined() + (hasErrors ? "" : "\(count)\n")
  }
}

extension GenerationResult.Change {
  /// The change in the unified form of `diff -u`, with three lines of context.
  ///
  /// - Complexity: O(*n* · *d*) in the lines and the differences.
  package func difference() -> String {
    let before = Self.lines(old ?? [])
    let after = Self.lines(new)
    let difference = after.difference(from: before)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    // Every line with its sign, and its numbers before and after.
    var lines: [(sign: String, text: String, old: Int, new: Int)] = []
    var (a, b) = (0, 0)
    while a < before.count || b < after.count {
      if a < before.count, removed.contains(a) {
        lines.append(("-", before[a], a, b))
        a += 1
      } else if b < after.count, inserted.contains(b) {
        lines.append(("+", after[b], a, b))
        b += 1
      } else {
        lines.append((" ", before[a], a, b))
        a += 1
        b += 1
      }
    }
    return header + hunks(lines).map { hunk in text(of: lines[hunk]) }.joined()
  }

  private var header: String { "--- \(old == nil ? "/dev/null" : path)\n+++ \(path)\n" }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The ranges of lines that are shown: those that changed with three on each side.
  private func hunks(
    _ lines: [(sign: String, text: String, old: Int, new: Int)]
  ) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for position in lines.indices where lines[position].sign != " " {
      let start = max(0, position - 3)
      let end = min(lines.count, position + 4)
      if let last = hunks.last, start <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<end
      } else {
        hunks.append(start..<end)
      }
    }
    return hunks
  }

  private func text(
    of hunk: ArraySlice<(sign: String, text: String, old: Int, new: Int)>
  ) -> String {
    guard let first = hunk.first else { return "" }
    let old = hunk.count { $0.sign != "+" }
    let new = hunk.count { $0.sign != "-" }
    let head =
      "@@ -\(old == 0 ? first.old : first.old + 1),\(old)"
      + " +\(new == 0 ? first.new : first.new + 1),\(new) @@\n"
    return head + hunk.map { "\($0.sign)\($0.text)\n" }.joined()
  }
}
