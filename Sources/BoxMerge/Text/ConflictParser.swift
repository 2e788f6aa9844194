/// Parses a file with conflict markers, line by line.
struct ConflictParser {
  private enum Place { case common, ours, base, theirs }

  let markerSize: Int
  var ours: [UInt8] = []
  var theirs: [UInt8] = []
  var base: [UInt8] = []
  var labels = ConflictLabels()
  var count = 0
  var hasBase = true
  var showsCommonEnds = false
  var endsInConflict = false

  private var place = Place.common
  private var line = 0
  private var opened = 0
  private var sectionHasBase = false
  /// The number of conflicts within a base section that have not ended yet.
  private var depth = 0
  private var starts = (ours: 0, theirs: 0)

  init(markerSize: Int) { self.markerSize = markerSize }

  mutating func parse(_ bytes: [UInt8]) throws(ConflictedTextError) {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      line += 1
      try parseLine(bytes[start..<end])
      start = end
    }
    if place != .common {
      throw ConflictedTextError(line: opened, message: "this conflict has no end (\(name(">")))")
    }
  }

  private mutating func parseLine(_ text: ArraySlice<UInt8>) throws(ConflictedTextError) {
    endsInConflict = false
    let marker = ConflictMarker(line: text)
    // Longer markers belong to a conflict between the bases, or to the text.
    guard let marker, marker.size == markerSize || place == .base else { return append(text) }
    if place == .base, isOfBase(marker) {
      hasBase = false
      return append(text)
    }
    switch (marker.mark, place) {
    case ("<", .common):
      place = .ours
      opened = line
      count += 1
      sectionHasBase = false
      starts = (ours.count, theirs.count)
      if count == 1 { labels.ours = marker.label }
    case ("|", .ours):
      place = .base
      sectionHasBase = true
      if count == 1 { labels.base = marker.label }
    case ("=", .ours), ("=", .base): place = .theirs
    case (">", .theirs): close(marker)
    default: throw misplaced(marker)
    }
  }

  /// Whether a marker in a base section is part of it.
  private mutating func isOfBase(_ marker: ConflictMarker) -> Bool {
    if marker.size != markerSize { return true }
    switch marker.mark {
    case "<": depth += 1
    case ">" where depth > 0: depth -= 1
    default: return depth > 0
    }
    return true
  }

  private mutating func close(_ marker: ConflictMarker) {
    place = .common
    endsInConflict = true
    if count == 1 { labels.theirs = marker.label }
    if !sectionHasBase { hasBase = false }
    let (a, b) = (ours[starts.ours...], theirs[starts.theirs...])
    guard !a.isEmpty, !b.isEmpty else { return }
    showsCommonEnds =
      showsCommonEnds || firstLine(a) == firstLine(b) || lastLine(a) == lastLine(b)
  }

  private mutating func append(_ text: ArraySlice<UInt8>) {
    if place == .common || place == .ours { ours += text }
    if place == .common || place == .theirs { theirs += text }
    if place == .common || place == .base { base += text }
  }

  private func firstLine(_ section: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    section.prefix { $0 != UInt8(ascii: "\n") }
  }

  private func lastLine(_ section: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    section.dropLast().suffix(
      from: section.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        ?? section.startIndex)
  }

  private func name(_ mark: Character) -> String { String(repeating: mark, count: markerSize) }

  private func misplaced(_ marker: ConflictMarker) -> ConflictedTextError {
    let message =
      place == .common
      ? "\(name(marker.mark)) is outside of a conflict"
      : "\(name(marker.mark)) is not expected here, in the conflict that starts at line \(opened)"
    return ConflictedTextError(line: line, message: message)
  }
}
