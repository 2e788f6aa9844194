internal import BoxJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads a file line by line, decompressing it as its first bytes say.
///
/// One line is in memory at a time, and it may be so long at most.
final class LineReader {
  /// The path, as the user named it.
  let path: String
  /// The number of the line that was read last, from 1.
  private(set) var line = 0
  /// Whether the line that was read last ends with a line feed.
  private(set) var isEnded = false

  private let descriptor: Int32
  private let decompressor: Decompressor
  /// The decompressed bytes; those from `start` on were not returned yet.
  private var buffer: [UInt8] = []
  private var start = 0
  private var block: [UInt8]
  private var isAtEnd = false

  /// The maximum number of bytes of a line, so that a file without line feeds does not fill the
  /// memory.
  static let maximumLine = 1 << 28
  /// The number of compressed bytes that are decompressed at a time: they decompress to a thousand
  /// times as many at most, so a bomb is detected before it costs memory.
  private static let piece = 1 << 12

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - isPart: Whether the file is a part of a dump that is a directory.
  ///   - limits: The limits of the decompressed size.
  /// - Throws: ``DumpError``.
  init(
    _ path: String, isPart: Bool = false, limits: DecompressionLimits = DecompressionLimits()
  ) throws(DumpError) {
    let descriptor = isPart ? try openDumpFile(path) : systemOpen(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw Self.failure("cannot be opened", path) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let count: Int
    do throws(DumpError) {
      count = try Self.read(descriptor, into: &block, path)
      let compression = Compression(startingWith: block[..<count])
      decompressor = try dumpErrors { try Decompressor(compression, limits: limits) }
    } catch {
      // There is no reader yet whose end would close it.
      close(descriptor)
      throw error.inFile(path)
    }
    self.path = path
    self.descriptor = descriptor
    self.block = block
    do throws(DumpError) {
      try dumpErrors { try take(count) }
    } catch {
      throw error.inFile(path)
    }
  }

  deinit { close(descriptor) }

  private static func failure(_ message: String, _ path: String) -> DumpError {
    let code = errno
    var words = [CChar](repeating: 0, count: 256)
    let reason = strerror_r(code, &words, words.count) == 0 ? words : []
    let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return DumpError(
      "\(message): \(String(decoding: text, as: UTF8.self))", kind: .inputOutput, path: path)
  }

  /// Reads some bytes; 0 at the end.
  private static func read(
    _ descriptor: Int32, into block: inout [UInt8], _ path: String
  ) throws(DumpError) -> Int {
    while true {
      let count = systemRead(descriptor, &block)
      if count >= 0 { return count }
      if errno != EINTR { throw failure("cannot be read", path) }
    }
  }

  /// The next line without its line feed, valid until the next call; nil at the end.
  func next() throws(DumpError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = lineFeed(from: searched) {
        defer { start = end + 1 }
        line += 1
        isEnded = true
        return buffer[start..<end]
      }
      searched = buffer.count
      if isAtEnd {
        if start == buffer.count { return nil }
        defer { start = buffer.count }
        line += 1
        isEnded = false
        return buffer[start...]
      }
      if start > 0 {
        buffer.removeFirst(start)
        searched -= start
        start = 0
      }
      if buffer.count > Self.maximumLine {
        throw error("the line is longer than \(Self.maximumLine >> 20) MiB", line: line + 1)
      }
      do throws(DumpError) {
        let count = try Self.read(descriptor, into: &block, path)
        try dumpErrors { try take(count) }
      } catch {
        if error.kind == .cutOff {
          isEnded = false
          line += 1
          throw endsEarly(error.message)
        }
        throw error.inFile(path)
      }
    }
  }

  /// An error at the beginning of a line.
  func error(_ message: String, line: Int? = nil) -> DumpError {
    DumpError(message, path: path, position: .init(line: max(1, line ?? self.line), column: 1))
  }

  /// The error of a file that ends too early, on the line that was read last or behind it.
  func endsEarly(_ reason: String? = nil) -> DumpError {
    let place = isEnded ? line + 1 : max(1, line)
    return DumpError(
      "the dump is cut off" + (reason.map { ": " + $0 } ?? ""), kind: .cutOff, path: path,
      position: .init(line: place, column: 1))
  }

  /// Takes so many bytes of the block in; none at the end of the file.
  private func take(_ count: Int) throws {
    if count == 0 {
      isAtEnd = true
      try decompressor.finish { buffer.append(contentsOf: $0) }
      return
    }
    try block.withUnsafeBytes { bytes in
      var offset = 0
      while offset < count {
        let size = min(Self.piece, count - offset)
        let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size])
        try decompressor.decompress(piece) { output in
          buffer.append(contentsOf: output)
          if buffer.count - start > 2 * Self.maximumLine {
            throw DumpError("a line is longer than \(Self.maximumLine >> 20) MiB")
          }
        }
        offset += size
      }
    }
  }

  private func lineFeed(from index: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, index < bytes.count,
        let found = memchr(base + index, 0x0A, bytes.count - index)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

private func systemRead(_ descriptor: Int32, _ block: inout [UInt8]) -> Int {
  let capacity = block.count
  return block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, capacity) }
}
