/// The parts of a transaction that only writers need.
struct WriteState: ~Copyable {
  /// The writes for the end of the transaction: ids, index entries, notifications.
  var pending: PendingWrites
  /// The record that is being written.
  var writer = RecordWriter()
  /// The things to take back if the transaction, or a part of it, is undone.
  var log = UndoLog()
  /// Writers for records that are built before they are put.
  var spare = SpareWriters()

  init(_ store: ObjectStore) { pending = PendingWrites(store) }
}
