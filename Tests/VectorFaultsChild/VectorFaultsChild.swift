import BoxEngine
import BoxModel
import BoxStorage
import BoxVector

/// A process that opens a store with graphs, changes it and closes it, again and again, until it is killed.
///
/// It writes a line after each change of its state, so that a test knows how far it came.
@main
struct VectorFaultsChild {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seed = UInt64(arguments[3]) else {
      print("usage: VectorFaultsChild STORE MODEL SEED")
      return
    }
    var random = seed
    while true { try round(arguments[1], arguments[2], &random) }
  }

  private static func number(_ random: inout UInt64, below limit: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % limit
  }

  private static func round(_ path: String, _ model: String, _ random: inout UInt64) throws {
    let document = try ModelDocument(parsing: Array(model.utf8))
    let store = try ObjectStore.open(.directory(path), model: document)
    var limits = GraphLimits()
    (limits.minimumObjects, limits.savedPart) = (50, 1 << 20)
    let graphs = VectorGraphs.attach(to: store, limits)
    let places = try store.entity(named: "Place")
    for _ in 0..<3 {
      try store.write { transaction in
        for _ in 0..<20 {
          var place = DynamicObject(places)
          place["id"] = .unsigned(1 + number(&random, below: 300))
          place["point"] = .floats((0..<8).map { _ in Float(number(&random, below: 1_000)) / 500 })
          try transaction.put(place)
        }
      }
      graphs?.waitUntilCurrent()
      print("saved")
    }
    graphs?.close()
    store.close()
  }
}
