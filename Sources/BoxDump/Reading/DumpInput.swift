internal import BoxJSON
internal import BoxStorage
internal import BoxSystem
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Something to import: a dump in one of its shapes, lines or an array of objects.
///
/// It is read once, by one thread at a time.
public final class DumpInput {
  enum Content {
    /// A dump of lines, or lines each of which names its entity.
    case lines(InputText, hasEnd: Bool)
    /// Lines that are objects.
    case plainLines(InputText)
    /// An array of objects.
    case array(InputText)
    /// A dump that is a document, up to behind its header.
    case document(InputText)
    case directory(DumpManifest)
  }

  /// The file or directory as the user named it.
  public let path: String
  /// The header of the dump; nil for input that is not a dump.
  public let header: DumpHeader?
  /// The number of bytes to read; nil if unknown.
  public private(set) var size: Int?
  /// The checksum of the header; that of no bytes for a directory, whose manifest has a check of
  /// its own.
  let headerChecksum: DumpChecksum
  let content: Content
  private let identifying: IdentifyingSource
  let bytesRead: ByteCounter
  let maximumElement: Int
  let decompression: DecompressionLimits

  /// Opens an input, and reads as far as its header.
  ///
  /// - Parameters:
  ///   - path: A file or a directory; `-` for standard input.
  ///   - maximumElement: The maximum number of bytes of an element.
  ///   - decompression: The limits of the decompressed size of a file.
  /// - Throws: ``DumpError``.
  public convenience init(
    path: String, maximumElement: Int = ImportOptions().maximumElement,
    decompression: DecompressionLimits = DecompressionLimits()
  ) throws(DumpError) {
    try self.init(
      path, isDirectory: path != "-" && isDirectory(at: path),
      limits: (element: maximumElement, header: maximumElement), decompression)
    if case .directory(let manifest) = content, !manifest.isUnchanged {
      throw DumpManifest.wrongCheck(path)
    }
  }

  private init(
    _ path: String, isDirectory: Bool, limits: (element: Int, header: Int),
    _ decompression: DecompressionLimits
  ) throws(DumpError) {
    self.path = path == "-" ? "standard input" : path
    maximumElement = limits.element
    self.decompression = decompression
    bytesRead = ByteCounter()
    if isDirectory {
      let (manifest, source) = try Self.manifest(
        of: path, limit: limits.header, decompression)
      identifying = source
      header = manifest.header
      headerChecksum = DumpChecksum()
      content = .directory(manifest)
      var total = 0
      for file in manifest.files {
        total += Int(Self.entry(path + "/" + file.name)?.st_size ?? 0)
      }
      size = total
      return
    }
    let file =
      path == "-"
      ? try FileSource(descriptor: STDIN_FILENO, path: self.path) : try FileSource(path: path)
    size = file.size
    identifying = IdentifyingSource(CountedSource(file, bytesRead))
    let source = DecompressingSource(identifying, limits: decompression)
    let text = InputText(source, name: self.path, limit: limits.header)
    (content, header, headerChecksum) = try Self.begin(text)
    text.limit = limits.element
  }

  /// Opens a dump in a file or a directory, also one that is damaged.
  ///
  /// - Returns: The input and its header.
  /// - Throws: ``DumpError`` if it is not a dump or cannot be read.
  static func dump(
    _ path: String, isDirectory: Bool, _ decompression: DecompressionLimits
  ) throws(DumpError) -> (input: DumpInput, header: DumpHeader) {
    let input = try DumpInput(
      path, isDirectory: isDirectory,
      limits: (element: DumpFormat.maximumElement, header: DumpFormat.maximumHeader), decompression)
    if let header = input.header { return (input, header) }
    throw DumpError(
      "this is not a dump: its first line is not a header", path: path,
      position: JSONPosition(line: 1, column: 1))
  }

  /// The number of files of a dump that is a directory.
  var fileCount: Int {
    if case .directory(let manifest) = content { manifest.files.count } else { 0 }
  }

  private static func entry(_ path: String) -> stat? { (try? entryAttributes(at: path)) ?? nil }

  private static func manifest(
    of directory: String, limit: Int, _ decompression: DecompressionLimits
  ) throws(DumpError) -> (DumpManifest, IdentifyingSource) {
    let path = directory + "/" + DumpManifest.fileName
    // Whether it can be opened is told when it is.
    if (try? entryExists(at: path)) == false {
      let isStore = StoreFiles(directory).hasData
      throw DumpError(
        isStore
          ? "is a store, not a dump; check it with `boxjoint store verify`"
          : "has no \(DumpManifest.fileName), so it is not a complete dump",
        path: directory)
    }
    let source = IdentifyingSource(try FileSource(inDump: path))
    let text = InputText(
      DecompressingSource(source, limits: decompression), name: path, limit: limit)
    while try text.readMore() {}
    let manifest: DumpManifest
    do throws(DumpError) {
      manifest = try DumpManifest(parsing: text.bytes(text.start..<text.end))
    } catch {
      throw error.inFile(path)
    }
    return (manifest, source)
  }

