internal import BoxDump
internal import BoxSQLite
internal import BoxSystem

/// The file of a database that an export fills: it replaces its destination when it is complete and synced.
enum DatabaseFile {
  /// Writes a database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - fill: Fills the database.
  /// - Returns: The result of `fill`.
  /// - Throws: ``CommandFailure`` of the kind `usage` for a pipe and a device, `inputOutput` if the file cannot
  ///   be written, `badInput` if no database can hold the data; and the errors of `fill`. The destination is as it was.
  static func write<Result>(
    _ path: String, _ fill: (any DatabaseOutput) throws -> Result
  ) throws -> Result {
    if let existing = try? fileAttributes(at: path), !existing.isRegularFile, !existing.isDirectory
    {
      throw needsFile(path)
    }
    let file = try AtomicFileStream(path)
    guard let temporary = file.temporaryPath else { throw needsFile(path) }
    file.removeLeftovers()
    do {
      // The database is closed before the file is synced.
      let result = try fill(try SQLiteExport(temporary))
      try file.finish()
      return result
    } catch let failure as SQLiteFailure {
      if let cause = failure.cause { throw AtomicFile.failure(cause, path: path) }
      throw CommandFailure(
        failure.isRefusal ? .badInput : .inputOutput, "cannot be written: \(failure.message)",
        path: path)
    }
  }

  /// The failure to write a database to something that is not a file.
  static func needsFile(_ path: String) -> CommandFailure {
    CommandFailure(.usage, "a database cannot be written to a pipe; name a file", path: path)
  }
}
