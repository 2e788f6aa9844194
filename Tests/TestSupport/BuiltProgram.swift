#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The path of a program of this package, which lies beside the bundle of the tests; nil if it is
/// not built.
public func builtProgram(_ name: String) -> String? {
  // The bundle is what runs, or what the program that runs was told to load.
  var bundles = CommandLine.arguments
  if let path = realpath("/proc/self/exe", nil) {
    bundles.insert(String(cString: path), at: 0)
    free(path)
  }
  for bundle in bundles where bundle.hasPrefix("/") {
    var parts = bundle.split(separator: "/", omittingEmptySubsequences: false)
    // The bundle is a file in the build directory on Linux, and three directories deep on macOS. Further up is the
    // package, which may have the name of a program.
    for _ in 0..<4 where parts.count > 1 {
      parts.removeLast()
      let candidate = parts.joined(separator: "/") + "/" + name
      if access(candidate, X_OK) == 0 { return candidate }
    }
  }
  return nil
}
