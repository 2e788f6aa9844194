internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The licences of a program and of what is linked into it.
///
/// `scripts/package` appends them to the program: the texts, their number of bytes as ten digits, and
/// ``mark``. They have to go with every copy of the program, also with one that was moved out of its
/// package, and only the packager knows which libraries were linked.
package enum LicenceNotices {
  /// The end of a program that has its licences.
  package static let mark = " bytes of licences\n"
  private static let digits = 10

  /// The licences that are appended to the running program; without them, a text that says so.
  package static func ofThisProgram() -> [UInt8] {
    let texts = RunningProgram.path().flatMap { (try? appended(to: $0)) ?? nil }
    return texts ?? Array(unpackaged.utf8)
  }

  /// The licences that are appended to a program, if any.
  ///
  /// - Throws: ``SystemError`` if the file cannot be read.
  /// - Complexity: O(*n*) in the number of bytes of the licences.
  static func appended(to path: String) throws(SystemError) -> [UInt8]? {
    let file = try OpenFile(path: path, flags: O_RDONLY)
    let end = Int(try file.attributes().st_size)
    let tail = digits + mark.utf8.count
    guard end >= tail else { return nil }
    let words = try bytes(of: file, from: end - tail, count: tail)
    guard words.suffix(mark.utf8.count).elementsEqual(mark.utf8),
      words.prefix(digits).allSatisfy({ (48...57).contains($0) }),
      let count = Int(String(decoding: words.prefix(digits), as: UTF8.self)), count <= end - tail
    else { return nil }
    return try bytes(of: file, from: end - tail - count, count: count)
  }

  private static func bytes(
    of file: borrowing OpenFile, from start: Int, count: Int
  ) throws(SystemError) -> [UInt8] {
    let descriptor = file.descriptor
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(SystemError) in
      try readAll(descriptor, at: start, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return Array(bytes.prefix(read))
  }

  private static let unpackaged = """
    BoxJoint is licensed under the Apache License 2.0, the text of which is the file LICENSE of its \
    sources.

    This program was not made by scripts/package, which appends the licences of the libraries that \
    it links. They are those of the libraries on the machine on which the program was built: Swift \
    and its packages, json-c, libyaml, LMDB, zlib, zstd, nettle, libedit, SQLite, and the C and C++ libraries.

    """
}
