/// A line that git writes around a section.
struct ConflictMarker {
  var mark: Character
  var size: Int
  var label: String?

  private static let marks: [UInt8: Character] = [
    UInt8(ascii: "<"): "<", UInt8(ascii: "|"): "|", UInt8(ascii: "="): "=", UInt8(ascii: ">"): ">",
  ]

  /// Reads a line; nil unless it starts with seven or more of one mark, followed by a space or the end of the
  /// line.
  init?(line: ArraySlice<UInt8>) {
    guard let first = line.first, let mark = Self.marks[first] else { return nil }
    self.mark = mark
    var rest = line.drop { $0 == first }
    size = line.count - rest.count
    guard size >= 7 else { return nil }
    if rest.last == UInt8(ascii: "\n") { rest = rest.dropLast() }
    if rest.last == UInt8(ascii: "\r") { rest = rest.dropLast() }
    guard let next = rest.first else { return }
    guard next == UInt8(ascii: " ") else { return nil }
    label = String(decoding: rest.dropFirst(), as: UTF8.self)
  }

  /// The length of the markers of a file, from the first line that opens a conflict, or else from the first
  /// other marker; nil without markers.
  static func size(in bytes: [UInt8]) -> Int? {
    var other: Int?
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      if let marker = ConflictMarker(line: bytes[start..<end]) {
        if marker.mark == "<" { return marker.size }
        other = other ?? marker.size
      }
      start = end
    }
    return other
  }
}