  /// The bytes of the input; known to whoever has read it to its end.
  var identity: InputIdentity { identifying.identity }

  /// Whether the input is the rejects of an import, of whose dump it has a few elements only.
  var isRejects: Bool {
    if case .lines(_, hasEnd: false) = content { header != nil } else { false }
  }

  // MARK: - What it is

  private typealias Opening = (Content, DumpHeader?, DumpChecksum)

  private static func begin(_ text: InputText) throws(DumpError) -> Opening {
    if text.end == 0 { _ = try text.readMore() }
    if text.end - text.start >= 3,
      text.base[text.start] == 0xEF, text.base[text.start + 1] == 0xBB
    {
      throw text.error(
        "the text begins with a byte order mark; save it as UTF-8 without one", at: text.start)
    }
    switch try text.nextByte() {
    case nil: return (.plainLines(text), nil, DumpChecksum())
    case UInt8.leftBracket: return (.array(text), nil, DumpChecksum())
    case UInt8.leftBrace: break
    default:
      throw text.error(
        "expected a dump, lines of objects or an array, found \(text.shown(at: text.start))",
        at: text.start)
    }
    switch try firstKey(text) {
    case DumpFormat.envelopeKey: return try beginLines(text)
    case "boxjoint":
      do throws(DumpError) {
        return try beginDocument(text)
      } catch {
        throw error.inDump()
      }
    case "_note1":
      // Generators write this key first, and no entity has this name.
      throw text.error(
        "this is a model file, and holds no objects; import a dump, lines of objects or an array",
        at: text.start)
    default: return (.plainLines(text), nil, DumpChecksum())
    }
  }

  /// The key of the first member, without consuming anything; nil if it is a long one.
  private static func firstKey(_ text: InputText) throws(DumpError) -> String? {
    while text.end - text.start < 256, try text.readMore() {}
    var index = text.start + 1
    while index < text.end, text.base[index].isWhiteSpace { index += 1 }
    guard index < text.end, text.base[index] == .quote else { return nil }
    let first = index + 1
    index = first
    while index < min(text.end, first + 64), text.base[index] != .quote { index += 1 }
    return String(decoding: text.bytes(first..<index), as: UTF8.self)
  }

  private static func beginLines(
    _ text: InputText
  ) throws(DumpError) -> Opening {
    guard let end = try text.endOfLine() else {
      throw text.error("the header is missing", at: text.start)
    }
    let document: JSONDocument
    do throws(DumpError) {
      document = try text.document(text.start..<end)
    } catch {
      if end == text.end {
        throw text.endsEarly("the dump is cut off in its header", at: text.start)
      }
      throw error
    }
    do throws(DumpError) {
      let reader = try MemberReader(document, document.root, "the first line", line: text.line)
      let node = try reader.required(DumpFormat.envelopeKey)
      let header = try DumpHeader(node, in: document, line: text.line)
      let isRejects = document.value(forKey: "rejects", in: node) != nil
      text.consumeLine(to: end)
      return (.lines(text, hasEnd: !isRejects), header, DumpChecksum(node, in: document))
    } catch {
      throw error.inFile(text.name)
    }
  }

  private static func beginDocument(
    _ text: InputText
  ) throws(DumpError) -> Opening {
    text.consume(to: text.start + 1)
    _ = try text.key()
    try text.expect(.colon, as: "a colon")
    let range = try text.value()
    let line = text.position(at: range.lowerBound).line
    let document = try text.document(range)
    do throws(DumpError) {
      let header = try DumpHeader(document.root, in: document, line: line)
      text.consume(to: range.upperBound)
      return (.document(text), header, DumpChecksum(document.root, in: document))
    } catch {
      throw error.inFile(text.name)
    }
  }
}

/// The number of bytes read from an input, for showing progress.
final class ByteCounter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add(_ more: Int) { count.add(more, ordering: .relaxed) }
}

/// A source whose bytes are counted.
final class CountedSource: ByteSource {
  private let source: any ByteSource
  private let counter: ByteCounter

  init(_ source: any ByteSource, _ counter: ByteCounter) {
    self.source = source
    self.counter = counter
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
    let count = try source.read(into: buffer)
    counter.add(count)
    return count
  }
}
