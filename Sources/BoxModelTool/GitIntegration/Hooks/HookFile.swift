internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The file of a hook, as it is found.
struct HookFile: Sendable {
  let path: String
  /// The content; nil if there is no file, or one that is not a regular file.
  let content: [UInt8]?
  /// Whether git runs it.
  let isExecutable: Bool
  /// The reason why the file cannot get the lines of the tool; nil if it can.
  let refusal: String?

  /// Reads the file of a hook.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be read.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let attributes: stat?
    let isLink: Bool
    do throws(SystemError) {
      isLink = try linkDestination(path) != nil
      attributes = try fileAttributes(at: path)
    } catch {
      throw CommandFailure(.inputOutput, "cannot be read: \(error.reason)", path: path)
    }
    isExecutable = attributes.map { $0.st_mode & 0o111 != 0 } ?? false
    guard let attributes, attributes.isRegularFile else {
      content = nil
      refusal = isLink ? "a symbolic link" : attributes == nil ? nil : "not a regular file"
      return
    }
    let bytes = try SourceFile.read(path).bytes
    content = bytes
    if isLink {
      refusal = "a symbolic link"
    } else if HookBlock.isInstalled(in: bytes) {
      refusal = nil
    } else if !isExecutable {
      // Making it executable would start a hook that has been turned off.
      refusal = "not executable, so git skips it"
    } else {
      refusal = HookScript.isOfShell(bytes) ? nil : "not a script of a shell"
    }
  }

  /// Whether the file has the lines of the tool.
  var hasBlock: Bool { content.map { HookBlock.isInstalled(in: $0) } ?? false }

  /// Whether git calls the tool with the hook, by the lines of the tool or by a line that was added.
  func calls(_ hook: GitHook) -> Bool {
    guard isExecutable, let content else { return false }
    return hasBlock || hook.isCalled(in: content)
  }
}
