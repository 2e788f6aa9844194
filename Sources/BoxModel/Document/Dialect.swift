import BoxJSON

/// The style of a model file, which additions to the file follow.
package struct Dialect: Sendable {
  /// The name of the generator whose files look like this.
  package var generator: String { profile.name }
  /// Whether elements are in the order of their ids.
  package var sortsByID: Bool { profile.sortsByID }

  let profile: GeneratorProfile
  /// The white space of one level; nil if the file is on one line.
  let indent: String?
  let newline: String
  /// The text between a key and its value.
  let keySeparator: String
  let unset: String
  /// Whether an entity without relations has an empty list of them.
  let writesEmptyRelations: Bool
  /// Whether an empty array is written over three lines, as Apple's encoder does.
  let spreadsEmptyArrays: Bool
  /// The kinds of elements for which flags are written even if none is set.
  let zeroFlagsOf: Set<ElementKind>
  /// Whether a relation without a target has an empty text for it.
  let writesUnsetTargets: Bool

  /// The longest white space, in bytes, that what is added to a file takes over from it.
  static let maximumWhiteSpace = 256

  /// Looks at a file; what it does not show is taken from the others, the first of them first.
  init(of file: ModelDocument, like others: [ModelDocument]) {
    let document = file.json
    let nodes = file.nodes
    let model = file.model
    let samples = file.keyOrders
    let family = Self.hintedProfile(model, samples).family
    let further = others.map { ($0.model, $0.keyOrders) }
      .filter { Self.hintedProfile($0, $1).family == family }.map(\.1)
    profile = samples.refine(Self.detectProfile([samples] + further, model))
    (indent, newline, keySeparator) = Self.detectLayout(document, nodes)
    unset = Self.detectUnset(document) ?? profile.unset
    let traits = ElementTraits(document, nodes)
    writesEmptyRelations =
      traits.writesEmptyRelations ?? (profile.writesEmptyRelations && model.lastRelationID != nil)
    zeroFlagsOf = traits.zeroFlagsOf
    // Without any target a relation of the others would be an error here.
    writesUnsetTargets = file.hasUnsetTargets || others.contains(where: \.hasUnsetTargets)
    spreadsEmptyArrays = traits.spreadsEmptyArrays
  }

  /// The start of a new line at a depth; empty if the file is on one line.
  func lineStart(depth: Int) -> String {
    guard let indent else { return "" }
    return newline + String(repeating: indent, count: depth)
  }

  func text(of pair: IDPair) -> String {
    pair.isUnset ? unset : pair.description
  }

  private static func detectLayout(
    _ document: JSONDocument, _ nodes: ModelNodes
  ) -> (String?, String, String) {
    let usual = ("  ", "\n", ": ")
    guard let first = document.members(of: document.root).first else { return usual }
    let key = document.range(of: first.key)
    let before = document.range(of: document.root).lowerBound + 1..<key.lowerBound
    if before.count > maximumWhiteSpace { return usual }
    let lead = String(decoding: document.bytes[before], as: UTF8.self)
    // Only elements are added, so their keys show the style better than the keys of the model.
    let member = nodes.entities.first.flatMap { document.members(of: $0.object).first } ?? first
    let between =
      document.range(of: member.key).upperBound..<document.range(of: member.value).lowerBound
    let separator =
      between.count > maximumWhiteSpace
      ? ": " : String(decoding: document.bytes[between], as: UTF8.self)
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

  /// The generator whose orders the samples of a model contradict least; those after the first speak
  /// only where all before them leave it open.
  private static func detectProfile(
    _ samples: [KeyOrderSamples], _ model: Model
  ) -> GeneratorProfile {
    let hinted = hintedProfile(model, samples[0])
    func inversions(in profile: GeneratorProfile) -> [Int] {
      samples.map { $0.inversions(in: profile) }
    }
    var best = hinted
    var fewest = inversions(in: hinted)
    // Early files of Swift and Java have the same order; the parser minimum tells them apart.
    let isSwift = model.isOfSwift
    let profiles =
      GeneratorProfile.all.filter { $0.isSwift == isSwift }
      + GeneratorProfile.all.filter { $0.isSwift != isSwift }
    for profile in profiles where fewest.contains(where: { $0 > 0 }) {
      let found = inversions(in: profile)
      if found.lexicographicallyPrecedes(fewest) { (best, fewest) = (profile, found) }
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
    if model.isOfSwift { return .swift }
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
