import BoxModel
import TestSupport
import Testing

/// The law of merged sources: an element that was published keeps its UID for as long as it is in the sources, or a
/// command stops before its data is lost.
///
/// `BOXJOINT_SOAK_TEAMS` says how many teams.
@Suite(
  .enabled(
    if: Tool.path != nil && builtProgram("boxjoint-generate") != nil,
    "a program is not built: swift build"))
struct KeptUIDTests {
  @Test(arguments: TeamRepository.Generator.allCases)
  func aPublishedElementKeepsItsUID(_ generator: TeamRepository.Generator) async throws {
    let count = TestSeed.count("BOXJOINT_SOAK_TEAMS", default: 4)
    let seed = TestSeed.value()
    let tool = try #require(Tool.path)
    var (merges, stops) = (0, 0)
    for index in 0..<count {
      let one = index == 0 ? seed : seed &+ UInt64(index)
      let team = try await TeamRepository(generator, tool: tool, SplitMix64(seed: one))
      do {
        merges += try await live(team, one)
      } catch {
        Issue.record(
          "BOXJOINT_SEED=0x\(String(one, radix: 16)): \(error)\n\(team.log.suffix(40).joined(separator: "\n"))"
        )
      }
      stops += team.stops + team.fixes
    }
    print("\(count) teams: \(merges) merges, \(stops) stops")
    #expect(merges > count)
    if count >= 8 { #expect(stops > 0) }
  }

  /// Lets a team work for some time.
  ///
  /// - Returns: The number of merges.
  private func live(_ team: TeamRepository, _ seed: UInt64) async throws -> Int {
    var random = SplitMix64(seed: seed ^ 0x5EED)
    var number = 1
    var merges = 0
    for _ in 0..<6 {
      try await team.edit(number)
      number += 1
    }
    try await team.build("base")
    try await team.publish()
    var published = try team.uids()
    for branch in ["f", "g"] { try await team.git("branch", branch) }
    for _ in 0..<18 {
      let branch = random.pick(["f", "g", "main"])
      try await team.git("switch", "-q", branch)
      if random.oneIn(3) {
        // A merge may be pushed, and followed by others, before somebody builds.
        let builds = !random.oneIn(3)
        if branch != "main", random.oneIn(4) {
          try await team.rebase("main", builds: builds)
        } else {
          try await team.merge(branch == "main" ? random.pick(["f", "g"]) : "main", builds: builds)
        }
        merges += 1
      } else if random.oneIn(6) {
        try await team.note(number)
        number += 1
      } else {
        for _ in 0...random.below(3) {
          try await team.edit(number)
          number += 1
        }
        try await team.build("edit \(number)")
      }
      if branch == "main" {
        let now = try team.uids()
        for (name, uid) in published where now[name] != nil && now[name] != uid {
          let owner = name.split(separator: ".").first.map(String.init) ?? name
          if team.resets.contains(name) || team.resets.contains(owner) { continue }
          throw TestFailure("\(name) had the UID \(uid), and has \(now[name] ?? "")")
        }
        // What the sources keep is what it was, until a build says otherwise.
        let kept = try team.sources.entities.elementNames
        published = published.filter { kept.contains($0.key) }.merging(now) { $1 }
        try await team.publish()
      }
    }
    return merges
  }
}

/// The UIDs of a model file by names.
struct ModelText {
  private(set) var entities: [String: (uid: String, properties: [String: String])] = [:]

  init(_ bytes: [UInt8]) throws {
    for entity in try ModelDocument(parsing: bytes).model.entities {
      entities[entity.name] = (
        String(entity.pair.uid),
        Dictionary(entity.properties.map { ($0.name, String($0.pair.uid)) }) { first, _ in first }
      )
    }
  }
}
