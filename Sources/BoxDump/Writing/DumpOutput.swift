/// A destination for the files of a dump.
public protocol DumpOutput: AnyObject {
  /// Opens a file of the dump.
  ///
  /// - Parameter name: The name in the directory of the dump; empty for a dump of one file.
  /// - Returns: The file; it is written to from one thread at a time.
  /// - Throws: ``DumpError`` or another error if the file cannot be opened.
  func open(_ name: String) throws -> any DumpStream

  /// Whether a dump that fails leaves nothing that can be taken for one; false by default.
  ///
  /// An export to such a destination verifies the store while it writes.
  var isAtomic: Bool { get }
}

extension DumpOutput {
  /// False: an incomplete output remains.
  public var isAtomic: Bool { false }
}

/// A file that is being written.
public protocol DumpStream: AnyObject, Sendable {
  /// Appends bytes.
  ///
  /// - Throws: An error if they cannot be written.
  func write(_ bytes: UnsafeRawBufferPointer) throws

  /// Syncs and closes the file; called after the last byte.
  ///
  /// - Throws: An error if that fails; then the dump is not valid.
  func finish() throws
}
