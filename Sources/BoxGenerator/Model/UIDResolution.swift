import BoxJSON
internal import BoxModel
internal import BoxReport

/// Finds the element of a model that a declaration means: by the UID of its annotation, then by its name.
///
/// An annotation without a number asks for a UID: the run fails, and offers two.
struct UIDResolution {
  private let model: Model
  private var uids: any UIDSource
  private var used: Set<UID> = []
  /// The UIDs on offer that no request of this run has taken.
  private var waiting: [UID]
  /// The pool of the model with the offers of this run.
  private(set) var pool: [UID]
  private(set) var hasOffers = false
  private(set) var findings: [Finding] = []
  private let prefix: String

  init(_ model: Model, uids: any UIDSource, prefix: String) {
    self.model = model
    self.uids = uids
    self.prefix = prefix
    pool = model.newUIDPool ?? []
    waiting = pool
    model.forEachElement { _, pair in used.insert(pair.uid) }
    for kind in ElementKind.allCases { used.formUnion(model[retired: kind] ?? []) }
    used.formUnion(pool)
  }

  /// Excludes UIDs from those on offer: a request of this run gets another one.
  ///
  /// - Parameter taken: The UIDs that declarations have, and those that other branches may have taken.
  mutating func exclude(_ taken: Set<UID>) { waiting.removeAll { taken.contains($0) } }

  /// The result of a look-up.
  enum Match: Hashable {
    /// The element of the model with a UID.
    case existing(UID)
    /// No element: a new one, with a UID on offer or a fresh one.
    case new(UID?)
    /// A finding.
    case none
  }

  /// The elements of the model that a declaration may mean.
  struct Candidates {
    fileprivate private(set) var uids: Set<UID> = []
    private var uidsByName: [ExactText: UID] = [:]

    init(_ elements: some Sequence<(uid: UID, name: String)>) {
      for (uid, name) in elements {
        uids.insert(uid)
        let name = foldedName(name)
        // Of several with one name, the first.
        if uidsByName[name] == nil { uidsByName[name] = uid }
      }
    }

    func uid(of name: String) -> UID? { uidsByName[foldedName(name)] }
  }

  /// Finds an element.
  ///
  /// - Parameters:
  ///   - request: The annotation of the declaration.
  ///   - kind: The word for it in messages, such as `property`.
  ///   - label: Its name in messages, such as `Book` or `title of entity Book`.
  ///   - name: Its name in the model file.
  ///   - earlier: The names that it may have there from before.
  ///   - candidates: The elements of the model that it may be.
  /// - Returns: The element, if it exists.
  mutating func match(
    _ request: UIDRequest?, _ kind: String, _ label: String, name: String,
    earlier: [String] = [], among candidates: Candidates
  ) -> Match {
    let named = ([name] + earlier).lazy.compactMap { candidates.uid(of: $0) }.first
    switch request {
    case nil: return named.map { .existing($0) } ?? .new(nil)
    case .chosen(let uid, let place)?:
      if candidates.uids.contains(uid) { return .existing(uid) }
      if model.newUIDPool?.contains(uid) ?? false { return .new(uid) }
      reportUnknown(uid, kind, label, place)
      return .none
    case .offer(let place)?:
      if let named {
        offer(named, kind, label, place)
      } else {
        findings.append(
          Finding(
            GeneratorRule.uidRequested, at: place,
            "No UID given for \(kind) \(label), which the model file does not have",
            advice:
              "Give the declaration the name that the model file has, or remove the annotation"))
      }
      return .none
    }
  }

  private mutating func offer(_ uid: UID, _ kind: String, _ label: String, _ place: SourcePlace) {
    guard let offered = offer(at: place) else { return }
    // The wording of the documentation, by which people find this.
    findings.append(
      Finding(
        GeneratorRule.uidRequested, at: place,
        "No UID given for \(kind) \(label). You can do the following:"
          + " [Rename] Apply the current UID using // \(prefix): uid = \(uid)"
          + " [Change/Reset] Apply a new UID using // \(prefix): uid = \(offered)",
        advice: "Write one of them: the first keeps the data, the second begins without"))
  }

  /// A UID that waits in the pool, or a fresh one that is added to it; nil, with a finding at the place, if none was
  /// found.
  mutating func offer(at place: SourcePlace) -> UID? {
    hasOffers = true
    if !waiting.isEmpty { return waiting.removeFirst() }
    for _ in 0..<1000 {
      let uid = uids.next()
      if uid != 0, uid <= maximumUID, used.insert(uid).inserted {
        pool.append(uid)
        return uid
      }
    }
    findings.append(
      Finding(
        GeneratorRule.model, at: place, "No unused UID was found in 1000 attempts",
        advice: "Generate again"))
    return nil
  }

  private mutating func reportUnknown(
    _ uid: UID, _ kind: String, _ label: String, _ place: SourcePlace
  ) {
    let isRetired = ElementKind.allCases.contains { (model[retired: $0] ?? []).contains(uid) }
    findings.append(
      Finding(
        GeneratorRule.unknownUID, at: place,
        isRetired
          ? "The UID \(uid) of \(kind) \(label) is retired: its element was removed"
          : "The model file has no \(kind) with the UID \(uid) of \(label)",
        advice: isRetired
          ? "Remove the UID, or restore the model file from before the removal"
          : "Restore the model file that has it, or remove the UID"))
  }
}
