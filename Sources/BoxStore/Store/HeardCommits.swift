package import BoxEngine

/// The commits that observers, monitors, sequences and publishers of a store hear of.
///
/// ```swift
/// let store = try Store(directoryPath: "notes", hears: .allProcesses)
/// ```
///
/// A store that hears all processes keeps a reader of its last known state while anything observes it. The reader takes
/// one of the places of `maxReaders`. A process that is stopped meanwhile keeps the pages of that state, so that the
/// file grows by what others write.
public struct HeardCommits: Hashable, Sendable {
  package let hearing: Hearing

  /// The commits of the store, by its handles and boxes.
  public static let thisProcess = HeardCommits(hearing: .thisOpening)

  /// Also commits of other processes, with a limit of 256 MiB.
  public static let allProcesses = allProcesses(upTo: 256 << 20)

  /// Also commits of other processes.
  ///
  /// - Parameter bytes: The number of bytes by which the file may have grown since the last look; beyond it everything
  ///   is read again, as the changes are not listed.
  /// - Returns: The commits.
  public static func allProcesses(upTo bytes: Int) -> HeardCommits {
    HeardCommits(hearing: .everywhere(upTo: bytes))
  }
}
