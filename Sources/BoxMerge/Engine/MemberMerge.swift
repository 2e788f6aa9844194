internal import BoxJSON

/// The three-way merge of a JSON object, member by member.
///
/// Members that neither side removed keep the order of the base; those that are new follow, ordered by their
/// keys, so that the sides can be swapped. Values are compared without their white space.
struct MemberMerge {
  private struct Object {
    var members: [(key: String, value: Text)] = []
    /// The white space before a key, between a key and its value, and before the end.
    var gaps = (key: "", value: " ", end: "")

    subscript(key: String) -> Text? { members.first { $0.key.hasSameBytes(as: key) }?.value }
  }

  /// The text of a value, unchanged and without white space.
  private struct Text {
    var raw: String
    var compact: [UInt8]
  }

  private let base: Object
  private let ours: Object
  private let theirs: Object

  /// Creates a merge of three texts; nil unless each is an object whose keys differ.
  ///
  /// - Complexity: O(*n*) in their lengths, O(*n*²) in the number of members.
  init?(base: String, ours: String, theirs: String) {
    guard let base = Self.object(base), let ours = Self.object(ours),
      let theirs = Self.object(theirs)
    else { return nil }
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  /// Whether two texts are objects with the same members, whatever their order and white space.
  static func areSame(_ a: String, _ b: String) -> Bool {
    guard let a = object(a), let b = object(b), a.members.count == b.members.count else {
      return false
    }
    return a.members.allSatisfy { b[$0.key]?.compact == $0.value.compact }
  }

  /// The text of the merged object, laid out as the base; nil if both sides changed a member differently.
  func merged() -> String? {
    let known = Set(base.members.map { ExactText($0.key) })
    let new = Set((ours.members + theirs.members).map { ExactText($0.key) }).subtracting(known)
      .sorted().map(\.text)
    var members: [String] = []
    for key in base.members.map(\.key) + new {
      guard case .decided(let value) = merged(key) else { return nil }
      if let value {
        members.append("\(layout.gaps.key)\"\(key)\":\(layout.gaps.value)\(value.raw)")
      }
    }
    return "{" + members.joined(separator: ",") + (members.isEmpty ? "" : layout.gaps.end) + "}"
  }

  private enum Outcome {
    case decided(Text?)
    case undecided
  }

  private func merged(_ key: String) -> Outcome {
    let (a, b, before) = (ours[key], theirs[key], base[key])
    if a?.compact == b?.compact || b?.compact == before?.compact { return .decided(a) }
    return a?.compact == before?.compact ? .decided(b) : .undecided
  }

  /// The object whose white space the result has.
  private var layout: Object {
    if !base.members.isEmpty { return base }
    return ours.members.isEmpty ? theirs : ours
  }

  private static func object(_ text: String) -> Object? {
    let bytes = [UInt8](text.utf8)
    guard let document = try? JSONDocument(parsing: bytes),
      document.kind(of: document.root) == .object
    else { return nil }
    func gap(_ start: Int, _ end: Int) -> String {
      String(decoding: bytes[start..<end].filter { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
    var object = Object()
    var end = document.range(of: document.root).lowerBound + 1
    for (key, value) in document.members(of: document.root) {
      guard let name = plainKey(document.text(of: key)), object[name] == nil else { return nil }
      let (keyRange, range) = (document.range(of: key), document.range(of: value))
      if object.members.isEmpty {
        object.gaps.key = gap(end, keyRange.lowerBound)
        object.gaps.value = gap(keyRange.upperBound, range.lowerBound)
      }
      let raw = document.text(of: value)
      object.members.append((name, Text(raw: raw, compact: document.compactText(of: value))))
      end = range.upperBound
    }
    object.gaps.end = gap(end, document.range(of: document.root).upperBound - 1)
    return object
  }

  /// The text between the quotes of a key; nil if it has escapes, so that two spellings could be one key.
  private static func plainKey(_ text: String) -> String? {
    // Not by characters: a quote and a combining accent after it are one character.
    let bytes = text.utf8
    guard bytes.count >= 2, bytes.first == .quote, bytes.last == .quote,
      !bytes.contains(UInt8(ascii: "\\"))
    else { return nil }
    return String(bytes.dropFirst().dropLast())
  }
}
