internal import BoxJSON
internal import BoxStorage
internal import BoxSystem
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Something to import: a dump in one of its shapes, or files of JSON or delimited text.
///
/// It is read once, by one thread at a time.
public final class DumpInput {
  enum Content {
    /// A dump of lines, or its rejects.
    case lines(InputText, hasEnd: Bool)
    /// Files that are not a dump, of which the first is open.
    case files(InputFile)
    /// A dump that is a document, read up to the end of its header.
    case document(InputText)
    case directory(DumpManifest)
  }

  /// The file or directory as the user named it; of several the first, with their number.
  public let path: String
  /// The paths of the files, without `-` for standard input; for a dump, the path of the directory.
  public var paths: [String] { files.files.map(\.path).filter { $0 != "-" } }
  /// The header of the dump; nil for input that is not a dump.
  public let header: DumpHeader?
  /// The number of bytes to read; nil if unknown.
  public private(set) var size: Int?
  /// The checksum of the header; for a directory the checksum of no bytes, because its manifest has a check
  /// of its own.
  let headerChecksum: DumpChecksum
  let content: Content
  /// The files of an input that is not a dump.
  let files: InputFiles
  /// The form of these files.
  let form: InputForm
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
    try requireUnchangedManifest()
  }

  /// Opens files, and reads the first as far as its first element.
  ///
  /// A path alone may be a dump too.
  ///
  /// - Parameters:
  ///   - paths: Files, directories of parts, or `-` alone for standard input; at least one.
  ///   - form: The form of files that are not a dump.
  ///   - allowsPartialDirectories: Whether a directory of parts may lack the mark of a complete one.
  ///   - maximumElement: The maximum number of bytes of an element.
  ///   - decompression: The limits of the decompressed size of a file.
  /// - Throws: ``DumpError``: of kind `impossible` for a dump among other files and for an incomplete
  ///   directory of parts, and of kind `usage` for standard input among others and for a form that a dump
  ///   does not have.
  /// - Complexity: O(*n* log *n*) in the number of files.
  public convenience init(
    paths: [String], form: InputForm = InputForm(), allowsPartialDirectories: Bool = false,
    maximumElement: Int = ImportOptions().maximumElement,
    decompression: DecompressionLimits = DecompressionLimits()
  ) throws(DumpError) {
    try self.init(
      paths: paths, form: form, allowsPartialDirectories: allowsPartialDirectories,
      maximumElement: maximumElement, decompression: decompression, kept: nil)
  }

  /// Opens files, or the bytes that were kept of the only one.
  ///
  /// - Throws: As the other initializer.
  package convenience init(
    paths: [String], form: InputForm, allowsPartialDirectories: Bool, maximumElement: Int,
    decompression: DecompressionLimits, kept: KeptInput?
  ) throws(DumpError) {
    if paths.count == 1, let path = paths.first, form == InputForm(), !Self.hasParts(path) {
      try self.init(
        path, isDirectory: path != "-" && isDirectory(at: path),
        limits: (element: maximumElement, header: maximumElement), decompression, kept)
      try requireUnchangedManifest()
    } else {
      try self.init(
        InputFiles(paths, allowsPartial: allowsPartialDirectories, kept: kept), form,
        maximumElement, decompression)
    }
  }

  private func requireUnchangedManifest() throws(DumpError) {
    if case .directory(let manifest) = content, !manifest.isUnchanged {
      throw DumpManifest.wrongCheck(path)
    }
  }

  /// Whether a path is a directory that is neither a dump nor a store.
  private static func hasParts(_ path: String) -> Bool {
    path != "-" && isDirectory(at: path) && !StoreFiles(path).hasData
      && (try? entryExists(at: path + "/" + DumpManifest.fileName)) == false
  }

  private init(
    _ files: InputFiles, _ form: InputForm, _ maximumElement: Int,
    _ decompression: DecompressionLimits
  ) throws(DumpError) {
    self.files = files
    self.form = form
    path = files.displayName
    size = files.size
    self.maximumElement = maximumElement
    self.decompression = decompression
    bytesRead = ByteCounter()
    let first = try Self.open(0, of: files, form, maximumElement, decompression, bytesRead)
    identifying = first.source
    (content, header, headerChecksum) = (.files(first), nil, DumpChecksum())
  }

  private init(
    _ path: String, isDirectory: Bool, limits: (element: Int, header: Int),
    _ decompression: DecompressionLimits, _ kept: KeptInput? = nil
  ) throws(DumpError) {
    files = InputFiles(path, kept: kept)
    form = InputForm()
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
    let file = try files.open(0)
    size = file.size
    identifying = IdentifyingSource(CountedSource(file, bytesRead))
    let source = DecompressingSource(identifying, limits: decompression)
    let text = InputText(source, name: self.path, limit: limits.header)
    switch try InputOpening(text, form) {
    case .dump(let content, let header, let checksum):
      (self.content, self.header, headerChecksum) = (content, header, checksum)
    case .file(let shape):
      content = .files(InputFile(text: text, shape: shape, source: identifying))
      (header, headerChecksum) = (nil, DumpChecksum())
    }
    text.limit = limits.element
  }

  /// Opens a file of an input that is not a dump, and reads as far as its first element.
  ///
  /// - Throws: ``DumpError``, also if the file is a dump.
  func open(_ number: Int) throws(DumpError) -> InputFile {
    try Self.open(number, of: files, form, maximumElement, decompression, bytesRead)
  }

  private static func open(
    _ number: Int, of files: InputFiles, _ form: InputForm, _ maximumElement: Int,
    _ decompression: DecompressionLimits, _ bytesRead: ByteCounter
  ) throws(DumpError) -> InputFile {
    let name = InputFiles.displayName(files.files[number])
    let source = IdentifyingSource(CountedSource(try files.open(number), bytesRead))
    let text = InputText(
      DecompressingSource(source, limits: decompression), name: name, limit: maximumElement)
    switch try InputOpening(text, form) {
    case .file(let shape): return InputFile(text: text, shape: shape, source: source)
    case .dump:
      throw DumpError(
        files.files.count > 1
          ? "is a dump; import it alone"
          : "is a dump, which describes the form of its files itself", kind: .impossible, path: name
      )
    }
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

  /// The number of files that are read one after the other; 0 for a dump in one file.
  var fileCount: Int {
    switch content {
    case .directory(let manifest): manifest.files.count
    case .files: files.files.count
    case .lines, .document: 0
    }
  }

  /// The name of a file as messages show it.
  func fileName(_ number: Int) -> String {
    switch content {
    case .directory(let manifest) where manifest.files.indices.contains(number):
      path + "/" + manifest.files[number].name
    case .files where files.files.indices.contains(number):
      InputFiles.displayName(files.files[number])
    default: path
    }
  }

  private static func entry(_ path: String) -> stat? { (try? entryAttributes(at: path)) ?? nil }

  private static func manifest(
    of directory: String, limit: Int, _ decompression: DecompressionLimits
  ) throws(DumpError) -> (DumpManifest, IdentifyingSource) {
    let path = directory + "/" + DumpManifest.fileName
    // Opening the file reports other errors.
    if (try? entryExists(at: path)) == false {
      let isStore = StoreFiles(directory).hasData
      throw DumpError(
        isStore
          ? "is a store, not a dump; \(storeAdvice(directory))"
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

  /// The identity of the input's bytes; known once the input was read to its end.
  var identity: InputIdentity { identifying.identity }

  /// Whether the input is the rejects of an import, of whose dump it has a few elements only.
  var isRejects: Bool {
    if case .lines(_, hasEnd: false) = content { header != nil } else { false }
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
    let count = try unsafe source.read(into: buffer)
    counter.add(count)
    return count
  }
}
