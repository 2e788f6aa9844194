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
    let requests = entities.requested.filter {
      lookup[$0.key.kind, $0.key.uid] == nil && !pool.contains($0.key.uid)
    }
    if requests.isEmpty { return }
    let versions = await past.models().versions
    let left = requests.filter { request in
      !versions.contains { model.revive(request.key, from: $0.model) }
    }
    let wanted = left.map { request in
      (request.name, model.entities.first { $0.name == request.name.entity }?.pair.uid)
    }
    for version in await past.unbuilt(wanted, model).versions {
      for request in left { _ = model.revive(request.key, from: version.model) }
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
    var answered: Set<ElementKey> = []
    var offered: [UID] = []
    func look(_ version: ResetBase) {
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
    for version in [ResetBase(name: request.modelPath, model: current)]
      + (await past.models().versions)
    {
      look(version)
    }
    // Commits after a merge have its model as long as nobody builds.
    let lookupNew = ModelLookup(model)
    let open = new.filter { source in
      !answered.contains(source.key) && !(old[retired: source.key.kind]?.isEmpty ?? true)
    }
    let elements = open.compactMap { source -> (name: DeclaredElement, owner: UID?)? in
      guard let place = lookupNew[source.key.kind, source.key.uid],
        let name = model.declared(place)
      else { return nil }
      return (name, source.key.kind == .entity ? nil : model.entities[place.entity].pair.uid)
    }
    let found = await past.unbuilt(elements, old)
    for version in found.versions { look(version) }
    if let gap = found.gap, let source = open.first(where: { !answered.contains($0.key) }) {
      reportGap(source, gap)
    }
    return offered
  }

  /// Reports that nobody can tell if an element was removed by a merge.
  private mutating func reportGap(_ source: NamedSource, _ gap: String) {
    add(
      Finding(
        GeneratorRule.lostElement, at: source.place,
        "The \(source.label) is new to the model file, and \(gap): if a merge has removed it, its data is"
          + " lost",
        advice: "Look for it in the history of the model file before you commit", severity: .warning
      ))
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
  fileprivate var requested: [(key: ElementKey, name: DeclaredElement)] {
    var entities: [(key: ElementKey, name: DeclaredElement)] = []
    var members: [(key: ElementKey, name: DeclaredElement)] = []
    for entity in self {
      if case .chosen(let uid, _)? = entity.uid {
        entities.append((ElementKey(.entity, uid), DeclaredElement(entity: entity.name)))
      }
      func add(_ kind: ElementKind, _ request: UIDRequest?, _ name: String) {
        guard case .chosen(let uid, _)? = request else { return }
        members.append(
          (ElementKey(kind, uid), DeclaredElement(entity: entity.name, member: name)))
      }
      for property in entity.properties { add(.property, property.uid, property.name) }
      for relation in entity.collections { add(.relation, relation.uid, relation.name) }
    }
    return entities + members
  }
}
