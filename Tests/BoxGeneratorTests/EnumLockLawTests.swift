import BoxConvert
import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Random changes of a stored enum, compared with a record of what each raw value has ever meant.
struct EnumLockLawTests {
  /// The meanings of raw values: of the cases in use, of removed ones, and of earlier names.
  private struct Record {
    var live: [String: Int] = [:]
    var dead: [String: Int] = [:]
    var earlier: [String: Int] = [:]

    /// Whether each stored value would be read as what it was when it was written.
    func allows(_ cases: [String: Int]) -> Bool {
      for (name, raw) in cases {
        for known in [live, dead, earlier] where known[name] ?? raw != raw { return false }
        if let (owner, _) = dead.first(where: { $0.value == raw }), owner != name { return false }
      }
      return true
    }

    mutating func accept(_ cases: [String: Int]) {
      let owners = Set(cases.values)
      for (name, raw) in live where cases[name] == nil {
        if owners.contains(raw) { earlier[name] = raw } else { dead[name] = raw }
      }
      // An earlier name ends with its case, and when a case has the name again.
      earlier = earlier.filter { owners.contains($0.value) && cases[$0.key] == nil }
      dead = dead.filter { cases[$0.key] == nil }
      live = cases
    }
  }

  private func source(
    _ cases: [String: Int], isText: Bool = false, type: String = "Kind", annotation: String = "",
    property: String = "kind"
  ) -> String {
    let lines = cases.sorted { $0.value < $1.value }.map {
      "  case \($0.key) = \(isText ? "\"r\($0.value)\"" : "\($0.value)")"
    }
    return """
      enum Kind: \(isText ? "String" : "Int") {
      \(lines.joined(separator: "\n"))
      }
      final class Note: Entity {
        var id: Id = 0
        // objectbox: \(annotation)convert = { "default": ".x" }
        var \(property): \(type) = \(type == "Kind" ? ".x" : "[]")
        required init() {}
      }
      """
  }

  private func run(
    _ source: String, _ last: Generation?, allowsRenumbering: Bool = false
  ) async -> Generation {
    var request = GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: "A",
      modelPath: "model-A.json", model: last?.model, bindingsPath: "EntityInfo-A.generated.swift",
      bindings: nil)
    request.catalogue = last?.catalogue.map { Array($0.utf8) }
    request.lock = last?.lock.map { Array($0.utf8) }
    request.allowsRenumbering = allowsRenumbering
    return await Generation(request)
  }

  /// The locked cases of a kind, by name.
  private func locked(_ run: Generation, isText: Bool) throws -> Record {
    let lock = try ConverterLock(parsing: Array(try #require(run.lock).utf8))
    let property = try #require(lock.properties.first)
    guard lock.properties.count == 1, let cases = property.cases else {
      throw TestFailure("\(lock.text)")
    }
    func table(_ cases: [EnumerationCase]) -> [String: Int] {
      Dictionary(
        uniqueKeysWithValues: cases.map { item in
          switch item.raw {
          case .integer(let raw): (item.name, Int(raw))
          case .text(let text): (item.name, Int(text.dropFirst()) ?? -1)
          }
        })
    }
    return Record(
      live: table(cases.cases), dead: table(cases.retired), earlier: table(cases.aliases))
  }

  private func change(_ cases: [String: Int], _ random: inout SplitMix64) -> [String: Int] {
    var cases = cases
    let name = "c\(random.below(7))"
    let raw = random.below(9)
    switch random.below(4) {
    case 0: cases[name] = nil
    case 1:
      // Another name for a raw value.
      if let old = cases.first(where: { $0.value == raw })?.key, cases[name] == nil {
        cases[old] = nil
        cases[name] = raw
      }
    default: if !cases.values.contains(raw) { cases[name] = raw }
    }
    if cases.isEmpty { cases[name] = raw }
    return cases
  }

  @Test func noRawValueGetsAnotherMeaning() async throws {
    var random = TestSeed.next()
    var (accepted, refused, renamed) = (0, 0, 0)
    let rounds = TestSeed.count("BOXJOINT_SOAK_ENUMS", default: 60)
    for round in 0..<rounds {
      let isText = random.oneIn(3)
      let type = ["Kind", "[Kind]", "Set<Kind>", "[Preserved<Kind>]"][random.below(4)]
      var record = Record()
      var last: Generation?
      for step in 0..<15 {
        let comment = "round \(round), step \(step)"
        let cases = change(record.live, &random)
        let source = source(cases, isText: isText, type: type)
        var run = await run(source, last)
        let errors = run.findings.filter { $0.severity == .error }
        try #require(errors.isEmpty == record.allows(cases), "\(comment): \(run.findings)")
        if record.allows(cases) {
          let before = record.earlier
          record.accept(cases)
          let new = Set(record.earlier.keys).subtracting(before.keys)
          let warned = run.findings.filter { $0.rule.id == "BOX823" }
          try #require(warned.count == new.count, "\(comment): \(run.findings)")
          (accepted, renamed) = (accepted + 1, renamed + new.count)
        } else {
          refused += 1
          let places = errors.compactMap { $0.region?.line }
          try #require(errors.allSatisfy { $0.rule.id.hasPrefix("BOX82") && $0.path == "A.swift" })
          try #require(places.allSatisfy { 2...10 ~= $0 || $0 == cases.count + 6 }, "\(places)")
          try #require(run.model == nil && run.lock == nil && run.catalogue == nil, "\(comment)")
          if random.oneIn(2) { continue }
          run = await self.run(source, last, allowsRenumbering: true)
          try #require(run.findings.allSatisfy { $0.severity != .error }, "\(comment)")
          record = try locked(run, isText: isText)
          try #require(record.live == cases, "\(comment)")
        }
        let found = try locked(run, isText: isText)
        try #require(found.live == record.live, "\(comment)")
        try #require(found.dead == record.dead, "\(comment)")
        try #require(found.earlier == record.earlier, "\(comment)")
        // Without a change, no finding and the same bytes.
        let again = await self.run(source, run)
        try #require(again.lock == run.lock && again.catalogue == run.catalogue, "\(comment)")
        try #require(again.findings.allSatisfy { $0.rule.id == "BOX968" }, "\(comment)")
        last = run
      }
    }
    let counts = "accepted: \(accepted), refused: \(refused), renamed: \(renamed)"
    #expect(accepted > rounds && refused > rounds && renamed * 10 > rounds, "\(counts)")
    print(counts)
  }

  @Test func aPropertyIsTheOneOfItsUID() async throws {
    let first = await run(source(["x": 1, "y": 2]), nil)
    let model = try ModelDocument(parsing: try #require(first.model)).model
    let uid = try #require(model.entities.first?.properties.last?.pair.uid)
    let swapped = ["x": 2, "y": 1]
    // Another property, whose values nobody has stored.
    let other = await run(source(swapped, property: "genre"), first)
    #expect(other.findings.isEmpty && other.lock != nil, "\(other.findings)")
    let renamed = await run(source(swapped, annotation: "uid = \(uid), ", property: "genre"), first)
    #expect(renamed.findings.map(\.rule.id) == ["BOX822", "BOX822"], "\(renamed.findings)")
    #expect(renamed.findings.compactMap { $0.region?.line }.sorted() == [2, 3])
  }

  @Test func aLockThatCannotBeReadStopsTheRun() async {
    var last = await run(source(["x": 1]), nil)
    #expect(last.lock != nil)
    for text in ["{", "<<<<<<< ours\n", "[]", #"{"schemaVersion": 2, "properties": {}}"#] {
      var request = GeneratorRequest(
        files: [], target: "A", modelPath: "model-A.json", model: last.model,
        bindingsPath: "E.swift", bindings: nil)
      request.lock = Array(text.utf8)
      request.lockPath = "c.lock"
      request.allowsRemovals = true
      let found = await Generation(request)
      #expect(found.findings.map(\.rule.id) == ["BOX971"] && found.findings[0].path == "c.lock")
      #expect(found.model == nil && found.bindings == nil)
    }
    // The last enum is gone: catalogue and lock say so.
    last = await run("final class Note: Entity { var id: Id = 0; required init() {} }", last)
    #expect(last.catalogue?.hasSuffix("\nproperties: {}\n") == true, "\(last.findings)")
    #expect(last.lock?.contains("kind") == false)
  }
}
