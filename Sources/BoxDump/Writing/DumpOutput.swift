/// Where the files of a dump go.
public protocol DumpOutput: AnyObject {
  /// Opens a file of the dump.
  ///
  /// - Parameter name: The name in the folder of the dump; empty for a dump of one file.
  /// - Returns: The file; it is written to from one thread at a time.
  /// - Throws: ``DumpError`` or another error if that is impossible.
  func open(_ name: String) throws -> any DumpStream
}

/// A file that is being written.
public protocol DumpStream: AnyObject, Sendable {
  /// Writes bytes behind those that are there.
  ///
  /// - Throws: If they cannot be written.
  func write(_ bytes: UnsafeRawBufferPointer) throws

  /// Is called behind the last byte: syncs and closes the file.
  ///
  /// - Throws: If that fails, so that the dump is none.
  func finish() throws
}
