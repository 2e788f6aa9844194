internal import BoxJSON
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file of elements that could not be imported, with a file of the reasons beside it.
///
/// The file is input for another import once its lines are corrected: it begins with the header of
/// the dump, if there is one, marked so that no totals are expected. Records of delimited text follow the
/// header of their file. The reasons are lines of JSON,
/// in the same order, in a file of the same name followed by `.reasons`. Both files are created
/// with the first element, and never replace others.
public final class RejectsFile {
  private let path: String
  private let header: DumpHeader?
  private var elements: Output?
  private var reasons: Output?
  /// Whether existing files belong to the import that is resumed.
  private var isResumed = false
  /// The header of the last record of delimited text; nil before the first one.
  private var lastHeader: [UInt8]?

  /// The path of the reasons beside a file of elements.
  public static func reasonsPath(_ path: String) -> String { path + ".reasons" }

  /// Creates the files of an import.
  ///
  /// - Parameters:
  ///   - path: The file of elements.
  ///   - input: The input of the import.
  public init(path: String, for input: DumpInput) {
    self.path = path
    header = input.header
  }

  /// Prepares the files: for a new import none may exist; a resumed import continues after the
  /// output of the interrupted one.
  ///
  /// - Throws: ``DumpError`` of kind `usage` if other files exist under their names.
  func begin(rejects: Int, reasons: Int, isResumed: Bool) throws(DumpError) {
    self.isResumed = isResumed
    let files = [(path, rejects), (Self.reasonsPath(path), reasons)]
    let sizes = files.map { Self.size(of: $0.0) }
    if !isResumed {
      for (file, size) in zip(files, sizes) where size != nil {
        throw DumpError(
          "exists already; name another file, or remove it", kind: .usage, path: file.0)
      }
      return
    }
    // A file of rejects always has a file of reasons beside it.
    for (position, file) in files.enumerated() {
      if (sizes[position] ?? 0) < file.1 || (sizes[position] == nil) != (sizes[1 - position] == nil)
      {
        throw DumpError(
          "is not the file that the interrupted import wrote; name that one", kind: .usage,
          path: file.0)
      }
    }
    if rejects == 0 { return }
    elements = try Output(path, keeping: rejects)
    self.reasons = try Output(Self.reasonsPath(path), keeping: reasons)
  }

  /// The size of a file in bytes; nil if it does not exist.
  private static func size(of path: String) -> Int? {
    ((try? entryAttributes(at: path)) ?? nil).map { Int($0.st_size) }
  }

  func append(_ issue: ImportIssue) throws(DumpError) {
    let elements = try opened()
    if let element = issue.element {
      if let header = element.header {
        try writeHeader(header, to: elements)
        try elements.write(element.text)
      } else {
        let isWhole = header == nil || element.isLine
        try elements.write(isWhole ? oneLine(element.text) : wrapped(element))
      }
      try elements.write([10])
    }
    try reasons?.write(Array((issue.json.text(indent: 0) + "\n").utf8))
  }

  /// Writes the header of records, unless the record before has the same.
  private func writeHeader(_ header: [UInt8], to elements: Output) throws(DumpError) {
    if header.isEmpty || header == lastHeader { return }
    let isFirst = lastHeader == nil
    lastHeader = header
    // A resumed import has written it before.
    if isFirst, elements.end > 0, try Self.begins(path, with: header + [10]) { return }
    try elements.write(header + [10])
  }

  private static func begins(_ path: String, with bytes: [UInt8]) throws(DumpError) -> Bool {
    let source = try FileSource(path: path)
    var found: [UInt8] = []
    var block = [UInt8](repeating: 0, count: bytes.count)
    while found.count < bytes.count {
      let count = try dumpErrors {
        try unsafe block.withUnsafeMutableBytes { try unsafe source.read(into: $0) }
      }
      if count == 0 { return false }
      found += block[..<count]
    }
    return found.starts(with: bytes)
  }

  private func opened() throws(DumpError) -> Output {
    if let elements { return elements }
    let kept = isResumed ? 0 : nil
    let output = try Output(path, keeping: kept)
    reasons = try Output(Self.reasonsPath(path), keeping: kept)
    elements = output
    if let header {
      var text = header.text
      text.removeLast()
      try output.write(Array("{\"\(DumpFormat.envelopeKey)\":".utf8) + text)
      try output.write(Array(",\"rejects\":true}}\n".utf8))
    }
    return output
  }

  /// An object of a directory or a document as a line that names its entity.
  private func wrapped(_ element: RejectedElement) -> [UInt8] {
    var writer = JSONTextWriter()
    writer.append(raw: "{")
    writer.append(string: element.name ?? "")
    writer.append(raw: ":")
    writer.append(raw: oneLine(element.text))
    writer.append(raw: "}")
    return writer.bytes
  }

  /// Replaces line feeds with spaces; JSON strings cannot contain line feeds.
  private func oneLine(_ text: [UInt8]) -> [UInt8] {
    text.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }

  /// The sizes of both files, including bytes that are not written yet.
  var sizes: (rejects: Int, reasons: Int) { (elements?.end ?? 0, reasons?.end ?? 0) }

  /// Syncs both files to disk and returns their sizes.
  func synchronize() throws(DumpError) -> (rejects: Int, reasons: Int) {
    (try elements?.synchronize() ?? 0, try reasons?.synchronize() ?? 0)
  }

  /// Removes the files, if this import has created them: nothing of it is kept.
  func discard() {
    if elements == nil || isResumed { return }
    (elements, reasons) = (nil, nil)
    for file in [path, Self.reasonsPath(path)] { unsafe unlink(file) }
  }

  private final class Output {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var size: Int
    var end: Int { size + buffer.count }

    /// Opens a file and keeps its first bytes; nil creates a file, which must not exist.
    init(_ path: String, keeping kept: Int?) throws(DumpError) {
      self.path = path
      size = kept ?? 0
      let isNew = kept == nil ? O_EXCL : 0
      descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | isNew, 0o600)
      if descriptor < 0 || ftruncate(descriptor, off_t(size)) != 0
        || lseek(descriptor, off_t(size), SEEK_SET) < 0
      {
        throw Self.failure(.last, path)
      }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(DumpError) {
      buffer += bytes
      if buffer.count > 1 << 20 { try flush() }
    }

    func synchronize() throws(DumpError) -> Int {
      try flush()
      do throws(SystemError) {
        try BoxSystem.synchronize(descriptor)
      } catch {
        throw Self.failure(error, path)
      }
      return size
    }

    private func flush() throws(DumpError) {
      do throws(SystemError) {
        try writeAll(buffer, to: descriptor)
      } catch {
        throw Self.failure(error, path)
      }
      size += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }

    private static func failure(_ error: SystemError, _ path: String) -> DumpError {
      DumpError("cannot be written", error, path)
    }
  }
}
