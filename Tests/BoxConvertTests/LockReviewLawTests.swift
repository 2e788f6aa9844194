import BoxConvert
import BoxJSON
import BoxReport
import TestSupport
import Testing

/// Whatever a change does to a catalogue and to its lock, a name or a stored value that means something
/// else is an error.
///
/// The oracle knows names and numbers only. `BOXJOINT_SOAK_CONVERSIONS` says how many changes there are.
struct LockReviewLawTests {
  /// An enum as a user thinks of it.
  private struct Table {
    var cases: [(name: String, raw: Int)] = []
    var retired: [(name: String, raw: Int)] = []
    var aliases: [(name: String, of: String)] = []

    /// The raw value that each readable name stands for.
    var meanings: [String: Int] {
      var result: [String: Int] = [:]
      for item in cases + retired { result[item.name] = item.raw }
      for alias in aliases where result[alias.name] == nil { result[alias.name] = result[alias.of] }
      return result
    }

    func catalogue() throws -> Catalogue {
      func json(_ items: [(name: String, raw: Int)]) -> JSONValue {
        .object(items.map { JSONValue.Member($0.name, .int($0.raw)) })
      }
      var members = [JSONValue.Member("type", "enum"), JSONValue.Member("values", json(cases))]
      if !retired.isEmpty { members.append(JSONValue.Member("retired", json(retired))) }
      if !aliases.isEmpty {
        let names = aliases.map { JSONValue.Member($0.name, .string($0.of)) }
        members.append(JSONValue.Member("aliases", .object(names)))
      }
      return try Catalogue(["properties": ["User.role": .object(members)]])
    }

    /// Makes the table one that a catalogue accepts.
    mutating func settle() {
      var names: Set<String> = []
      var raws: Set<Int> = []
      func isFree(_ item: (name: String, raw: Int)) -> Bool {
        guard !names.contains(item.name), !raws.contains(item.raw) else { return false }
        names.insert(item.name)
        raws.insert(item.raw)
        return true
      }
      cases = cases.filter(isFree)
      let targets = names
      retired = retired.filter(isFree)
      aliases = aliases.filter { targets.contains($0.of) && names.insert($0.name).inserted }
    }
  }

  private static let names = ["a", "b", "c", "d", "e", "f", "g"]

  private func table(_ random: inout SplitMix64) -> Table {
    var table = Table()
    for _ in 0..<(1 + random.below(4)) {
      table.cases.append((random.pick(Self.names), random.below(6)))
    }
    for _ in 0..<random.below(3) {
      table.retired.append((random.pick(Self.names), random.below(6)))
    }
    for _ in 0..<random.below(3) {
      table.aliases.append((random.pick(Self.names), random.pick(Self.names)))
    }
    table.settle()
    return table
  }

  private func change(_ table: inout Table, _ random: inout SplitMix64) {
    let name = random.pick(Self.names)
    let raw = random.below(7)
    switch random.below(9) {
    case 0: table.cases.append((name, raw))
    case 1 where table.cases.count > 1: table.cases.remove(at: random.below(table.cases.count))
    case 2: table.cases[random.below(table.cases.count)].raw = raw
    case 3: table.cases[random.below(table.cases.count)].name = name
    case 4 where table.cases.count > 1:
      table.retired.append(table.cases.remove(at: random.below(table.cases.count)))
    case 5: table.aliases.append((name, random.pick(table.cases).name))
    case 6 where !table.aliases.isEmpty:
      table.aliases[random.below(table.aliases.count)].of = random.pick(table.cases).name
    case 7 where !table.retired.isEmpty:
      table.retired.remove(at: random.below(table.retired.count))
    case 8 where !table.retired.isEmpty:
      table.retired[random.below(table.retired.count)].name = name
    default: table.cases.reverse()
    }
    table.settle()
  }

  /// The reason why stored values or earlier dumps mean something else after a change; nil if none do.
  private func harm(_ old: Table, _ new: Table) -> String? {
    let (before, after) = (old.meanings, new.meanings)
    for (name, raw) in before.sorted(by: { $0.key < $1.key }) {
      if let now = after[name], now != raw { return "\(name) was \(raw) and is \(now)" }
    }
    let known = Set((new.cases + new.retired).map(\.raw))
    if let lost = (old.cases + old.retired).first(where: { !known.contains($0.raw) }) {
      return "nothing has the raw value of \(lost)"
    }
    for item in old.retired {
      if let heir = new.cases.first(where: { $0.raw == item.raw }), heir.name != item.name {
        return "\(item) is used again as \(heir.name)"
      }
    }
    return nil
  }

