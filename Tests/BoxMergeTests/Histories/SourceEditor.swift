import BoxModel
import TestSupport

/// A developer who changes the sources at random.
struct SourceEditor {
  var sources: Sources
  /// The edits so far, in words.
  private(set) var log: [String] = []
  /// Names of members that were removed at some time, with the entity that had them.
  private let formerNames: [(owner: Int, name: String)]
  /// Names that were removed now: a build does not tell one that comes back at once from one that
  /// stayed.
  private(set) var removedNames: [(owner: Int, name: String)] = []
  /// Names that were given up now by a rename without a UID: likewise.
  private var vacatedNames: [(owner: Int, name: String)] = []
  /// The number of the next group of lines; no number is used twice in a history.
  var nextNumber: Int
  private let match: SourceMatch
  private let newUID: () -> UID

  init(_ tree: Tree, nextNumber: Int, formerNames: [(Int, String)], newUID: @escaping () -> UID) {
    sources = tree.sources
    self.nextNumber = nextNumber
    self.formerNames = formerNames.map { (owner: $0.0, name: $0.1) }
    self.newUID = newUID
    match = SourceMatch(tree.model.model, tree.sources)
  }

  /// Makes one edit, if there is something to make it on.
  mutating func edit(_ random: inout SplitMix64) {
    switch random.below(31) {
    case 0..<2: addEntity(&random)
    case 2..<8: addProperty(&random)
    case 8..<10: addToOne(&random)
    case 10..<12: addRelation(&random)
    case 12..<14: setIndex(&random)
    case 14..<16: reset(&random)
    case 16..<19: renameWithUID(&random)
    case 19..<21: renameWithoutUID(&random)
    case 21..<25: removeMember(&random)
    case 25: removeEntity(&random)
    case 26..<28: toggleNotNull(&random)
    case 28: changeType(&random)
    default: dropUID(&random)
    }
  }

  private mutating func add(_ group: Declaration) -> Int {
    let number = nextNumber
    nextNumber += 1
    sources.groups[number] = group
    return number
  }

  private func name(_ number: Int) -> String { sources.groups[number]?.head.name ?? "?" }

  private func label(_ number: Int) -> String {
    let owner = sources.groups[number]?.owner ?? 0
    return owner == 0 ? name(number) : "\(name(owner)).\(name(number))"
  }

  private func entity(_ random: inout SplitMix64) -> Int? {
    let all = sources.numbers(of: .entity)
    return all.isEmpty ? nil : random.pick(all)
  }

  /// A member that is not an id; if `isPlain`, one that is not a relation either.
  private func member(_ random: inout SplitMix64, isPlain: Bool = false) -> Int? {
    let all = sources.numbers.filter { number in
      guard let group = sources.groups[number], group.kind != .entity, !group.isID else {
        return false
      }
      return !isPlain || group.target == nil
    }
    return all.isEmpty ? nil : random.pick(all)
  }

  mutating func addEntity(_ random: inout SplitMix64) {
    let entity = add(Declaration(kind: .entity, head: .init(name: "E\(nextNumber)")))
    var id = Declaration(kind: .property, owner: entity, head: .init(name: "id"), type: .long)
    id.isID = true
    _ = add(id)
    log.append("add \(name(entity))")
    for _ in 0...random.below(2) { addProperty(to: entity, &random) }
  }

  private mutating func addProperty(_ random: inout SplitMix64) {
    if let entity = entity(&random) { addProperty(to: entity, &random) }
  }

  private mutating func addProperty(to entity: Int, _ random: inout SplitMix64) {
    var name = "p\(nextNumber)"
    if random.oneIn(5), let former = formerNames.last(where: { $0.owner == entity }),
      !sources.members(of: entity).contains(where: { self.name($0) == former.name }),
      !(removedNames + vacatedNames).contains(where: { $0 == former })
    {
      name = former.name
    }
    let type = random.pick([PropertyType.string, .int, .long, .double])
    var group = Declaration(kind: .property, owner: entity, head: .init(name: name), type: type)
    if type == .string, random.oneIn(4) { group.index = random.pick(IndexKind.allCases) }
    let number = add(group)
    log.append("add \(label(number))")
  }

  private mutating func addToOne(_ random: inout SplitMix64) {
    guard let entity = entity(&random), let target = self.entity(&random) else { return }
    let number = add(
      Declaration(
        kind: .property, owner: entity, head: .init(name: "one\(nextNumber)"), type: .relation,
        index: .value, target: target))
    log.append("add \(label(number)) to \(name(target))")
  }

