/// A check of every page of a data file before anything else is read of it.
///
/// LMDB trusts the pages that it maps: with a damaged or a crafted file it reads and writes outside
/// of its memory. The check reads the pages without mapping them, in the state of one transaction that
/// stays open meanwhile, so that others may write. A file that does not pass it is refused, and so is
/// one whose databases no store can have made.
///
/// The check costs the time to read the file once. It is repeated for a file that this process has
/// checked only if something else wrote to the file since.
public struct PageCheck: Sendable {
  /// Called from time to time with the pages done and their total, by the thread that opens the file.
  public var progress: @Sendable (_ done: Int, _ total: Int) -> Void

  /// Creates a check.
  public init(progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }) {
    self.progress = progress
  }
}

extension PageCheck: Hashable {
  /// Whether both check the same: always, as the progress is only for show.
  public static func == (first: PageCheck, second: PageCheck) -> Bool { true }

  /// Hashes nothing: all checks are equal.
  public func hash(into hasher: inout Hasher) {}
}
