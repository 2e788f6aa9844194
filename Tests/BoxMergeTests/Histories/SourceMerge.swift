import BoxMerge
import BoxModel

/// Three versions of the sources as git merges them.
///
/// Lines that one side took out and the other edited are a question to whoever merges. That is answered
/// at random where the model of the editing side shows the edit, so that a merge of the models can ask
/// too; else the lines stay out, for then the three models say nothing but that one side removed the
/// element.
struct SourceMerge: Sendable {
  var base: BuiltTree?
  var ours: BuiltTree
  var theirs: BuiltTree
  /// The side that whoever merges takes where lines conflict, by the number of the group.
  var prefers: @Sendable (Int) -> MergeSide

  struct Result: Sendable {
    /// The sources, which may have one name twice in one place.
    var sources = Sources()
    /// Whether git would merge them too, without asking anybody.
    var isClean = true
    /// The number of edits that no model shows, of lines that the other side removed.
    var unshownEdits = 0
  }

  func merged() -> Result {
    var result = Result()
    var wholes: [Int: Sources?] = [:]
    let everything = Set(before.keys).union(ours.groups.keys).union(theirs.groups.keys)
    for entity in everything.sorted() where kind(entity) == .entity {
      if let whole = contested(entity, &result) {
        result.isClean = false
        wholes[entity] = .some(whole)
      }
    }
    for number in everything.sorted() {
      let owner = kind(number) == .entity ? number : self.owner(number)
      if let whole = wholes[owner] {
        result.sources.groups[number] = whole?.groups[number]
      } else {
        result.sources.groups[number] = merged(number, &result)
      }
    }
    dropOrphans(&result)
    return result
  }

  /// The sources without a name twice in one place.
  ///
  /// Of two the one stays whose element is in the model of the result, then the one of ours. The other
  /// lines would be there without a change of the model, and moved by a pick of the commit.
  func withoutTwins(_ result: Result, in model: Model?) -> (sources: Sources, twins: [Int: Int]) {
    var live: Set<UID> = []
    model?.forEachElement { _, pair in live.insert(pair.uid) }
    var sources = result.sources
    let twins = sources.removeTwins { number in
      let isLive = [ours, theirs].contains { side in
        side.match.uids[number].map { live.contains($0) } ?? false
      }
      return (isLive ? 0 : 2) + (ours.groups[number] == nil ? 1 : 0)
    }
    return (sources, twins)
  }

  private var before: [Int: Declaration] { base?.groups ?? [:] }

  private func kind(_ number: Int) -> Declaration.Kind? { any(number)?.kind }

  private func owner(_ number: Int) -> Int { any(number)?.owner ?? 0 }

  private func any(_ number: Int) -> Declaration? {
    ours.groups[number] ?? theirs.groups[number] ?? before[number]
  }

  /// An entity that one side does not have, and in which the other did something: the lines of the
  /// type are taken from one side or the other, as a whole.
  ///
  /// - Returns: The side's sources, or nothing where the entity goes; nil if nothing is contested.
  private func contested(_ entity: Int, _ result: inout Result) -> Sources?? {
    let sides = (ours.groups[entity], theirs.groups[entity])
    let (keeping, removing): (BuiltTree, MergeSide)
    switch sides {
    case (nil, .some): (keeping, removing) = (theirs, .ours)
    case (.some, nil): (keeping, removing) = (ours, .theirs)
    default: return nil
    }
    guard before[entity] != nil else { return nil }
    func group(_ groups: [Int: Declaration]) -> [Int: Declaration] {
      groups.filter { $0.key == entity || $0.value.owner == entity }
    }
    if group(before) == group(keeping.groups) { return nil }
    if !hasEdits(in: entity, on: keeping) {
      result.unshownEdits += 1
      return .some(nil)
    }
    return .some(prefers(entity) == removing ? nil : keeping.tree.sources)
  }

