import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Sequences of edits with the annotation `uid`, compared with a model of the documented rules: an element
/// is the one of its UID, else the one of its name; what has neither is new, and what is missing is
/// retired.
struct UIDAnnotationLawTests {
  private struct Member {
    var name: String
    var type: String
    var isIndexed = false
    /// nil until the first run with it.
    var uid: UID?
    /// The annotation in the source.
    var annotation: String?
  }

  private struct Declared {
    var name: String
    var uid: UID?
    var annotation: String?
    var members: [Member] = []
  }

  private struct World {
    var entities: [Declared] = []
    var model: [UInt8]?
    /// All UIDs that were ever in use, and those whose elements are no longer there.
    var seen: Set<UID> = []
    var retired: Set<UID> = []
    var nextName = 0

    mutating func name(_ prefix: String) -> String {
      nextName += 1
      return "\(prefix)\(nextName)"
    }
  }

  private static let types = ["Int", "String", "Double", "Bool?", "Date", "[UInt8]", "UInt32"]

  /// The sources, in one file or in one for each entity.
  private func files(_ world: World, _ random: inout SplitMix64) -> [SwiftFile] {
    var texts: [String: String] = [:]
    for entity in world.entities {
      var lines = entity.annotation.map { ["// objectbox: \($0)"] } ?? []
      lines += ["class \(entity.name): Entity {", "  var id: Id = 0"]
      for member in entity.members.sorted(by: { _, _ in random.oneIn(2) }) {
        if let annotation = member.annotation { lines.append("  // objectbox: \(annotation)") }
        if member.isIndexed { lines.append("  // objectbox: index") }
        lines.append("  var \(member.name): \(member.type) { didSet {} }")
      }
      lines += ["  required init() { fatalError() }", "}", ""]
      texts["F\(random.below(3)).swift", default: ""] += lines.joined(separator: "\n")
    }
    return texts.sorted { $0.key < $1.key }.map {
      SwiftFile(path: $0.key, bytes: Array($0.value.utf8))
    }
  }

  private func run(_ world: World, _ random: inout SplitMix64) async -> Generation {
    var request = GeneratorRequest(
      files: files(world, &random), target: "A", modelPath: "model-A.json", model: world.model,
      bindingsPath: "EntityInfo-A.generated.swift", bindings: nil)
    request.uids = .random
    request.allowsRemovals = true
    return await Generation(request)
  }

