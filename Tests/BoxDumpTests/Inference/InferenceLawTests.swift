import BoxDump
import BoxJSON
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The laws of inferred models, on generated data and on real data.
struct InferenceLawTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_INFERENCES", default: 500)

  @Test func importsLoseNothingAndInferTheSameModelAgain() throws {
    var random = TestSeed.next()
    for round in 0..<Self.rounds {
      var trip = try InferenceRoundTrip()
      var generator = ForeignJSON(SplitMix64(seed: random.next()))
      let objects = generator.objects()
      trip.options.nesting = random.pick(InferenceOptions.Nesting.allCases)
      // Every name that a model can have is the name of an entity.
      if random.below(3) == 0 { trip.options.entity = random.pick(HostileName.all) }
      let text = objects.text(random.below(4))
      try trip.fixture.directory.write(text, to: "input.json")
      do {
        let problems = try trip.problems(trip.fixture.path("input.json"), objects)
        if !problems.isEmpty {
          Issue.record(
            "round \(round), \(trip.options.entity ?? ""): \(problems.prefix(5)) of\n\(text.prefix(2000))"
          )
          return
        }
      } catch {
        Issue.record(
          "round \(round), \(trip.options.entity ?? ""): \(error) of\n\(text.prefix(2000))")
        return
      }
    }
  }

  private static let directory =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/../shared/data"

  @Test(
    .enabled(if: access("\(directory)/countries.json", R_OK) == 0, "../shared/data is not there"),
    arguments: ["movies-2010s", "countries", "admin2"],
    InferenceOptions.Nesting.allCases)
  func realDataComesBack(_ name: String, _ nesting: InferenceOptions.Nesting) throws {
    var trip = try InferenceRoundTrip()
    trip.options.nesting = nesting
    let path = "\(Self.directory)/\(name).json"
    guard case .array(let objects) = try InferenceRoundTrip.value(Self.bytes(path)) else {
      Issue.record("\(name) is not an array")
      return
    }
    let problems = try trip.problems(path, objects)
    #expect(problems.isEmpty, "\(problems.prefix(5))")
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    #expect(fread(&bytes, 1, bytes.count, file) == bytes.count)
    return bytes
  }
}
