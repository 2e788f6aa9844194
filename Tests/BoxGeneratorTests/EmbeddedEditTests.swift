import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Random edits of structs, after which each property that stays has its UID.
struct EmbeddedEditTests {
  @Test func whatStaysKeepsItsUID() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_EMBEDDED_EDITS", default: 60) {
      var program = EditedEmbedding(&random)
      var model: [UInt8]?
      var known: [[Int]: UID] = [:]
      for step in 0..<12 {
        let before = program
        let moved = step == 0 ? nil : program.edit(&random)
        if program.leaves.count > 300 { program = before }
        let source = program.source
        let text = "round \(round), step \(step)\n\(before.source)\n---\n\(source)"
        let run = await generate(source, model: model)
        try #require(!run.hasErrors && run.model != nil, "\(run.findings) \(text)")
        let properties = try ModelDocument(parsing: #require(run.model)).model.entities[0]
          .properties
        if let moved, program.leaves.count > 0 { known[moved.to] = known[moved.from] }
        var next: [[Int]: UID] = [:]
        for leaf in program.leaves {
          let found = properties.first { $0.name == leaf.name }
          let uid = try #require(found?.pair.uid, "\(leaf.name) \(text)")
          if let old = known[leaf.key] {
            #expect(uid == old, "\(leaf.name) \(text)")
          } else {
            #expect(!known.values.contains(uid), "\(leaf.name) \(text)")
          }
          next[leaf.key] = uid
        }
        #expect(properties.count == 1 + next.count, "\(text)")
        // The lines about earlier names do nothing once they were followed.
        let again = await generate(source, model: run.model)
        #expect(again.model == run.model && again.findings.isEmpty, "\(again.findings) \(text)")
        (known, model) = (next, run.model)
      }
    }
  }

}

/// An entity with structs that is edited.
private struct EditedEmbedding {
  private struct Member {
    var id: Int
    var name: String
    /// The struct, by its number; nil for a text.
    var inner: Int?
    var prefix: String?
    /// The value of the annotation `was`.
    var was: String?
    var stem: String { prefix ?? name + "_" }
  }

  /// The members of the structs, and last those of the entity; each has only structs of higher numbers.
  private var containers: [[Member]] = Array(repeating: [], count: 5)
  private var count = 0
  private var entity: Int { containers.count - 1 }

  init(_ random: inout SplitMix64) {
    for _ in 0..<12 { add(&random) }
    containers[entity].append(member(inner: 0))
  }

  private mutating func member(inner: Int? = nil) -> Member {
    count += 1
    return Member(id: count, name: "n\(count)", inner: inner)
  }

  private mutating func add(_ random: inout SplitMix64) {
    let container = random.below(containers.count)
    let inner = container == entity ? 0 : container + 1
    let isStruct = inner < entity && random.oneIn(3)
    let new = member(inner: isStruct ? inner + random.below(entity - inner) : nil)
    containers[container].append(new)
  }

  /// The properties of the entity: the ids of the members that lead to each, and its name.
  var leaves: [(key: [Int], name: String)] {
    func leaves(_ container: Int, _ key: [Int], _ prefix: String) -> [(key: [Int], name: String)] {
      containers[container].flatMap { member -> [(key: [Int], name: String)] in
        guard let inner = member.inner else { return [(key + [member.id], prefix + member.name)] }
        return leaves(inner, key + [member.id], prefix + member.stem)
      }
    }
    return leaves(entity, [], "")
  }

  private func names(in container: Int) -> [String] {
    containers[container].flatMap { member in
      member.inner.map { names(in: $0).map { member.stem + $0 } } ?? [member.name]
    }
  }

  /// Changes one thing; returns the old and the new key of a property that changes its place.
  mutating func edit(_ random: inout SplitMix64) -> (from: [Int], to: [Int])? {
    for container in containers.indices {
      for position in containers[container].indices { containers[container][position].was = nil }
    }
    let container = random.pick(containers.indices.filter { !containers[$0].isEmpty })
    let position = random.below(containers[container].count)
    let member = containers[container][position]
    switch random.below(6) {
    case 0: add(&random)
    case 1: containers[container].remove(at: position)
    case 2:
      // A name without the earlier one is a new member; a prefix would keep the names of those inside.
      containers[container][position].prefix = nil
      containers[container][position].id = self.member().id
      rename(container, position)
    case 3:
      rename(container, position)
      guard let inner = member.inner else {
        containers[container][position].was = "\"\(member.name)\""
        break
      }
      let stem = member.prefix.map { $0 + "x_" } ?? member.stem
      if member.prefix != nil || random.oneIn(2) { containers[container][position].prefix = stem }
      let options = names(in: inner).map { "\"\($0)\": \"\(member.stem)\($0)\"" }
      if !options.isEmpty {
        containers[container][position].was = "{\(options.joined(separator: ", "))}"
      }
    default: return move(random.oneIn(2), &random)
    }
    return nil
  }

  private mutating func rename(_ container: Int, _ position: Int) {
    count += 1
    containers[container][position].name = "n\(count)"
  }

  /// Moves a property into a struct of the entity, or out of one.
  private mutating func move(
    _ isInto: Bool, _ random: inout SplitMix64
  ) -> (from: [Int], to: [Int])? {
    let embedded = containers[entity].indices.filter { containers[entity][$0].inner != nil }
    guard !embedded.isEmpty else { return nil }
    let position = random.pick(embedded)
    let outer = containers[entity][position]
    guard let inner = outer.inner else { return nil }
    let source = isInto ? entity : inner
    let candidates = containers[source].indices.filter { containers[source][$0].inner == nil }
    guard !candidates.isEmpty else { return nil }
    let member = containers[source][random.pick(candidates)]
    containers[source].removeAll { $0.id == member.id }
    var moved = self.member()
    guard let there = containers[entity].firstIndex(where: { $0.id == outer.id }) else {
      return nil
    }
    if isInto {
      containers[entity][there].was = "{\"\(moved.name)\": \"\(member.name)\"}"
      containers[inner].append(moved)
      return ([member.id], [outer.id, moved.id])
    }
    moved.was = "\"\(outer.stem)\(member.name)\""
    containers[entity].append(moved)
    return ([outer.id, member.id], [moved.id])
  }

  var source: String {
    var text = ""
    for (number, members) in containers.enumerated() {
      text +=
        number == entity ? "class Item: Entity {\n  var id: Id = 0\n" : "struct S\(number) {\n"
      for member in members {
        let embedded = member.inner.map { _ in
          "embedded" + (member.prefix.map { " = \"\($0)\"" } ?? "")
        }
        let annotations = [embedded, member.was.map { "was = \($0)" }].compactMap(\.self)
        if !annotations.isEmpty {
          text += "  // objectbox: \(annotations.joined(separator: ", "))\n"
        }
        text +=
          member.inner.map { "  var \(member.name) = S\($0)()\n" }
          ?? "  var \(member.name) = \"\"\n"
      }
      text += number == entity ? "  init() {}\n}\n" : "}\n"
    }
    return text
  }
}