  /// The lock of a table that was not locked again after its last changes.
  private func lock(_ table: Table, _ random: inout SplitMix64) throws -> ConverterLock? {
    if random.oneIn(4) { return nil }
    var locked = table
    for _ in 0..<random.below(3) {
      switch random.below(3) {
      case 0 where locked.cases.count > 1:
        locked.cases.remove(at: random.below(locked.cases.count))
      case 1: locked.retired = []
      default: locked.aliases = []
      }
      locked.settle()
    }
    return ConverterLock(try locked.catalogue())
  }

  @Test func noMeaningChangesWithoutAnError() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_CONVERSIONS", default: 20_000)
    var harmful = 0
    for number in 0..<count {
      let old = table(&random)
      var new = old
      for _ in 0..<random.below(4) { change(&new, &random) }
      let (base, catalogue) = try (old.catalogue(), new.catalogue())
      let baseLock = try lock(old, &random)
      let meaning = baseLock?.completed(by: ConverterLock(base)) ?? ConverterLock(base)
      let changeLock = random.oneIn(2) ? baseLock : try lock(new, &random)
      let review = LockReview(meaning: meaning, baseLock: baseLock, changeLock: changeLock)
      let findings = catalogue.check(model: nil, in: review, path: "c.yml")
      let errors = findings.filter { $0.severity == .error && $0.rule.id.hasPrefix("BOX82") }
      let meant = errors.filter { $0.rule.id != "BOX829" }
      let comment = "\(number): \(old) to \(new)"
      if let harm = harm(old, new) {
        harmful += 1
        #expect(!meant.isEmpty, "\(comment): \(harm)")
      }
      if old.meanings == new.meanings, old.retired.map(\.raw) == new.retired.map(\.raw),
        old.retired.map(\.name) == new.retired.map(\.name)
      {
        #expect(meant.isEmpty, "\(comment): \(meant.map(\.message))")
      }
      // What a lock fixed stays fixed if the catalogue still has it.
      if let baseLock, changeLock == nil, !baseLock.properties.isEmpty {
        #expect(errors.contains { $0.rule.id == "BOX829" }, "\(comment)")
      }
    }
    #expect(harmful * 5 > count)
  }

  /// A branch that is behind its base takes nothing away, and clashes are still found.
  @Test func whatTheBaseAddedIsNotMissed() throws {
    var random = TestSeed.next()
    for number in 0..<3000 {
      let begin = table(&random)
      var base = begin
      for _ in 0..<(1 + random.below(3)) {
        base.cases.append((random.pick(["h", "i", "j", "k"]), 6 + random.below(4)))
      }
      base.settle()
      let (begun, tip) = try (begin.catalogue(), base.catalogue())
      let lock = ConverterLock(tip)
      let meaning = lock.withoutAdditions(since: ConverterLock(begun), notIn: begun)
      let kept = lock.withoutAdditions(since: ConverterLock(begun), notIn: .empty)
      let review = LockReview(
        meaning: meaning, baseLock: kept, changeLock: ConverterLock(begun))
      let findings = begun.check(model: nil, in: review, path: "c.yml")
      #expect(
        findings.filter { $0.rule.id.hasPrefix("BOX82") }.isEmpty,
        "\(number): \(begin) behind \(base): \(findings.map(\.message))")
      // The branch gives a number of the base to something else.
      if let taken = base.cases.first(where: { $0.raw >= 6 }) {
        var branch = begin
        branch.cases.append(("z", taken.raw))
        let catalogue = try branch.catalogue()
        let known = lock.withoutAdditions(since: ConverterLock(begun), notIn: catalogue)
        let review = LockReview(
          meaning: known, baseLock: nil, changeLock: ConverterLock(catalogue))
        let findings = catalogue.check(model: nil, in: review, path: "c.yml")
        #expect(findings.contains { $0.rule.id == "BOX823" }, "\(number): \(taken) and z")
      }
    }
  }
}
