#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The numbers by which a graph is built, searched and saved.
///
/// Neither the vectors that exist nor their distances depend on them.
package struct GraphLimits: Sendable {
  /// A strategy to find the nearest vectors.
  package enum Strategy: Sendable {
    /// The search of the graph.
    case graph
    /// A look at all vectors in memory.
    case memory
    /// A look at the vectors of the objects that fulfil the other conditions, read one by one.
    case reading
  }

  /// The number of objects from which on a graph is built: fewer are compared in less time.
  package var minimumObjects = 2_000
  /// The maximum number of changed objects that a search compares beside the graph.
  package var maximumChanges = 4_096
  /// A search that has tested this part of all objects gives up, and all vectors are compared in memory.
  package var testedPart = 16
  /// The part of all vectors that may change before the graph is saved again.
  package var savedPart = 8
  /// The strategy of every search; nil for the one that probably takes the least time.
  package var strategy: Strategy?

  /// Creates the default numbers.
  package init() {}

  // Nanoseconds on one core of the machine of docs/measurements.md, between the times of three kinds of
  // vectors.

  /// To read an object by its id, and to test or to compare it.
  private static var reading: Double { 600 }
  /// To compare a number of a vector in memory.
  private static var number: Double { 0.2 }
  /// For each number of a vector and each vector that a search keeps, the way to it included.
  private static var kept: Double { 8 }
  /// The same with other conditions, for each vector whatever its length.
  private static var keptAndTested: Double { 6_000 }

  /// The strategy that probably takes the least time.
  ///
  /// - Parameters:
  ///   - searchCount: The number of vectors that a search in the graph would keep.
  ///   - maximum: The number of objects that are asked for.
  ///   - objects: The number of all objects, at least 1.
  ///   - admitted: The number of objects that fulfil the other conditions; nil if it is not known.
  ///   - form: The form of the vectors in memory.
  /// - Returns: The strategy.
  func strategy(
    keeping searchCount: Int, for maximum: Int, of objects: Int, admitted: Int?, _ form: GraphForm
  ) -> Strategy {
    if let strategy { return strategy }
    let width = form.width
    let all = Self.number * Double(width) * Double(objects)
    guard let admitted else {
      let kept = Self.kept * Double(width) * Double(searchCount)
      return form.isSearchable && kept < all ? .graph : .memory
    }
    // The number of vectors met for each admitted one.
    let met = Double(objects) / Double(max(1, admitted))
    let graph =
      form.isSearchable ? Self.keptAndTested * Double(searchCount) * met : Double.infinity
    // A look at all vectors tests those that are nearer than the ones before: of n, m by m / n.
    let share = Double(admitted) / Double(max(1, maximum))
    let memory = all + Self.reading * Double(maximum) * met * (1 + log(max(1, share)))
    let reading = Self.reading * Double(admitted)
    if reading <= min(graph, memory) { return .reading }
    return graph < memory ? .graph : .memory
  }
}
