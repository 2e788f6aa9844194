#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Makes an empty file that has no name and is gone when it is closed.
///
/// - Parameter template: A path whose last six letters are `X`.
/// - Returns: The file, open for reading and writing; negative, with `errno` set, if it cannot be made.
func openUnnamedFile(_ template: String) -> Int32 {
  var name = Array(template.utf8CString)
  let file = unsafe mkstemp(&name)
  if file < 0 { return file }
  unsafe unlink(name)
  // A process that is started meanwhile would keep its room taken.
  _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  return file
}