  /// Whether something in an entity was edited or added: what was only taken out there makes no
  /// difference to whoever takes out the entity.
  private func hasEdits(in entity: Int, on side: BuiltTree) -> Bool {
    side.groups.contains { number, group in
      guard number == entity || group.owner == entity else { return false }
      return isEdited(number, on: side)
    }
  }

  /// Whether a declaration was edited or added, and the model of the side shows it.
  private func isEdited(_ number: Int, on side: BuiltTree) -> Bool {
    guard let group = side.groups[number] else { return false }
    if let old = before[number], !group.isEdited(since: old) { return false }
    return side.match.isEdited(number, since: base?.match)
  }

  private func merged(_ number: Int, _ result: inout Result) -> Declaration? {
    let (b, o, t) = (before[number], ours.groups[number], theirs.groups[number])
    if o == t || t == b { return o }
    if o == b { return t }
    let side = prefers(number)
    guard let o, let t else {
      result.isClean = false
      if let kept = o ?? t, hasNamesake(kept, number, on: o == nil ? ours : theirs) { return kept }
      if b != nil, !isEdited(number, on: o == nil ? theirs : ours) {
        result.unshownEdits += 1
        return nil
      }
      return side == .ours ? o : t
    }
    return merged(number, b, o, t, side, &result.isClean)
  }

  /// Whether a side has other lines of the same name: the declaration is there, and the question is
  /// which lines stay.
  private func hasNamesake(_ group: Declaration, _ number: Int, on side: BuiltTree) -> Bool {
    group.kind != .entity
      && side.groups.contains { other, declared in
        other != number && declared.kind == group.kind && declared.owner == group.owner
          && declared.head.name.lowercased() == group.head.name.lowercased()
      }
  }

  private func merged(
    _ number: Int, _ b: Declaration?, _ o: Declaration, _ t: Declaration, _ side: MergeSide,
    _ isClean: inout Bool
  ) -> Declaration {
    var result = o
    func field<Value: Equatable>(_ path: WritableKeyPath<Declaration, Value>) {
      let (mine, other) = (o[keyPath: path], t[keyPath: path])
      if mine == other { return }
      let before = b?[keyPath: path]
      if before == mine {
        result[keyPath: path] = other
      } else if before != other {
        isClean = false
        result[keyPath: path] = side == .ours ? mine : other
      }
    }
    result.head = mergedHead(number, b?.head, o.head, t.head, side, &isClean)
    field(\.type)
    field(\.index)
    field(\.isNotNull)
    field(\.target)
    if result.type == .relation { result.index = o.index ?? t.index }
    return result
  }

  /// Merges a line that both sides changed.
  ///
  /// Each of its two words is that of the side that changed it. If both have a new name, or the side without one has another element, the line of the
  /// preferred side wins.
  private func mergedHead(
    _ number: Int, _ before: Declaration.Head?, _ ours: Declaration.Head,
    _ theirs: Declaration.Head,
    _ side: MergeSide, _ isClean: inout Bool
  ) -> Declaration.Head {
    if ours == theirs || theirs == before { return ours }
    if ours == before { return theirs }
    isClean = false
    let preferred = side == .ours ? ours : theirs
    let keeper = ours.name == before?.name ? self.ours : self.theirs
    guard let before, ours.name == before.name || theirs.name == before.name,
      keeper.match.uids[number] == base?.match.uids[number]
    else {
      return preferred
    }
    var result = preferred
    result.name = ours.name == before.name ? theirs.name : ours.name
    if ours.uid == before.uid { result.uid = theirs.uid }
    if theirs.uid == before.uid { result.uid = ours.uid }
    return result
  }

  /// Removes declarations that belong or refer to a missing entity, as they would not compile.
  private func dropOrphans(_ result: inout Result) {
    let groups = result.sources.groups
    let kept = groups.filter { _, group in
      (group.kind == .entity || groups[group.owner] != nil)
        && group.target.map { groups[$0] != nil } ?? true
    }
    if kept.count < groups.count {
      result.isClean = false
      result.sources.groups = kept
    }
  }
}
