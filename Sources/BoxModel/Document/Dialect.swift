import BoxJSON

/// How a model file is written: what is added to the file follows it.
public struct Dialect: Sendable {
  /// The name of the generator whose files look like this.
  public var generator: String { profile.name }
  /// Whether elements stand in the order of their ids.
  public var sortsByID: Bool { profile.sortsByID }

  let profile: GeneratorProfile
  /// The white space of one level; nil where the file is on one line.
  let indent: String?
  let newline: String
  /// What stands between a key and its value.
  let keySeparator: String
  let unset: String

  /// The dialect of a model that has no file yet.
  static let standard = Dialect(
    profile: .java, indent: "  ", newline: "\n", keySeparator: ": ", unset: "0:0")

  init(
    profile: GeneratorProfile, indent: String?, newline: String, keySeparator: String, unset: String
  ) {
    self.profile = profile
    self.indent = indent
    self.newline = newline
    self.keySeparator = keySeparator
    self.unset = unset
  }

  init(detectedIn document: JSONDocument, nodes: ModelNodes, model: Model) {
    profile = Self.detectProfile(document, nodes, model)
    (indent, newline, keySeparator) = Self.detectLayout(document)
    unset = Self.detectUnset(document) ?? profile.unset
  }

  /// What a new line at a depth starts with; nothing where the file is on one line.
  func lineStart(depth: Int) -> String {
    guard let indent else { return "" }
    return newline + String(repeating: indent, count: depth)
  }

  func text(of pair: IDPair) -> String {
    pair.isUnset ? unset : pair.description
  }

  private static func detectLayout(_ document: JSONDocument) -> (String?, String, String) {
    guard let first = document.members(of: document.root).first else { return ("  ", "\n", ": ") }
    let key = document.range(of: first.key)
    let before = document.range(of: document.root).lowerBound + 1..<key.lowerBound
    let between = key.upperBound..<document.range(of: first.value).lowerBound
    let lead = String(decoding: document.bytes[before], as: UTF8.self)
    let separator = String(decoding: document.bytes[between], as: UTF8.self)
    guard let lineEnd = lead.unicodeScalars.lastIndex(where: { $0 == "\n" || $0 == "\r" }) else {
      return (nil, "", separator)
    }
    let indent = String(lead.unicodeScalars[lead.unicodeScalars.index(after: lineEnd)...])
    let newline =
      lead.utf8.contains(UInt8(ascii: "\r"))
      ? (lead.utf8.contains(UInt8(ascii: "\n")) ? "\r\n" : "\r") : "\n"
    return (indent, newline, separator)
  }

  /// Go writes `""` where the others write `"0:0"`; what the file already has is kept to.
  private static func detectUnset(_ document: JSONDocument) -> String? {
    for key in ["lastRelationId", "lastIndexId", "lastSequenceId", "lastEntityId"] {
      guard let node = document.value(forKey: key, in: document.root) else { continue }
      switch document.text(of: node) {
      case "\"\"": return ""
      case "\"0:0\"": return "0:0"
      default: continue
      }
    }
    return nil
  }

  private static func detectProfile(
    _ document: JSONDocument, _ nodes: ModelNodes, _ model: Model
  ) -> GeneratorProfile {
    let samples = KeyOrderSamples(document, nodes)
    let hinted = hintedProfile(model, samples)
    var best = hinted
    var fewest = samples.inversions(in: hinted)
    for profile in GeneratorProfile.all where fewest > 0 {
      let inversions = samples.inversions(in: profile)
      if inversions < fewest { (best, fewest) = (profile, inversions) }
    }
    return best
  }

  /// The generator that what is in the file speaks for: Swift writes another parser minimum, Go no
  /// lastSequenceId, Python the parser minimum first; files of Java and Dart differ in their order.
  private static func hintedProfile(_ model: Model, _ samples: KeyOrderSamples) -> GeneratorProfile
  {
    if samples.top.firstIndex(of: "modelVersionParserMinimum") ?? Int.max
      < samples.top.firstIndex(of: "entities") ?? 0
    {
      return .python
    }
    if model.modelVersionParserMinimum == 4 { return .swift }
    if model.lastSequenceID == nil { return .go }
    return isSorted(model) ? .java : .dart
  }

  private static func isSorted(_ model: Model) -> Bool {
    func ascending(_ ids: some Sequence<UInt32>) -> Bool {
      var last: UInt32 = 0
      for id in ids {
        if id < last { return false }
        last = id
      }
      return true
    }
    return ascending(model.entities.lazy.map(\.pair.id))
      && model.entities.allSatisfy { ascending($0.properties.lazy.map(\.pair.id)) }
  }
}

/// The orders of keys that a file shows.
private struct KeyOrderSamples {
  var top: [String]
  var entities: Set<[String]> = []
  var properties: Set<[String]> = []
  var relations: Set<[String]> = []

  /// How many objects of each kind are looked at; the ends of a file say as much as all of it.
  private static let limit = 64

  init(_ document: JSONDocument, _ nodes: ModelNodes) {
    func keys(_ node: JSONNode) -> [String] {
      document.members(of: node).map { document.key($0.key) }
    }
    top = keys(document.root)
    for entity in nodes.entities.prefix(Self.limit) + nodes.entities.suffix(Self.limit) {
      entities.insert(keys(entity.object))
      for node in entity.properties.prefix(Self.limit) { properties.insert(keys(node)) }
      for node in entity.relations.prefix(Self.limit) { relations.insert(keys(node)) }
    }
  }

  func inversions(in profile: GeneratorProfile) -> Int {
    var count = Self.inversions(top, profile.top)
    for keys in entities { count += Self.inversions(keys, profile.entity) }
    for keys in properties { count += Self.inversions(keys, profile.property) }
    for keys in relations { count += Self.inversions(keys, profile.relation) }
    return count
  }

  private static func inversions(_ keys: [String], _ order: [String]) -> Int {
    let ranks = keys.compactMap { order.firstIndex(of: $0) }
    return zip(ranks, ranks.dropFirst()).count { $0 > $1 }
  }
}
