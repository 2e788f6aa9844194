import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// However many processors read the files, and whoever has read them before, the result is the same.
struct ParallelGenerationTests {
  private func generation(
    _ files: [SwiftFile], parts: Int, _ declarations: [String: SourceDeclarations] = [:]
  ) async -> Generation {
    var request = GeneratorRequest(
      files: files, target: "App", modelPath: "model-App.json", model: nil,
      bindingsPath: "EntityInfo.generated.swift", bindings: nil)
    request.uids = .sequential
    request.parts = parts
    request.declarations = declarations
    return await Generation(request)
  }

  /// Files with mistakes of every kind that a file alone can have, each with several entities.
  private static let mistakes = [
    "class A { // objectbox: entity\n", "class M1: Entity { var id: Id = 0; var x: Strin = 1 }\n",
    "// objectbox: entitty\nclass M2: Entity { var x = 0 }\nclass M3: Entity { init(a: Int) {} }\n",
    "<<<<<<< ours\nclass M4: Entity { var id: Id = 0 }\n>>>>>>> theirs\n",
    "class M5: Entity { var id: Id = 0; var a: ToOne<Nobody> = nil; var b: ToMany<Nobody> = nil }\n",
  ]

  @Test func anyNumberOfPartsAndEarlierReadingGiveTheSame() async {
    var random = TestSeed.next()
    var withFindings = 0
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_PARTS", default: 60) {
      let schema = RandomSchema(&random)
      var files = schema.sources(&random).map {
        SwiftFile(path: $0.key, bytes: Array($0.value.utf8))
      }
      if random.oneIn(2) {
        for _ in 0...random.below(4) {
          let text = random.pick(Self.mistakes)
          files.append(SwiftFile(path: "M\(files.count).swift", bytes: Array(text.utf8)))
        }
      }
      let one = await generation(files, parts: 1)
      if !one.findings.isEmpty { withFindings += 1 }
      for parts in [2, 3, 1 + random.below(16)] {
        let reading = await SourceFingerprint.reading(files, prefix: "objectbox", parts: parts)
        // A run of the generator has read the files for the fingerprint.
        let known = random.oneIn(2) ? reading.declarations : [:]
        let other = await generation(random.shuffled(files), parts: parts, known)
        let comment = "round \(round), \(parts) parts"
        #expect(other.findings == one.findings, "\(comment)")
        #expect(other.model == one.model && other.bindings == one.bindings, "\(comment)")
        #expect(other.catalogue == one.catalogue && other.lock == one.lock, "\(comment)")
        let fingerprint = await SourceFingerprint.of(files, prefix: "objectbox", parts: 1)
        #expect(reading.fingerprint == fingerprint, "\(comment)")
      }
    }
    #expect(withFindings > 0)
  }
}
