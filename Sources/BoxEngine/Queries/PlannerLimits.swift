/// The numbers by which a way to the objects is chosen.
///
/// The answer does not depend on them.
struct PlannerLimits: Sendable {
  /// Below so many ids a look at the objects costs less than a further look at indexes.
  var fewIDs = 64
  /// A list of ids is compared with one that is at most so many times as long.
  var longestRatio = 8
  /// Ids of an index are used up to this part of all objects: a scan reads objects faster than a look-up
  /// of each does.
  var usedPart = 2
  /// A range of an index is read up to this part of all objects, and an index in its order until this part
  /// of them did not fulfil the condition.
  var triedPart = 8
  /// An index is walked through in its order for one object of so many that fulfil the condition.
  var walkedPerObject = 64
  /// Up to so many objects are kept in a heap while they are sorted, or a quarter of all.
  var heap = 1000
  /// The entries of so many keys are counted.
  var countedKeys = 4096
}
