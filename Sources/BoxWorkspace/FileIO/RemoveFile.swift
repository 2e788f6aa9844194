#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Removes a file; a missing file is not a failure.
package func removeFile(_ path: String) { unlink(path) }