  private mutating func addRelation(_ random: inout SplitMix64) {
    guard let entity = entity(&random), let target = self.entity(&random) else { return }
    let number = add(
      Declaration(
        kind: .relation, owner: entity, head: .init(name: "many\(nextNumber)"), target: target))
    log.append("add \(label(number)) to \(name(target))")
  }

  private mutating func setIndex(_ random: inout SplitMix64) {
    guard let number = member(&random, isPlain: true) else { return }
    let isString = sources.groups[number]?.type == .string
    let kinds: [IndexKind?] = isString ? [nil, .value, .hash, .hash64] : [nil, .value]
    let index = random.pick(kinds.filter { $0 != sources.groups[number]?.index })
    sources.groups[number]?.index = index
    log.append("\(label(number)): \(index.map { "index by \($0)" } ?? "no index")")
  }

  /// A new UID beside the name: the old data is left behind.
  private mutating func reset(_ random: inout SplitMix64) {
    guard let number = member(&random, isPlain: true) else { return }
    let uid = newUID()
    sources.groups[number]?.head.uid = uid
    if sources.groups[number]?.index == nil {
      sources.groups[number]?.type = random.pick([PropertyType.string, .int, .long, .double])
    }
    log.append("reset \(label(number)) to UID \(uid)")
  }

  private mutating func renameWithUID(_ random: inout SplitMix64) {
    guard let number = random.oneIn(4) ? entity(&random) : member(&random),
      let uid = match.uids[number], let group = sources.groups[number]
    else { return }
    let old = label(number)
    let letter = group.kind == .entity ? "E" : group.target == nil ? "p" : "r"
    sources.groups[number]?.head = .init(name: "\(letter)\(nextNumber)", uid: uid)
    nextNumber += 1
    log.append("rename \(old) to \(name(number)), with UID \(uid)")
  }

  /// Renames as generators take it for a removal and an addition.
  ///
  /// UIDs that are written beside what is in a renamed entity would be refused, and are taken out.
  private mutating func renameWithoutUID(_ random: inout SplitMix64) {
    guard let number = random.oneIn(5) ? entity(&random) : member(&random), number != 1,
      let group = sources.groups[number]
    else { return }
    let old = label(number)
    let letter = group.kind == .entity ? "E" : group.target == nil ? "p" : "r"
    vacatedNames.append((group.owner, group.head.name))
    sources.groups[number]?.head = .init(name: "\(letter)\(nextNumber)")
    nextNumber += 1
    if group.kind == .entity {
      for member in sources.members(of: number) { sources.groups[member]?.head.uid = nil }
    }
    log.append("rename \(old) to \(name(number)), without UID")
  }

  private mutating func removeMember(_ random: inout SplitMix64) {
    guard let number = member(&random), let group = sources.groups[number] else { return }
    log.append("remove \(label(number))")
    if group.kind == .property, group.target == nil {
      removedNames.append((group.owner, group.head.name))
    }
    sources.remove(number)
  }

  /// The first entity stays, so that no side is taken for one that was newly generated.
  private mutating func removeEntity(_ random: inout SplitMix64) {
    guard let number = entity(&random), number != 1 else { return }
    log.append("remove \(name(number))")
    sources.remove(number)
  }

  private mutating func toggleNotNull(_ random: inout SplitMix64) {
    guard let number = member(&random, isPlain: true) else { return }
    sources.groups[number]?.isNotNull.toggle()
    log.append("\(label(number)): not null \(sources.groups[number]?.isNotNull ?? false)")
  }

  /// A new type under the old UID, which some generators let pass.
  private mutating func changeType(_ random: inout SplitMix64) {
    guard let number = member(&random, isPlain: true), sources.groups[number]?.index == nil else {
      return
    }
    let type = random.pick([PropertyType.string, .int, .long, .double])
    sources.groups[number]?.type = type
    log.append("\(label(number)): type \(type)")
  }

  /// Once the build is through, a UID need not stay in the sources.
  private mutating func dropUID(_ random: inout SplitMix64) {
    let named = sources.numbers.filter { sources.groups[$0]?.head.uid != nil }
    guard !named.isEmpty else { return }
    let number = random.pick(named)
    guard match.uids[number] == sources.groups[number]?.head.uid else { return }
    sources.groups[number]?.head.uid = nil
    log.append("\(label(number)): take the UID out")
  }
}
