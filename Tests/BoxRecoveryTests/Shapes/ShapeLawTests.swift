import BoxModel
import BoxReport
import TestSupport
import Testing

@testable import BoxRecovery

/// A model that is written as code is read back with everything that the language has.
struct ShapeLawTests {
  private static let count = RecoverySoak.count(normal: 300)

  private func read(_ model: Model, _ shape: CodeWriter.Shape) throws -> Evidence {
    let files = CodeWriter.files(model, shape)
    #expect(files.allSatisfy { CodeScan.isGenerated($0) })
    let found = CodeScan.evidence(in: files)
    try #require(
      found.count == 1, "\(shape) \(model.entities.map { "\($0.name) \($0.properties.count)" })")
    return found[0]
  }

  @Test(arguments: CodeWriter.Shape.allCases)
  func generatedModelsComeBack(_ shape: CodeWriter.Shape) throws {
    let seed = TestSeed.value("generatedModelsComeBack \(shape)")
    for number in 0..<Self.count {
      var generator = ModelGenerator(seed: seed &+ UInt64(number))
      let model = generator.model()
      let found = try read(model, shape)
      #expect(found.problems.isEmpty, "\(number): \(found.problems)")
      #expect(found.isComplete, "\(number)")
      #expect(
        ComparableModel(found.model, shape) == ComparableModel(model, shape), "\(shape) \(number)")
    }
  }

  @Test(
    .enabled(if: Corpus.isAvailable, "../shared/corpus is not there"),
    arguments: CodeWriter.Shape.allCases)
  func realModelsComeBack(_ shape: CodeWriter.Shape) throws {
    var count = 0
    for file in try #require(Corpus.shared).snapshots {
      guard let document = file.document, document.isComplete, document.model.modelVersion == 5,
        !document.model.entities.isEmpty,
        !document.check().contains(where: { $0.severity > .note }),
        document.model.entities.allSatisfy({ entity in
          entity.properties.allSatisfy { $0.type != nil && $0.type?.traits != nil }
        })
      else { continue }
      // Without any name, a model is recognized by the size of its UIDs, which are random; these are not.
      if shape.isMinified, (document.model.lastEntityID?.uid ?? 0) <= UInt64(UInt32.max) {
        continue
      }
      var model = document.model
      // The flag of an older generator, which is not in the files of current ones.
      for e in model.entities.indices {
        for p in model.entities[e].properties.indices
        where shape.language == .java && model.entities[e].properties[p].type == .relation {
          model.entities[e].properties[p].flags.remove(.notNull)
        }
        for p in model.entities[e].properties.indices
        where shape.language == .java && model.entities[e].properties[p].flags.contains(.id) {
          model.entities[e].properties[p].flags.remove(.notNull)
        }
      }
      let found = try read(model, shape)
      #expect(found.problems.isEmpty, "\(file): \(found.problems)")
      #expect(ComparableModel(found.model, shape) == ComparableModel(model, shape), "\(file)")
      count += 1
    }
    #expect(count > 50)
  }

  /// A file in the layout of the current generators for Java and Dart is made again, byte for byte.
  @Test func aDartFileIsRebuiltByteForByte() throws {
    let file = Corpus.fixture("models/java.json")
    let document = try #require(file.document)
    let found = try read(document.model, .dart)
    var join = ModelJoin(base: nil, name: "")
    join.add([found])
    join.complete(as: .dart)
    #expect(try join.newFile(as: .dart).bytes == file.bytes)
  }
}
