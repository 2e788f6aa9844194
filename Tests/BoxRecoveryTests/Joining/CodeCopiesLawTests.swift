import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// Copies of code of different age beside a file of any age: the newest of them all counts.
struct CodeCopiesLawTests {
  /// The elements in use, with everything that is known of them.
  private func elements(_ model: Model) -> [ElementKey: String] {
    var result: [ElementKey: String] = [:]
    for entity in model.entities {
      result[ElementKey(.entity, entity.pair.uid)] =
        "\(entity.pair) \(entity.name) \(entity.lastPropertyID ?? .unset)"
      for property in entity.properties {
        result[ElementKey(.property, property.pair.uid)] =
          "\(entity.pair) \(property.pair) \(property.name) \(property.flags) "
          + "\(property.indexID ?? .unset) \(property.relationTarget ?? "")"
      }
      for relation in entity.relations ?? [] {
        result[ElementKey(.relation, relation.pair.uid)] =
          "\(entity.pair) \(relation.pair) \(relation.name) \(relation.target)"
      }
    }
    return result
  }

  private func code(_ model: Model, _ directory: String) throws -> Evidence {
    let files = CodeWriter.files(model, .java).map {
      CodeScan.File(path: "\(directory)/\($0.path)", bytes: $0.bytes)
    }
    let found = CodeScan.evidence(in: files)
    try #require(found.count == 1 && found[0].isComplete, "\(found.map(\.problems))")
    return found[0]
  }

  @Test func theNewestOfAllCounts() throws {
    let seed = TestSeed.value("theNewestOfAllCounts")
    for number in 0..<RecoverySoak.count(normal: 150) {
      var generator = ModelGenerator(seed: seed &+ UInt64(number))
      let versions = generator.history(length: 5)
      let ages = (0..<3).map { _ in generator.random.below(5) }
      let copies = try ages.dropFirst().enumerated().map { try code(versions[$1], "\($0)") }
      let sorted = copies.sorted { $0.precedes($1) }
      let newestCode = versions[ages.dropFirst().max() ?? 0]
      #expect(elements(sorted[0].model) == elements(newestCode), "\(number) \(ages)")

      var join = ModelJoin(base: versions[ages[0]], name: "model.json")
      join.add(sorted, stating: [])
      let newest = versions[ages.max() ?? 0]
      #expect(join.conflicts == [], "\(number) \(ages)")
      #expect(elements(join.model) == elements(newest), "\(number) \(ages)")
      for counter in [Counter.entity, .index, .relation] {
        #expect(join.model[last: counter] == newest[last: counter], "\(number) \(ages)")
      }
      for kind in ElementKind.allCases {
        // Ids that came and went between the file and the code have no known UID.
        let (found, known) = (
          Set(join.model[retired: kind] ?? []), Set(newest[retired: kind] ?? [])
        )
        #expect(found.isSubset(of: known), "\(number) \(ages)")
        #expect(found.isSuperset(of: versions[ages[0]][retired: kind] ?? []), "\(number) \(ages)")
      }

      let requirement = AgreementRequirement(evidence: copies)
      #expect(requirement.differences(of: newestCode) != nil, "\(number) \(ages)")
      for version in versions where sorted[0].shares(Set(version.entities.map(\.pair.uid))) {
        let lacks = Set(elements(newestCode).keys).subtracting(elements(version).keys)
        #expect(lacks.isEmpty || requirement.differences(of: version) == nil, "\(number) \(ages)")
      }
    }
  }
}
