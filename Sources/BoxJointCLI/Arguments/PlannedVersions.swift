internal import BoxWorkspace

/// The files that a command line about a plan names.
enum PlannedVersions {
  /// The problem with the files, if any.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - against: The value of one of the options that name the old version.
  ///   - options: Those options of the command.
  /// - Returns: A sentence.
  static func problem(
    with files: [String], against: String?, options: String = "--against"
  ) -> String? {
    if files.count > 2 { return "Name OLD and NEW, and nothing else." }
    if files.count == 1, SourceReference(files[0]).storeDirectory != nil {
      return "A store has no version in a revision: name OLD and NEW."
    }
    if files.count == 2 && against != nil {
      return "With \(options), name the new version only."
    }
    if files == ["-", "-"] { return "Standard input can be one of the two versions, not both." }
    return nil
  }
}
