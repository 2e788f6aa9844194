/// The way in which a failed write is rolled back, so that the transaction stays usable.
enum PutScope {
  /// No rollback: the write checks everything first, or the whole transaction is undone.
  case nothing
  /// The write runs in a savepoint.
  case savepoint
  /// The log of the transaction is rolled back, which costs less than a savepoint. Only changes of objects
  /// that existed before run in a savepoint.
  case log
}
