/// The numbers by which a graph is built, searched and saved.
///
/// Neither the vectors that exist nor their distances depend on them.
package struct GraphLimits: Sendable {
  /// The number of objects from which on a graph is built: fewer are compared in less time.
  package var minimumObjects = 2_000
  /// The maximum number of changed objects that a search compares beside the graph.
  package var maximumChanges = 4_096
  /// The factor up to which vectors are compared: if `admitted * admitted < scanFactor * searchCount * objects`.
  ///
  /// A search looks at `searchCount * objects / admitted` vectors until it has enough, and a comparison at
  /// `admitted`, which are read one by one. Both took as long at factors of 7 to 11 (decision 37).
  package var scanFactor = 8
  /// A search that has tested this part of all objects gives up.
  package var testedPart = 4
  /// The part of all vectors that may change before the graph is saved again.
  package var savedPart = 8

  /// Creates the default numbers.
  package init() {}

  /// Whether so few objects can be found that comparing their vectors takes less time.
  func isFew(_ admitted: Int, of objects: Int, _ searchCount: Int) -> Bool {
    Double(admitted) * Double(admitted)
      < Double(scanFactor) * Double(searchCount) * Double(objects)
  }
}
