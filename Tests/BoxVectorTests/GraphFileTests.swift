import BoxEngine
import BoxModel
import TestSupport
import Testing

@testable import BoxVector

/// Files of graphs that are damaged, or made by somebody.
struct GraphFileTests {
  private static let parameters = GraphParameters(
    dimensions: 3, distance: .euclidean, neighbors: 6, indexingSearchCount: 20)

  private static func sample(_ random: SplitMix64) -> (bytes: [UInt8], vectors: [UInt64: [Float]]) {
    var samples = VectorSamples(random: random, dimensions: 3)
    let graph = VectorGraph(parameters)
    var vectors: [UInt64: [Float]] = [:]
    for id in 1...80 {
      let vector = samples.vector(.euclidean)
      vectors[UInt64(id)] = vector
      graph.insert(UInt64(id), vector.span)
    }
    let header = GraphFileHeader(property: 5, number: 3, parameters: parameters)
    return (graph.encoded(header), vectors)
  }

  @Test func aChangedByteIsFound() {
    var random = TestSeed.next()
    let (bytes, _) = Self.sample(random)
    #expect(GraphImage(bytes, of: 5, Self.parameters) != nil)
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_GRAPH_BYTES", default: 1_000) {
      var changed = bytes
      changed[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
      #expect(GraphImage(changed, of: 5, Self.parameters) == nil)
    }
    for count in [0, 1, 12, 15, 16, 40, 63, 64, bytes.count - 1] {
      #expect(GraphImage(Array(bytes.prefix(count)), of: 5, Self.parameters) == nil)
    }
  }

  /// The checksum is right, and numbers are wrong: the file is refused, or it is a graph.
  @Test func noNumberLeadsOutOfTheGraph() {
    var random = TestSeed.next()
    let (bytes, vectors) = Self.sample(random)
    var read = 0
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_GRAPH_NUMBERS", default: 300) {
      var changed = bytes
      for _ in 0...random.below(3) {
        let place = 64 + 4 * random.below((bytes.count - 64) / 4)
        let number = random.pick([0, 1, 5, 79, 80, 1 << 16, .max] as [UInt32])
        for index in 0..<4 {
          changed[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
      }
      Self.correctChecksum(&changed)
      guard let image = GraphImage(changed, of: 5, Self.parameters) else { continue }
      read += 1
      var restoration = GraphRestoration(image)
      for (id, vector) in vectors.sorted(by: { $0.key < $1.key }) {
        restoration.adopt(id, vector.span)
      }
      let graph = restoration.finish()
      graph.linkWaiting(.max)
      #expect(Set(graph.allIDs) == Set(vectors.keys))
      let found = graph.search(([1, 1, 1] as [Float]).span, searchCount: 20) ?? []
      #expect(found.allSatisfy { vectors[$0.id] != nil })
    }
    #expect(read > 0)
  }

  @Test func graphsOfOtherParametersAreRefused() {
    let (bytes, _) = Self.sample(TestSeed.next())
    #expect(GraphImage(bytes, of: 6, Self.parameters) == nil)
    var others = Array(repeating: Self.parameters, count: 4)
    others[0].dimensions = 4
    others[1].distance = .cosine
    others[2].neighbors = 7
    others[3].indexingSearchCount = 21
    for other in others { #expect(GraphImage(bytes, of: 5, other) == nil) }
  }

  private static func correctChecksum(_ bytes: inout [UInt8]) {
    let sum = Array(bytes[16...]).withUnsafeBytes { Checksum.crc32c($0) }
    for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
  }
}
