#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Creates a directory with a name of its own, which only its owner can enter.
///
/// - Parameter prefix: The path without its last six characters.
/// - Returns: The path.
/// - Throws: ``SystemError``.
package func createTemporaryDirectory(prefix: String) throws(SystemError) -> String {
  var template = template(prefix)
  guard unsafe mkdtemp(&template) != nil else { throw SystemError.last }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Creates an empty file without a name, which is removed when it is closed.
///
/// - Parameter prefix: The path that the file has for a moment, without its last six characters.
/// - Returns: The descriptor, open for reading and writing.
/// - Throws: ``SystemError``.
package func createUnnamedFile(prefix: String) throws(SystemError) -> Int32 {
  var template = template(prefix)
  let file = unsafe mkstemp(&template)
  if file < 0 { throw SystemError.last }
  unsafe unlink(template)
  // A process that is started meanwhile would keep the blocks of the file in use.
  _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  return file
}

/// The path in which the system replaces the six letters `X` at the end.
private func template(_ prefix: String) -> [CChar] { Array((prefix + "XXXXXX").utf8CString) }
