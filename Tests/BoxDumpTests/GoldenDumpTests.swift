import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The dumps of every format that was released, as tests read and write them for ever.
@Suite struct GoldenDumpTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  private static let golden = root + "/Tests/Fixtures/dumps/format-1"

  private static func options(_ shape: DumpShape) -> ExportOptions {
    var options = ExportOptions()
    options.shape = shape
    if shape == .document {
      options.integers = .string
      options.dates = .iso
    }
    return options
  }

  /// Makes the golden dumps; run once, when the format was made, and never again.
  @Test(.enabled(if: getenv("BOXJOINT_MAKE_GOLDEN") != nil)) func makesTheGoldenDumps() throws {
    for seed in 1...100 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let store = try DumpModel.store(&random, objects: 30)
      let things = try store.entity(named: "Thing")
      // Enough to show every type, and not much more.
      if try store.read({ try $0.count(things) }) < 15 { continue }
      for shape in DumpShape.allCases { try Self.write(store, shape) }
      return
    }
  }

  private static func write(_ store: ObjectStore, _ shape: DumpShape) throws {
    let output = MemoryOutput()
    try DumpExporter(store, options(shape)).export(to: output)
    let directory = try TemporaryDirectory()
    for file in output.files {
      try directory.write(output.bytes(file.name), to: path(shape, file.name))
    }
  }

  private static func path(_ shape: DumpShape, _ file: String = "") -> String {
    golden + "/" + shape.rawValue + (file.isEmpty ? "" : "/" + file)
  }

  @Test(arguments: DumpShape.allCases) func isWhole(_ shape: DumpShape) throws {
    let report = try DumpVerifier.verify(Self.path(shape), isDirectory: shape == .directory)
    #expect(report.problems.isEmpty)
    #expect(report.totals.objects > 10)
  }

  /// An imported dump of any shape is exported in every shape as it was then.
  @Test(arguments: DumpShape.allCases) func comesBack(_ shape: DumpShape) throws {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.storesCheckpoints = true
    let store = try ObjectStore.open(
      .directory(directory.path(of: "store")), model: DumpModel.document(), options: options)
    let input = try DumpInput(path: Self.path(shape), maximumElement: 1 << 20)
    _ = try Importer(input, into: store, options: ImportOptions()).run(rejects: nil)
    for shape in DumpShape.allCases {
      let output = MemoryOutput()
      try DumpExporter(store, Self.options(shape)).export(to: output)
      for file in output.files {
        #expect(
          try Self.comparable(directory.text(of: Self.path(shape, file.name)))
            == Self.comparable(String(decoding: output.bytes(file.name), as: UTF8.self)),
          "\(shape) \(file.name)")
      }
    }
  }

  /// The text of a dump without what has changed since: checks of the header and the totals came, and a relation
  /// to nothing, which was an id of 0, is null, with other sizes and checksums.
  private static func comparable(_ text: String) -> String {
    text.replacing(/,\n?"check":"[0-9a-f]{8}"/, with: "")
      .replacing(/"box":"?0"?,/, with: "\"box\":null,")
      .replacing(/"crc32c":"[0-9a-f]{8}"|"(size|bytes)":[0-9]+/, with: "")
  }
}
