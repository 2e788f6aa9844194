/// The numbers by which a way to the objects is chosen.
///
/// The answer does not depend on them.
struct PlannerLimits: Sendable {
  /// The number of ids below which reading the objects is cheaper than another index.
  var fewIDs = 64
  /// The maximum ratio of the lengths of two lists of ids that are intersected.
  var longestRatio = 8
  /// Ids of an index are used up to this part of all objects: a scan reads objects faster than a look-up
  /// of each does.
  var usedPart = 2
  /// A range of an index is read up to this part of all objects, and an index in its order until this part
  /// of them did not fulfil the condition.
  var triedPart = 8
  /// An index is walked through in its order for one object of so many that fulfil the condition.
  var walkedPerObject = 64
  /// The number of objects up to which sorting uses a heap, or a quarter of all objects.
  var heap = 1000
  /// The maximum number of keys whose entries are counted.
  var countedKeys = 4096
}
