package import BoxModel
internal import BoxReport
package import BoxSystem

/// The file of approvals at the top of a repository.
package struct ApprovalFile: Sendable {
  /// The path from the working directory.
  package let path: String
  /// The content before a change; nil without a file.
  package let content: [UInt8]?
  package var list: ApprovalList

  private let top: String

  /// The bytes to write.
  package var bytes: [UInt8] { Array(list.text.utf8) }

  /// Reads the file of a work tree; without one the list is empty.
  ///
  /// - Parameter top: The directory of the work tree.
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place of what is wrong, `inputOutput` if the file
  ///   cannot be read.
  package init(top: String) throws(CommandFailure) {
    self.top = top
    path = pathFromHere(joinPath(top, ApprovalList.fileName))
    let isThere = ((try? fileAttributes(at: path)) ?? nil) != nil
    content = isThere ? try SourceFile.read(path).bytes : nil
    list =
      try content.map { [path] (bytes) throws(CommandFailure) in
        try Self.list(bytes, path: path)
      } ?? ApprovalList()
  }

  /// The list that a text is.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - path: The name of the file in messages.
  /// - Returns: The list.
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place of what is wrong.
  package static func list(
    _ bytes: [UInt8], path: String
  ) throws(CommandFailure) -> ApprovalList {
    do throws(PlanFileError) {
      return try ApprovalList(parsing: bytes)
    } catch {
      throw CommandFailure(.badInput, error.message, path: path, position: error.position)
    }
  }

  /// Writes the list.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the file cannot be written.
  package func write() throws(CommandFailure) {
    try AtomicFile.write(bytes, to: path, within: top)
  }
}
