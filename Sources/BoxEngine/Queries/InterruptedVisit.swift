/// The place at which a visit was interrupted, and the work that it had done.
final class InterruptedVisit {
  /// Whether the deadline of the transaction ended the search for objects.
  var isEnded = false
  /// The id of the object that would have been the next one.
  var next: UInt64?
  /// The id of the last object of an index that was looked at.
  var last: UInt64?
  /// The number of objects that were looked at.
  var looked = 0
}
