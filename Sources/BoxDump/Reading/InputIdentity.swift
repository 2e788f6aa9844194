internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of an input as they lie in its file: how many, and their check.
///
/// A dump that is a directory is known by its manifest, which has the checks of all its files.
struct InputIdentity: Hashable, Sendable {
  var bytes: Int
  var checksum: UInt32
}

extension InputIdentity {
  /// Reads an input from its beginning to its end.
  ///
  /// - Parameters:
  ///   - path: A file or a directory.
  ///   - sizes: The sizes that the caller looks for; a file of another size is not read.
  /// - Returns: Nil for what can be read only once, and for a file of another size.
  /// - Throws: ``DumpError``.
  /// - Complexity: O(*n*) in the size of the file.
  static func read(_ path: String, ofSizes sizes: Set<Int>) throws(DumpError) -> InputIdentity? {
    let file = isDirectory(at: path) ? path + "/" + DumpManifest.fileName : path
    guard let attributes = (try? fileAttributes(at: file)) ?? nil, attributes.isRegularFile,
      sizes.contains(Int(attributes.st_size))
    else { return nil }
    return try read(FileSource(path: file))
  }
}

extension InputIdentity {
  /// The identity of several files together, in their order; a single file keeps its own.
  init(of files: [InputIdentity]) {
    if files.count == 1 {
      self = files[0]
      return
    }
    var checksum = DumpChecksum()
    for file in files { checksum.update("\(file.bytes) \(file.checksum)\n".utf8) }
    self.init(bytes: files.reduce(0) { $0 + $1.bytes }, checksum: checksum.value)
  }

  /// Reads the files of an input.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - sizes: The sizes of all of them that the caller looks for; files of another size are not read.
  /// - Returns: Nil for files that can be read only once, and for files of another size.
  /// - Throws: ``DumpError``.
  /// - Complexity: O(*n*) in the size of the files.
  static func read(
    _ files: InputFiles, ofSizes sizes: Set<Int>
  ) throws(DumpError) -> InputIdentity? {
    guard let size = files.size, sizes.contains(size) else { return nil }
    var identities: [InputIdentity] = []
    for number in files.files.indices { identities.append(try read(files, number)) }
    return InputIdentity(of: identities)
  }

  /// Reads a file of an input from its beginning to its end.
  ///
  /// - Throws: ``DumpError``.
  /// - Complexity: O(*n*) in the size of the file.
  static func read(_ files: InputFiles, _ number: Int) throws(DumpError) -> InputIdentity {
    try read(files.open(number))
  }

  private static func read(_ file: FileSource) throws(DumpError) -> InputIdentity {
    let source = IdentifyingSource(file)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { unsafe buffer.deallocate() }
    while try unsafe source.read(into: buffer) > 0 {}
    return source.identity
  }
}

/// A source that checks the bytes which pass through it.
final class IdentifyingSource: ByteSource {
  private let source: any ByteSource
  private var checksum = DumpChecksum()
  private var bytes = 0

  init(_ source: any ByteSource) { self.source = source }

  /// The bytes so far, which are all after a read that returned 0.
  var identity: InputIdentity { InputIdentity(bytes: bytes, checksum: checksum.value) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
    let count = try unsafe source.read(into: buffer)
    unsafe checksum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    bytes += count
    return count
  }
}
