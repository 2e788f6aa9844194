import BoxDump
import Synchronization

/// A dump in memory: its files by name.
final class MemoryOutput: DumpOutput {
  private(set) var files: [(name: String, stream: Stream)] = []
  let isAtomic: Bool

  init(isAtomic: Bool = false) { self.isAtomic = isAtomic }

  func open(_ name: String) throws -> any DumpStream {
    let stream = Stream()
    files.append((name, stream))
    return stream
  }

  /// The bytes of a file; of the only one by default.
  func bytes(_ name: String = "") -> [UInt8] {
    files.first { $0.name == name }?.stream.bytes.withLock { $0 } ?? []
  }

  func text(_ name: String = "") -> String { String(decoding: bytes(name), as: UTF8.self) }

  /// Whether every file was ended.
  var isFinished: Bool { files.allSatisfy { $0.stream.isFinished.withLock { $0 } } }

  final class Stream: DumpStream {
    let bytes = Mutex<[UInt8]>([])
    let isFinished = Mutex(false)

    func write(_ bytes: UnsafeRawBufferPointer) throws {
      self.bytes.withLock { $0.append(contentsOf: bytes) }
    }

    func finish() throws { isFinished.withLock { $0 = true } }
  }
}

extension [UInt8] {
  /// The content of a compressed stream.
  func decompressed(_ compression: Compression) throws -> [UInt8] {
    var result: [UInt8] = []
    let decompressor = try Decompressor(compression)
    // In small pieces, so that every state between two of them is met.
    var start = 0
    while start < count {
      let end = Swift.min(count, start + 7)
      try self[start..<end].withUnsafeBytes { bytes in
        try decompressor.decompress(bytes) { result.append(contentsOf: $0) }
      }
      start = end
    }
    try decompressor.finish { result.append(contentsOf: $0) }
    return result
  }
}
