import BoxModel

@testable import BoxRecovery

/// The part of a model that code of a language holds, in an order that does not depend on the code.
struct ComparableModel: Equatable {
  var model: Model

  /// - Parameters:
  ///   - source: The model.
  ///   - shape: The shape of the code, which may lack more than its language.
  init(_ source: Model, _ shape: CodeWriter.Shape) {
    var found = Model()
    found.entities = source.entities.sorted { $0.pair.id < $1.pair.id }
    found.lastEntityID = source.lastEntityID
    found.lastIndexID = source.lastIndexID ?? .unset
    found.lastRelationID = source.lastRelationID ?? .unset
    if shape.language == .dart {
      for kind in ElementKind.allCases { found[retired: kind] = source[retired: kind] ?? [] }
      // The code always has these; files of the generators for Go and C lack some.
      found.lastSequenceID = source.lastSequenceID ?? .unset
      found.modelVersion = source.modelVersion ?? 0
      found.modelVersionParserMinimum = source.modelVersionParserMinimum ?? 0
      found.version = source.version ?? 0
    }
    for e in found.entities.indices {
      found.entities[e].otherMembers = []
      found.entities[e].properties.sort { $0.pair.id < $1.pair.id }
      found.entities[e].relations = (found.entities[e].relations ?? [])
        .sorted { $0.pair.id < $1.pair.id }
      if shape == .go { found.entities[e].externalName = nil }
      for p in found.entities[e].properties.indices {
        found.entities[e].properties[p].otherMembers = []
        found.entities[e].properties[p].hnswParams = nil
        if shape == .go { found.entities[e].properties[p].externalType = nil }
        if shape == .go || shape.isMinified {
          found.entities[e].properties[p].externalName = nil
        }
        guard shape.language == .java else { continue }
        // The generator for Java keeps its own flags out of the file.
        let flags = found.entities[e].properties[p].flags
        found.entities[e].properties[p].flags = flags.subtracting([.nonPrimitiveType, .virtual])
      }
      for r in (found.entities[e].relations ?? []).indices {
        found.entities[e].relations?[r].otherMembers = []
        if shape == .go {
          found.entities[e].relations?[r].externalName = nil
          found.entities[e].relations?[r].externalType = nil
        }
        if shape == .c { found.entities[e].relations?[r].name = "" }
      }
    }
    model = found
  }
}
