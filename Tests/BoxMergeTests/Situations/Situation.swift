import BoxMerge
import BoxModel
import BoxReport
import TestSupport
import Testing

/// Three versions of a small model, and what a merge of them has to give, whichever of the sides is
/// called ours.
struct Situation {
  /// Sketches of the versions; nil where there is no base.
  var base: String?
  var ours: String
  var theirs: String
  /// Sketches of published models, in the order of the configuration.
  var published: [String] = []
  /// Refs that are configured as published and are not there.
  var missingRefs: [String] = []

  /// An entity with nothing but an id property, whose UID is one more.
  static func entity(_ name: String, _ id: Int, _ uid: Int) -> String {
    "\(name) \(id):\(uid)\n  id 1:\(uid + 1) long ID\n"
  }

  /// The entities that most versions have.
  static let note = entity("Note", 1, 1000) + "  text 2:1002 string\n"
  static let user = entity("User", 2, 2000) + "  name 2:2002 string\n"
  static let base = note + user

  /// The dialect of the versions: elements are in the order in which they are written.
  static let dialect = TestDialect.dart

  static func document(_ sketch: String) throws -> ModelDocument {
    try BoxMergeTests.document(ModelSketch(sketch).model, dialect)
  }

  func input() throws -> MergeInput {
    MergeInput(
      base: try base.map { try Self.document($0) }, ours: try Self.document(ours),
      theirs: try Self.document(theirs),
      published: Published(
        models: published.enumerated().map { number, sketch in
          PublishedModel(name: "release-\(number)", model: ModelSketch(sketch).model)
        },
        unresolved: missingRefs.map { UnresolvedReference(name: $0, help: "git fetch origin") }))
  }

  /// Both ways round, or as given only, the merge gives this model and makes these decisions, each a
  /// rule and a UID.
  func expect(
    _ merged: String, _ decisions: [String], bothWays: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let input = try input()
    let ways = [("as given", input)] + (bothWays ? [("swapped", input.swapped)] : [])
    for (way, input) in ways {
      let result = try input.merged()
      Self.expect(result.conflicts.map(Self.text), [], way, sourceLocation)
      Self.expect(result.bytes, merged, way, sourceLocation)
      Self.expect(result.decisions.map(Self.text).sorted(), decisions, way, sourceLocation)
    }
  }

  /// Both ways round, the merge leaves these conflicts, each a rule and its UIDs, and gives these
  /// models if all are resolved as a side has it.
  func expectConflicts(
    _ conflicts: [String], ours: String, theirs: String, bothWays: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let input = try input()
    var ways = [("as given", input, [(Resolution.ours, ours), (.theirs, theirs)])]
    if bothWays { ways.append(("swapped", input.swapped, [(.theirs, ours), (.ours, theirs)])) }
    for (way, input, sides) in ways {
      let result = try input.merged()
      Self.expect(result.conflicts.map(Self.text).sorted(), conflicts, way, sourceLocation)
      for (side, expected) in sides {
        guard let bytes = result.resolved[side] else {
          Issue.record("nothing is resolved as \(side), \(way)", sourceLocation: sourceLocation)
          continue
        }
        Self.expect(bytes, expected, "\(way), as \(side)", sourceLocation)
      }
    }
  }

  static func text(_ decision: Decision) -> String {
    decision.rule.id + (decision.element.map { " \($0.uid)" } ?? "")
  }

  static func text(_ conflict: Conflict) -> String {
    conflict.rule.id + " " + conflict.elements.map { "\($0.uid)" }.joined(separator: "+")
  }

  /// Compares files byte for byte, and shows the models where they differ.
  private static func expect(
    _ bytes: [UInt8], _ expected: String, _ way: String, _ sourceLocation: SourceLocation
  ) {
    let model = ModelSketch(expected).model
    if bytes == dialect.file(model) { return }
    // Retired lists keep the order of the side that is called ours.
    if way.hasPrefix("swapped"), let found = try? ModelDocument(parsing: bytes).model,
      sketch(found.withSortedLists) == sketch(model.withSortedLists)
    {
      return
    }
    let found = (try? ModelDocument(parsing: bytes)).map { sketch($0.model) }
    let text = found == sketch(model) ? String(decoding: bytes, as: UTF8.self) : found ?? "no model"
    Issue.record(
      "\(way): expected\n\(sketch(model))\nfound\n\(text)", sourceLocation: sourceLocation)
  }

  private static func expect(
    _ found: [String], _ expected: [String], _ way: String, _ sourceLocation: SourceLocation
  ) {
    #expect(found == expected, "\(way)", sourceLocation: sourceLocation)
  }
}
