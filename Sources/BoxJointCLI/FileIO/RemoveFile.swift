#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Removes a file; one that is not there is no failure.
func removeFile(_ path: String) { unlink(path) }
