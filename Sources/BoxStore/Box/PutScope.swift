/// The way in which a failed write is taken back, so that the transaction can go on.
enum PutScope {
  /// Nothing is taken back: the write checks everything first, or the whole transaction is undone.
  case nothing
  /// The write runs in a savepoint.
  case savepoint
  /// The log of the transaction is taken back, which costs less than a savepoint. Only changes of objects that
  /// existed before run in a savepoint.
  case log
}
