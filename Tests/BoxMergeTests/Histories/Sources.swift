import BoxMerge
import BoxModel

/// The lines of a source file that declare one element.
///
/// The group of lines is what git sees: it has a number for as long as the lines are there, whatever
/// they say. Each field is a line of its own, so that git merges field by field.
struct Declaration: Hashable, Sendable {
  enum Kind: String, Sendable {
    case entity, property, relation
  }

  var kind: Kind
  /// The number of the entity that it belongs to; 0 for an entity.
  var owner = 0
  /// The name and the UID that is written beside it: one line.
  var head: Head
  var type: PropertyType?
  var index: IndexKind?
  var isNotNull = false
  /// The number of the entity that a relation leads to.
  var target: Int?
  var isID = false

  /// Whether a merge of models sees an edit: not of a UID beside the name, nor of whether null is
  /// allowed, which a build writes anew, nor if there is no index any more.
  func isEdited(since before: Declaration) -> Bool {
    var (old, new) = (before, self)
    old.head.uid = nil
    new.head.uid = nil
    new.isNotNull = old.isNotNull
    if new.index == nil { old.index = nil }
    return old != new
  }

  struct Head: Hashable, Sendable {
    var name: String
    var uid: UID?
  }
}

/// The declarations of a version of the sources, by their numbers.
struct Sources: Hashable, Sendable {
  var groups: [Int: Declaration] = [:]

  var numbers: [Int] { groups.keys.sorted() }

  /// Whether something in an entity was edited or added since another version, as a merge of models
  /// sees it: what was only taken out there makes no difference to whoever takes out the entity.
  func hasEdits(in entity: Int, since before: Sources) -> Bool {
    groups.contains { number, group in
      guard number == entity || group.owner == entity else { return false }
      return before.groups[number].map { group.isEdited(since: $0) } ?? true
    }
  }

  func numbers(of kind: Declaration.Kind) -> [Int] {
    numbers.filter { groups[$0]?.kind == kind }
  }

  func members(of entity: Int) -> [Int] { numbers.filter { groups[$0]?.owner == entity } }

  /// Takes an entity out with all that belongs to it and leads to it: the rest would not compile.
  mutating func remove(_ number: Int) {
    groups[number] = nil
    groups = groups.filter { $0.value.owner != number && $0.value.target != number }
  }

  /// The same name twice in one place does not compile: whoever merges takes the later one out.
  ///
  /// - Returns: The numbers that went, with the number that stands for each.
  mutating func removeTwins() -> [Int: Int] {
    struct Place: Hashable {
      var isRelation: Bool
      var owner: Int
      var name: String
    }
    var first: [Place: Int] = [:]
    var twins: [Int: Int] = [:]
    for kind in [Declaration.Kind.entity, .property, .relation] {
      for number in numbers(of: kind) {
        guard let group = groups[number] else { continue }
        let place = Place(
          isRelation: kind == .relation, owner: group.owner, name: group.head.name.lowercased())
        if let kept = first[place] {
          twins[number] = kept
          for member in members(of: number) { groups[member]?.owner = kept }
          for user in numbers where groups[user]?.target == number { groups[user]?.target = kept }
          groups[number] = nil
        } else {
          first[place] = number
        }
      }
    }
    return twins
  }
}

/// Three versions of the sources as git merges them.
struct SourceMerge: Sendable {
  var base: Sources
  var ours: Sources
  var theirs: Sources
  /// The side that whoever merges takes where lines conflict, by the number of the group.
  var prefers: @Sendable (Int) -> MergeSide

  struct Result: Sendable {
    var sources = Sources()
    /// Whether git would merge them too, without asking anybody.
    var isClean = true
    var twins: [Int: Int] = [:]
  }

  func merged() -> Result {
    var result = Result()
    var wholes: [Int: Sources?] = [:]
    let everything = Set(base.groups.keys).union(ours.groups.keys).union(theirs.groups.keys)
    for entity in everything.sorted() where kind(entity) == .entity {
      if let whole = contested(entity) {
        result.isClean = false
        wholes[entity] = .some(whole)
      }
    }
    for number in everything.sorted() {
      let owner = kind(number) == .entity ? number : self.owner(number)
      if let whole = wholes[owner] {
        result.sources.groups[number] = whole?.groups[number]
      } else {
        result.sources.groups[number] = merged(number, &result.isClean)
      }
    }
    dropOrphans(&result)
    result.twins = result.sources.removeTwins()
    if !result.twins.isEmpty { result.isClean = false }
    return result
  }

  private func kind(_ number: Int) -> Declaration.Kind? { any(number)?.kind }

  private func owner(_ number: Int) -> Int { any(number)?.owner ?? 0 }

  private func any(_ number: Int) -> Declaration? {
    ours.groups[number] ?? theirs.groups[number] ?? base.groups[number]
  }

  /// An entity that one side does not have, and in which the other did something: the lines of the
  /// type are taken from one side or the other, as a whole.
  ///
  /// - Returns: The side's sources, or nothing where the entity goes; nil if nothing is contested.
  private func contested(_ entity: Int) -> Sources?? {
    let sides = (ours.groups[entity], theirs.groups[entity])
    let (keeping, removing): (Sources, MergeSide)
    switch sides {
    case (nil, .some): (keeping, removing) = (theirs, .ours)
    case (.some, nil): (keeping, removing) = (ours, .theirs)
    default: return nil
    }
    guard base.groups[entity] != nil else { return nil }
    let before = base.groups.filter { $0.key == entity || $0.value.owner == entity }
    let after = keeping.groups.filter { $0.key == entity || $0.value.owner == entity }
    if before == after { return nil }
    if !keeping.hasEdits(in: entity, since: base) { return .some(nil) }
    return .some(prefers(entity) == removing ? nil : keeping)
  }

  private func merged(_ number: Int, _ isClean: inout Bool) -> Declaration? {
    let (b, o, t) = (base.groups[number], ours.groups[number], theirs.groups[number])
    if o == t || t == b { return o }
    if o == b { return t }
    let side = prefers(number)
    guard let o, let t else {
      isClean = false
      // Nothing in the models says that the lines were touched, so nobody is asked there.
      if let b, let kept = o ?? t, !kept.isEdited(since: b) { return nil }
      return side == .ours ? o : t
    }
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
    result.head = mergedHead(b?.head, o.head, t.head, side, &isClean)
    field(\.type)
    field(\.index)
    field(\.isNotNull)
    field(\.target)
    if result.type == .relation { result.index = o.index ?? t.index }
    return result
  }

  /// Where both changed the line, each of its two words is taken from the side that changed it; where
  /// both have a new name, the line of one side is taken.
  private func mergedHead(
    _ before: Declaration.Head?, _ ours: Declaration.Head, _ theirs: Declaration.Head,
    _ side: MergeSide, _ isClean: inout Bool
  ) -> Declaration.Head {
    if ours == theirs || theirs == before { return ours }
    if ours == before { return theirs }
    isClean = false
    let preferred = side == .ours ? ours : theirs
    guard let before, ours.name == before.name || theirs.name == before.name else {
      return preferred
    }
    var result = preferred
    result.name = ours.name == before.name ? theirs.name : ours.name
    if ours.uid == before.uid { result.uid = theirs.uid }
    if theirs.uid == before.uid { result.uid = ours.uid }
    return result
  }

  /// What belongs or leads to an entity that is not there does not compile, and goes.
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
