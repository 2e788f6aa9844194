import BoxModel
import Testing

@testable import BoxMigration

/// The parts that a drawing of two models marks as changed.
struct SchemaDiagramTests {
  /// `created` of `Note` has an index, and `title` has none.
  @Test(
    arguments: [
      // The index has another id.
      ("created", IDPair(id: 4, uid: 2103)),
      // Another index takes its place.
      ("created", IDPair(id: 4, uid: 2199)),
      // It is gone.
      ("created", nil),
      // There is one where none was.
      ("title", IDPair(id: 4, uid: 2199)),
    ] as [(String, IDPair?)])
  func aChangedIndexMarksItsProperty(_ name: String, _ index: IDPair?) throws {
    let old = PlanModels.base()
    var new = old
    let position = try #require(new.entities[1].properties.firstIndex { $0.name == name })
    new.entities[1].properties[position].indexID = index
    let diagram = SchemaDiagram(from: old, to: new)
    for node in diagram.nodes {
      for attribute in node.attributes {
        let isChanged = node.name == "Note" && attribute.name == name
        #expect(
          attribute.state == (isChanged ? .changed : .same), "\(node.name).\(attribute.name)")
      }
      #expect(node.state == (node.name == "Note" ? .changed : .same), "\(node.name)")
    }
  }

  @Test func nothingIsMarkedWhereNothingChanged() {
    let diagram = SchemaDiagram(from: PlanModels.base(), to: PlanModels.base())
    #expect(diagram.nodes.allSatisfy { $0.state == .same })
    #expect(diagram.nodes.flatMap(\.attributes).allSatisfy { $0.state == .same })
  }
}
