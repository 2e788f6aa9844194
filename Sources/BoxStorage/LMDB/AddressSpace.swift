#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The room for maps in the address space of the process, which `ulimit -v` bounds.
enum AddressSpace {
  /// The space by which a file may grow, if there is no more.
  private static let growth = 1 << 26

  /// The size of a map that leaves half of the room free, with room at least for a file and some growth.
  ///
  /// - Complexity: O(log *n*) in the default size.
  static func size(forFile path: String) -> Int {
    var attributes = stat()
    let file = unsafe stat(path, &attributes) == 0 ? Int(attributes.st_size) : 0
    let unit = 1 << 16
    let least = (file + growth + unit - 1) / unit * unit
    var size = StorageOptions.defaultMaximumSize / 2
    while size > least && !hasRoom(2 * size) { size /= 2 }
    return max(size, least)
  }

  private static func hasRoom(_ bytes: Int) -> Bool {
    guard let place = unsafe mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0),
      unsafe place != MAP_FAILED
    else { return false }
    unsafe munmap(place, bytes)
    return true
  }
}
