internal import BoxDump
internal import BoxEngine
public import BoxStore
internal import Synchronization

extension Store {
  /// All objects and entries of relations to many as text, for comparisons.
  ///
  /// ```swift
  /// #expect(try store.contents() == #"""
  ///   {"Author":{"id":1,"name":"Stanisław Lem"}}
  ///   {"Book":{"id":1,"title":"Eden","author":1}}
  ///   """# + "\n")
  /// ```
  ///
  /// A line has one object, as in a dump. Lines are sorted by the name of the entity, and then by id, so that two stores
  /// with the same objects have the same text. Lines of relations follow, each with an object and all of its targets.
  /// Properties have the order of the model. The text is a seed for stores.
  ///
  /// - Returns: The text; each line ends with a line feed.
  /// - Throws: `ObjectBoxError.illegalState` if the store is closed, and the errors of reading: a damaged store
  ///   has no contents.
  /// - Complexity: O(*n* log *n*) in the objects and entries.
  public func contents() throws -> String {
    let output = TextOutput()
    let totals = try ObjectBoxError.wrapping { try DumpExporter(engine).export(to: output) }
    // The first line is the header, and the last one has the totals.
    let lines = output.bytes.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast()
    let sorted =
      Self.sorted(lines.prefix(totals.objects)) + Self.sorted(lines.dropFirst(totals.objects))
    return sorted.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
  }

  /// The lines in the order of the names that they begin with, and lines of one name in their order.
  private static func sorted(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>] {
    let named = lines.enumerated().map { position, line in
      (name: line.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }, position: position, line: line)
    }
    return named.sorted { a, b in
      if a.name.elementsEqual(b.name) { return a.position < b.position }
      return a.name.lexicographicallyPrecedes(b.name)
    }.map(\.line)
  }
}

/// A dump in memory.
private final class TextOutput: DumpOutput {
  private let stream = Stream()

  /// The whole store is verified on the way.
  let isAtomic = true

  var bytes: [UInt8] { stream.bytes.withLock { $0 } }

  func open(_ name: String) -> any DumpStream { stream }

  private final class Stream: DumpStream {
    let bytes = Mutex<[UInt8]>([])

    func write(_ bytes: UnsafeRawBufferPointer) {
      self.bytes.withLock { $0.append(contentsOf: bytes) }
    }

    func finish() {}
  }
}