  /// Generates, and compares the model file with what the rules say.
  private func generate(
    _ world: inout World, _ random: inout SplitMix64, _ comment: String
  ) async throws {
    let run = await run(world, &random)
    try #require(run.findings.isEmpty, "\(comment): \(run.findings)")
    let model = try ModelDocument(parsing: try #require(run.model, "\(comment)")).model
    let found = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, $0) })
    try #require(Set(found.keys) == Set(world.entities.map(\.name)), "\(comment)")
    var live: Set<UID> = []
    for (e, entity) in world.entities.enumerated() {
      let stored = try #require(found[entity.name])
      world.entities[e].uid = try uid(entity.uid, stored.pair.uid, &world, comment)
      world.entities[e].annotation = annotation(entity.annotation, stored.pair.uid, &random)
      live.insert(stored.pair.uid)
      live.formUnion(stored.properties.filter { $0.name == "id" }.map(\.pair.uid))
      let members = Dictionary(uniqueKeysWithValues: stored.properties.map { ($0.name, $0) })
      try #require(Set(members.keys) == Set(entity.members.map(\.name) + ["id"]), "\(comment)")
      for (m, member) in entity.members.enumerated() {
        let property = try #require(members[member.name])
        let uid = try uid(member.uid, property.pair.uid, &world, comment)
        world.entities[e].members[m].uid = uid
        world.entities[e].members[m].annotation = annotation(member.annotation, uid, &random)
        try #require((property.indexID != nil) == member.isIndexed, "\(comment)")
        live.insert(uid)
        if let index = property.indexID { live.insert(index.uid) }
      }
    }
    let gone = world.seen.subtracting(live)
    let listed = Set(
      ElementKind.allCases.flatMap { model[retired: $0] ?? [] })
    try #require(listed == gone, "\(comment): retired \(listed), expected \(gone)")
    try #require(world.retired.isSubset(of: gone), "\(comment): a retired UID came back")
    world.retired = gone
    world.seen.formUnion(live)
    try #require(
      ModelDocument(parsing: run.model ?? []).check().allSatisfy { $0.severity != .error })
    world.model = run.model
    // Again, in other files and another order: the same bytes.
    try #require(await self.run(world, &random).model == world.model, "\(comment)")
  }

  private func uid(
    _ expected: UID?, _ found: UID, _ world: inout World, _ comment: String
  ) throws -> UID {
    if let expected {
      try #require(found == expected, "\(comment)")
    } else {
      try #require(!world.seen.contains(found), "\(comment): a UID that was in use")
    }
    return found
  }

  /// An annotation that was applied may stay, or be removed.
  private func annotation(_ old: String?, _ uid: UID, _ random: inout SplitMix64) -> String? {
    if random.oneIn(4) { return "uid = \(uid)" }
    return random.oneIn(2) ? old : nil
  }

  /// Asks for the UIDs of an element, twice, and returns that on offer.
  private func offered(
    _ world: inout World, _ label: String, current: UID, _ random: inout SplitMix64
  ) async throws -> UID {
    var offers: [UID] = []
    for _ in 0..<2 {
      let run = await run(world, &random)
      try #require(
        run.findings.count == 1 && run.hasErrors && run.bindings == nil, "\(run.findings)")
      let message = run.findings[0].message
      let start =
        "No UID given for \(label). You can do the following: [Rename] Apply the current UID using"
        + " // objectbox: uid = \(current) [Change/Reset] Apply a new UID using // objectbox: uid = "
      try #require(message.hasPrefix(start), "\(message)")
      let offer = try #require(UID(message.dropFirst(start.count)), "\(message)")
      let bytes = try #require(run.model)
      let model = try ModelDocument(parsing: bytes).model
      try #require(model.newUIDPool?.contains(offer) == true)
      // Nothing else has changed.
      var before = try ModelDocument(parsing: world.model ?? []).model
      before.newUIDPool = model.newUIDPool
      try #require(before == model)
      world.model = bytes
      offers.append(offer)
    }
    #expect(offers[0] == offers[1], "a second run offers the UID that waits")
    try #require(!world.seen.contains(offers[0]))
    return offers[0]
  }

  @Test(.promise(108, 110, 124, 132, 135, 139)) func editsWithUIDsFollowTheRules() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_UIDS", default: 120) {
      var world = World()
      world.entities = [Declared(name: world.name("E")), Declared(name: world.name("E"))]
      try await generate(&world, &random, "round \(round), the first run")
      for step in 0..<12 {
        let comment = "round \(round), step \(step)"
        let e = random.below(world.entities.count)
        let members = world.entities[e].members.count
        switch random.below(9) {
        case 0: world.entities.append(Declared(name: world.name("E")))
        case 1 where world.entities.count > 1: world.entities.remove(at: e)
        case 2 where members > 0: world.entities[e].members.remove(at: random.below(members))
        case 3 where members > 0:
          try await rename(&world, e, random.below(members), &random)
        case 4 where members > 0: try await reset(&world, e, random.below(members), &random)
        case 5: try await changeEntity(&world, e, &random)
        case 6 where members > 1: swapNames(&world, e, &random)
        case 7 where members > 0:
          world.entities[e].members[random.below(members)].isIndexed.toggle()
        default:
          let type = random.pick(Self.types)
          world.entities[e].members.append(
            Member(name: world.name("p"), type: type, isIndexed: type == "Int" && random.oneIn(3)))
        }
        // Vectors and floating-point numbers have no index.
        for e in world.entities.indices {
          for m in world.entities[e].members.indices
          where !["Int", "String", "Date", "UInt32"].contains(world.entities[e].members[m].type) {
            world.entities[e].members[m].isIndexed = false
          }
        }
        try await generate(&world, &random, comment)
      }
    }
  }

  private func rename(
    _ world: inout World, _ e: Int, _ m: Int, _ random: inout SplitMix64
  ) async throws {
    let member = world.entities[e].members[m]
    let uid = try #require(member.uid)
    if random.oneIn(2) {
      world.entities[e].members[m].annotation = "uid"
      _ = try await offered(
        &world, "property \(member.name) of entity \(world.entities[e].name)", current: uid, &random
      )
    }
    world.entities[e].members[m].annotation = "uid = \(uid)"
    world.entities[e].members[m].name = world.name("p")
  }

  private func reset(
    _ world: inout World, _ e: Int, _ m: Int, _ random: inout SplitMix64
  ) async throws {
    let member = world.entities[e].members[m]
    world.entities[e].members[m].annotation = "uid"
    let offer = try await offered(
      &world, "property \(member.name) of entity \(world.entities[e].name)",
      current: try #require(member.uid), &random)
    world.entities[e].members[m].annotation = "uid = \(offer)"
    world.entities[e].members[m].uid = nil
    if random.oneIn(2) { world.entities[e].members[m].type = random.pick(Self.types) }
    if random.oneIn(3) { world.entities[e].members[m].name = world.name("p") }
  }

  /// Renames an entity, or resets it with all of its properties.
  private func changeEntity(_ world: inout World, _ e: Int, _ random: inout SplitMix64) async throws
  {
    let uid = try #require(world.entities[e].uid)
    world.entities[e].annotation = "uid"
    let offer = try await offered(&world, "entity \(world.entities[e].name)", current: uid, &random)
    if random.oneIn(2) {
      world.entities[e].annotation = "uid = \(uid)"
      world.entities[e].name = world.name("E")
    } else {
      world.entities[e].annotation = "uid = \(offer)"
      world.entities[e].uid = nil
      for m in world.entities[e].members.indices {
        world.entities[e].members[m].uid = nil
        world.entities[e].members[m].annotation = nil
      }
    }
  }

  /// Two properties of one type exchange their names, each with its UID.
  private func swapNames(_ world: inout World, _ e: Int, _ random: inout SplitMix64) {
    let first = random.below(world.entities[e].members.count)
    let second = random.below(world.entities[e].members.count)
    guard first != second else { return }
    for m in [first, second] {
      world.entities[e].members[m].annotation = world.entities[e].members[m].uid.map {
        "uid = \($0)"
      }
    }
    let name = world.entities[e].members[first].name
    world.entities[e].members[first].name = world.entities[e].members[second].name
    world.entities[e].members[second].name = name
  }
}
