internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The program that runs, and how a shell finds it.
package enum RunningProgram {
  /// The word that starts this program in a command line: its bare name if the PATH finds it,
  /// otherwise its absolute path; nil if that is unknown.
  package static func command(environmentPath: String? = environmentValue("PATH")) -> String? {
    guard let path = path() else { return nil }
    let name = "boxjoint"
    if let found = lookUp(name, in: environmentPath ?? ""),
      canonicalPath(found) == canonicalPath(path)
    {
      return name
    }
    return path
  }

  /// The first executable file of a name in the directories of a PATH.
  package static func lookUp(_ name: String, in environmentPath: String) -> String? {
    for directory in environmentPath.split(separator: ":", omittingEmptySubsequences: false) {
      let candidate = joinPath(directory.isEmpty ? "." : String(directory), name)
      guard let attributes = try? fileAttributes(at: candidate), attributes.isRegularFile
      else { continue }
      if access(candidate, X_OK) == 0 { return candidate }
    }
    return nil
  }

  /// The absolute path of the program that runs; nil if the system does not tell it.
  package static func path() -> String? {
    #if canImport(Darwin)
      var size = UInt32(PATH_MAX)
      var buffer = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      let path = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
      return path.flatMap { canonicalPath($0) }
    #else
      return canonicalPath("/proc/self/exe")
    #endif
  }
}
