internal import BoxModel
internal import BoxReport

/// The comparison of a run with earlier versions of the model file.
///
/// A merge of sources can keep what the merge of the model removed. Without a look back the run would give that a new
/// UID, and its data would be gone.
extension Generation {
  /// Whether a finding is about UIDs that the last commit lacks too: then generated code that is not committed is
  /// of another version, such as another branch.
  func isCommitted(
    _ finding: Finding, _ request: GeneratorRequest, _ past: inout PastReader
  ) async -> Bool {
    guard finding.rule == GeneratorRule.lostUIDs, let bytes = request.model,
      let head = await past.models().head,
      let committed = (try? ModelDocument(parsing: head))?.model,
      let model = (try? ModelDocument(parsing: bytes))?.model
    else { return false }
    let lookup = ModelLookup(model)
    var hasAll = true
    committed.forEachElement { place, pair in
      if lookup[place.kind, pair.uid] == nil, !lookup.isRetired(place.kind, pair.uid) {
        hasAll = false
      }
    }
    return hasAll
  }

  /// Brings elements back that annotations name, and that the model has no longer.
  func revive(
    _ model: inout Model, _ entities: [SourceEntity], _ past: inout PastReader
  ) async {
    let lookup = ModelLookup(model)
    let pool = Set(model.newUIDPool ?? [])
    // Entities first, as members belong to them.
    let keys = entities.requested.filter {
      lookup[$0.kind, $0.uid] == nil && !pool.contains($0.uid)
    }
    if keys.isEmpty { return }
    let versions = await past.models().versions
    for key in keys {
      for version in versions where model.revive(key, from: version.model) { break }
    }
  }

  /// Reports new elements that earlier versions have under another UID, and notes the resets that annotations
  /// ask for.
  ///
  /// - Returns: The UIDs on offer for the elements that are reported.
  mutating func findLost(
    _ model: Model, _ old: Model, _ entities: [SourceEntity], _ past: inout PastReader,
    _ request: GeneratorRequest
  ) async -> [UID] {
    let lookup = ModelLookup(old)
    let new = model.sources(of: entities).filter { lookup[$0.key.kind, $0.key.uid] == nil }
    if new.isEmpty { return [] }
    let known = Dictionary(new.map { ($0.key, $0) }) { first, _ in first }
    var current = old
    current.newUIDPool = nil
    let versions = await past.models().versions
    var answered: Set<ElementKey> = []
    var offered: [UID] = []
    for version in [ResetBase(name: request.modelPath, model: current)] + versions {
      for reset in model.resets(since: version) {
        // Bindings that are not committed may be of another branch, which has an element of that name too.
        let isOfBindings = version.name == request.bindingsPath
        if isOfBindings, !lookup.isRetired(reset.old.kind, reset.old.uid) { continue }
        guard let source = known[reset.new], answered.insert(reset.new).inserted else { continue }
        let isLive = lookup[reset.old.kind, reset.old.uid] != nil
        if case .chosen? = source.request {
          addReset(reset, in: model)
        } else if !isLive {
          offered.append(reset.new.uid)
          reportLost(source, reset, version.name, prefix: request.annotationPrefix)
        }
      }
    }
    return offered
  }

  private mutating func reportLost(
    _ source: NamedSource, _ reset: RenameFix, _ version: String, prefix: String
  ) {
    add(
      Finding(
        GeneratorRule.lostElement, at: source.place,
        "The \(source.label) has the UID \(reset.old.uid) in \(version), and the model file has removed"
          + " it. You can do the following:"
          + " [Rename] Apply the earlier UID using // \(prefix): uid = \(reset.old.uid)"
          + " [Change/Reset] Apply a new UID using // \(prefix): uid = \(reset.new.uid)",
        advice: "Write one of them: the first keeps the data, the second begins without"))
  }
}

extension [SourceEntity] {
  /// The elements that annotations name by a number, entities first.
  fileprivate var requested: [ElementKey] {
    func key(_ kind: ElementKind, _ request: UIDRequest?) -> ElementKey? {
      if case .chosen(let uid, _)? = request { ElementKey(kind, uid) } else { nil }
    }
    return compactMap { key(.entity, $0.uid) }
      + flatMap { $0.properties.compactMap { key(.property, $0.uid) } }
      + flatMap { $0.collections.compactMap { key(.relation, $0.uid) } }
  }
}
