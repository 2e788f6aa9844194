internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// The locked state that counts in a review.
extension ConverterLock {
  /// The lock together with what another one has in addition.
  ///
  /// A catalogue that was changed without being locked again has cases that its lock lacks; stored
  /// values have them all the same.
  ///
  /// - Parameter other: The state to add. Where both have a property, a name or a raw value, this lock
  ///   counts.
  /// - Returns: The state of both together.
  /// - Complexity: O(*n*) in the size of both.
  package func completed(by other: ConverterLock) -> ConverterLock {
    var result = self
    let positions = positions
    for property in other.properties {
      if let position = positions[foldedName(property.name)] {
        let own = properties[position]
        result.properties[position] = Property(
          name: own.name, content: own.content.completed(by: property.content))
      } else {
        result.properties.append(property)
      }
    }
    return result
  }

  /// The lock without what is neither in an earlier state nor in a catalogue.
  ///
  /// A branch that began before something was added has not removed it.
  ///
  /// - Parameters:
  ///   - earlier: The state where the branch began.
  ///   - catalogue: The catalogue of the branch.
  /// - Returns: The rest, in the same order.
  /// - Complexity: O(*n*) in the size of all three.
  package func withoutAdditions(
    since earlier: ConverterLock, notIn catalogue: Catalogue
  ) -> ConverterLock {
    let known = [earlier, ConverterLock(catalogue)].map { lock in
      (lock: lock, positions: lock.positions)
    }
    var result = self
    result.properties = properties.compactMap { property in
      let name = foldedName(property.name)
      let found = known.compactMap { state in
        state.positions[name].map { state.lock.properties[$0].content }
      }
      if found.isEmpty { return nil }
      return Property(name: property.name, content: property.content.knownCases(to: found))
    }
    return result
  }

  /// The positions of the properties, by folded name.
  var positions: [ExactText: Int] {
    Dictionary(properties.enumerated().map { (foldedName($1.name), $0) }) { first, _ in first }
  }
}

extension ConverterLock.Content {
  fileprivate func completed(by other: Self) -> Self {
    switch (self, other) {
    case (.cases(var own), .cases(let other)) where own.type == other.type:
      let index = CaseIndex(own)
      own.cases += other.cases.filter { !index.knows($0) }
      own.retired += other.retired.filter { !index.knows($0) }
      own.aliases += other.aliases.filter { index.raw(of: $0.name) == nil }
      return .cases(own)
    case (.list(let own), .list(let other)): return .list(own.completed(by: other))
    case (.chain(let a, let b), .chain(let c, let d)):
      return .chain(a.completed(by: c), b.completed(by: d))
    default: return self
    }
  }

  /// The converter without the cases that no other one knows by name or raw value.
  fileprivate func knownCases(to others: [Self]) -> Self {
    switch self {
    case .cases(var own):
      let known = others.compactMap { other -> CaseIndex? in
        guard case .cases(let cases) = other else { return nil }
        return CaseIndex(cases)
      }
      func isKnown(_ item: EnumerationCase) -> Bool { known.contains { $0.knows(item) } }
      own.cases.removeAll { !isKnown($0) }
      own.retired.removeAll { !isKnown($0) }
      own.aliases.removeAll { item in !known.contains { $0.raw(of: item.name) != nil } }
      return .cases(own)
    case .list(let own):
      return .list(
        own.knownCases(
          to: others.compactMap { if case .list(let element) = $0 { element } else { nil } }))
    case .chain(let first, let second):
      let parts = others.compactMap { other -> (Self, Self)? in
        if case .chain(let a, let b) = other { (a, b) } else { nil }
      }
      return .chain(
        first.knownCases(to: parts.map(\.0)), second.knownCases(to: parts.map(\.1)))
    case .settings: return self
    }
  }
}

extension CatalogueCheck {
  /// Adds the findings about what a change took out of the lock, although its catalogue has it.
  ///
  /// Without it in the lock, the next change could give it another meaning.
  ///
  /// - Parameters:
  ///   - base: The lock of the base.
  ///   - change: The lock of the change; nil if it has none.
  mutating func checkKept(_ base: ConverterLock, in change: ConverterLock?) {
    guard let change else {
      if base.properties.isEmpty || catalogue.bindings.isEmpty { return }
      return add(
        ConverterRule.lockLost,
        "the change removes the lock, which has "
          + counted(base.properties.count, "property", "properties"),
        "run `boxjoint converters lock`, and commit the lock", at: nil)
    }
    let positions = change.positions
    for property in base.properties {
      guard let binding = catalogue.binding(named: property.name)
      else { continue }
      let kept = positions[foldedName(property.name)].map { change.properties[$0].content }
      guard let loss = property.content.loss(in: kept, ConverterLock.Content(binding.definition))
      else { continue }
      add(
        ConverterRule.lockLost,
        "the lock of the change no longer has \(loss)\(binding.name) as in the base",
        "run `boxjoint converters lock`, and commit the lock", at: binding.position)
    }
  }
}

extension ConverterLock.Content {
  /// The words for what a later lock lacks, such as `reader of `; empty for everything, nil for nothing.
  ///
  /// A change of the catalogue is not a loss of the lock.
  fileprivate func loss(in later: Self?, _ catalogue: Self) -> String? {
    guard let later else { return "" }
    switch (self, later, catalogue) {
    case (.cases(let own), .cases(let later), .cases(let current))
    where own.type == current.type && later.type == own.type:
      let (kept, known) = (CaseIndex(later), CaseIndex(current))
      let lost = (own.cases + own.retired + own.aliases).first { item in
        guard let raw = known.raw(of: item.name), RawKey(raw) == RawKey(item.raw) else {
          return false
        }
        return kept.raw(of: item.name).map { RawKey($0) != RawKey(item.raw) } ?? true
      }
      return lost.map { "\($0.name) of " }
    case (.list(let own), .list(let later), .list(let current)):
      return own.loss(in: later, current)
    case (.chain(let a, let b), .chain(let c, let d), .chain(let e, let f)):
      return a.loss(in: c, e) ?? b.loss(in: d, f)
    default:
      let (known, kept) = (catalogue.json.text(indent: 0), later.json.text(indent: 0))
      return kept.hasSameBytes(as: known) || !json.text(indent: 0).hasSameBytes(as: known)
        ? nil : ""
    }
  }
}
