#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Everything below a directory at one moment, to see what was written since.
public struct DirectorySnapshot: Sendable {
  /// The state of a file, which changes when it is written, replaced, linked or given other
  /// permissions.
  private struct State: Hashable {
    var mode: mode_t
    var file: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private var states: [String: State] = [:]

  /// Looks at a directory without following links.
  public init(of directory: String) {
    add(directory, as: "")
  }

  private mutating func add(_ path: String, as name: String) {
    var attributes = stat()
    guard lstat(path, &attributes) == 0 else { return }
    #if canImport(Darwin)
      let changed = attributes.st_ctimespec
    #else
      let changed = attributes.st_ctim
    #endif
    let isDirectory = attributes.st_mode & S_IFMT == S_IFDIR
    // The times of a directory change with the names in it, which are compared themselves.
    states[name] = State(
      mode: attributes.st_mode, file: UInt64(attributes.st_ino),
      size: isDirectory ? 0 : Int64(attributes.st_size), seconds: isDirectory ? 0 : changed.tv_sec,
      nanoseconds: isDirectory ? 0 : changed.tv_nsec)
    guard isDirectory else { return }
    for child in TemporaryDirectory.names(inDirectory: path) {
      add(path + "/" + child, as: name.isEmpty ? child : name + "/" + child)
    }
  }

  /// The paths that were made, removed or changed on the way to another snapshot, in order.
  public func changes(to other: DirectorySnapshot) -> [String] {
    Set(states.keys).union(other.states.keys).filter { states[$0] != other.states[$0] }.sorted()
  }
}
