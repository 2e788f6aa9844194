internal import BoxJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Scans a dump of any shape, line by line, as ``DumpWriter`` lays the lines out.
///
/// Objects and entries are passed on as bytes, without parsing them.
struct DumpScanner {
  /// An object or an entry of a relation.
  struct Item {
    /// `Entity`, or `Entity.relation` for an entry.
    var section: String
    var isEntry: Bool
    /// Its JSON.
    var json: ArraySlice<UInt8>
    /// The line of the file that it is on.
    var line: Int
  }

  /// The end of a dump, with the expected and the actual checksums.
  struct End {
    var totals: DumpTotals
    /// The checksum in the dump, and the checksum of its bytes.
    var said: UInt32
    var found: UInt32
    /// Whether the header and the totals are unchanged since they were written.
    var isUnchanged: Bool
  }

  let header: DumpHeader
  /// The files of a dump that is a directory.
  let files: [DumpManifest.File]
  /// Whether the manifest is unchanged since it was written.
  let isManifestUnchanged: Bool
  private let headerChecksum: DumpChecksum
  private let path: String
  private let limits: DecompressionLimits

  /// Opens a dump and reads its header.
  ///
  /// - Throws: ``DumpError`` if it is not a dump, or cannot be read.
  init(
    _ path: String, isFolder: Bool, limits: DecompressionLimits = DecompressionLimits()
  ) throws(DumpError) {
    self.path = path
    self.limits = limits
    if isFolder {
      let manifest = try Self.manifest(path, limits)
      (header, files) = (manifest.header, manifest.files)
      (isManifestUnchanged, headerChecksum) = (manifest.isUnchanged, DumpChecksum())
      return
    }
    files = []
    isManifestUnchanged = true
    let reader = try LineReader(path, limits: limits)
    var text = Array(try reader.next() ?? [])
    let isLines = text.starts(with: Self.envelope)
    let isDocument = text.starts(with: #"{"boxjoint":"#.utf8)
    if isLines || isDocument, text.count > DumpFormat.maximumHeader {
      throw reader.error("the header is longer than \(DumpFormat.maximumHeader >> 20) MiB")
    }
    do throws(DumpError) {
      if isLines {
        (header, headerChecksum) = try Self.header(text, DumpFormat.envelopeKey, reader)
        return
      }
      if isDocument, text.popLast() == UInt8(ascii: ",") {
        text.append(UInt8(ascii: "}"))
        (header, headerChecksum) = try Self.header(text, "boxjoint", reader)
        return
      }
    } catch {
      throw reader.isEnded ? error : reader.endsEarly("the header has no end")
    }
    if isDocument, !reader.isEnded, Sections.endOfObject(text[...]) == nil {
      throw reader.endsEarly("the header has no end")
    }
    // In another layout than that in which dumps are written it may still be one.
    if let input = try? DumpInput(path: path, decompression: limits), input.header != nil {
      throw DumpError(
        "the layout of the dump was changed, so it cannot be read line by line; import reads it",
        kind: .impossible, path: path)
    }
    throw reader.error("this is no dump: its first line is no header")
  }

  static let envelope = Array("{\"\(DumpFormat.envelopeKey)\":".utf8)

  private static func manifest(
    _ path: String, _ limits: DecompressionLimits
  ) throws(DumpError) -> DumpManifest {
    let file = path + "/" + DumpManifest.fileName
    var attributes = stat()
    if lstat(file, &attributes) != 0 && errno == ENOENT {
      let isStore = lstat(path + "/data.mdb", &attributes) == 0
      throw DumpError(
        isStore
          ? "is a store, and no dump; `boxjoint store verify` checks it"
          : "has no \(DumpManifest.fileName): it is no dump, or one that was not finished",
        path: path)
    }
    let reader = try LineReader(file, isPart: true, limits: limits)
    var text: [UInt8] = []
    while let line = try reader.next() {
      if text.count + line.count > DumpFormat.maximumHeader {
        throw reader.error("the manifest is longer than \(DumpFormat.maximumHeader >> 20) MiB")
      }
      text += line
      text.append(UInt8(ascii: "\n"))
    }
    do throws(DumpError) {
      return try DumpManifest(parsing: text)
    } catch {
      throw error.inFile(file)
    }
  }

  private static func parse(_ text: [UInt8], _ reader: LineReader) throws(DumpError) -> JSONDocument
  {
    do throws(JSONError) {
      return try JSONDocument(parsing: text)
    } catch {
      throw DumpError(error, line: reader.line).inFile(reader.path)
    }
  }

  private static func header(
    _ text: [UInt8], _ key: String, _ reader: LineReader
  ) throws(DumpError) -> (DumpHeader, DumpChecksum) {
    let document = try parse(text, reader)
    guard let node = document.value(forKey: key, in: document.root) else {
      throw reader.error("the first line is no header")
    }
    do throws(DumpError) {
      return (try DumpHeader(node, in: document), DumpChecksum(node, in: document))
    } catch {
      throw error.inFile(reader.path)
    }
  }

  // MARK: - Walking

  /// Reads the items of a dump that is one file, from the first one on.
  ///
  /// - Throws: ``DumpError`` if it cannot be read.
  func items() throws(DumpError) -> DumpItems {
    let reader = try LineReader(path, limits: limits)
    let line = try reader.next() ?? []
    return DumpItems(reader, .dump(self), Array(line))
  }

  /// Reads the items of a file of a directory.
  ///
  /// - Throws: ``DumpError`` if it cannot be read.
  func items(of file: DumpManifest.File) throws(DumpError) -> DumpItems {
    let reader = try LineReader(path + "/" + file.name, isPart: true, limits: limits)
    return switch file.content {
    case .entity(let total): DumpItems(reader, .section(total.name, isEntry: false))
    case .relation(let total): DumpItems(reader, .section(total.name, isEntry: true))
    }
  }

  /// The end of a dump, if a line is it.
  fileprivate func end(
    _ line: ArraySlice<UInt8>, _ reader: LineReader
  ) throws(DumpError) -> (end: DumpEnd, isUnchanged: Bool)? {
    let text: [UInt8]
    switch header.shape {
    case .lines where line.starts(with: Self.envelope):
      // The line without the braces around it.
      text = Array(line.dropFirst(Self.envelope.count).dropLast())
    // Not the array of an entity of that name.
    case .document where line.starts(with: #""end":{"#.utf8): text = [UInt8(ascii: "{")] + line
    default: return nil
    }
    let document = try Self.parse(text, reader)
    guard let node = document.value(forKey: "end", in: document.root) else {
      throw reader.error("this line has no place in a dump")
    }
    do throws(DumpError) {
      let end = try DumpEnd(node, in: document, line: reader.line)
      return (end, end.isRight(after: headerChecksum))
    } catch {
      throw error.inFile(reader.path)
    }
  }
}

/// The objects and entries of a dump, or of a file of one, in their order.
final class DumpItems {
  enum Kind {
    case dump(DumpScanner)
    case section(String, isEntry: Bool)
  }

  /// The end of the dump; nil until it was read.
  private(set) var end: DumpScanner.End?
  /// The size and the checksum of the bytes read so far.
  private(set) var bytes = 0
  private(set) var checksum = DumpChecksum()

  private let reader: LineReader
  private let kind: Kind
  private var sections = Sections(.lines, entities: [])

  init(_ reader: LineReader, _ kind: Kind, _ firstLine: [UInt8]? = nil) {
    self.reader = reader
    self.kind = kind
    if case .dump(let scanner) = kind {
      sections = Sections(scanner.header.shape, entities: scanner.header.entities)
    }
    if let firstLine { count(firstLine[...]) }
  }

  /// The file that they are read from.
  var path: String { reader.path }

  private func count(_ line: ArraySlice<UInt8>) {
    checksum.update(line)
    bytes += line.count
    if reader.isEnded {
      checksum.update([UInt8(ascii: "\n")])
      bytes += 1
    }
  }

  /// The next item, whose bytes are valid until the call after this; nil at the end.
  ///
  /// - Throws: ``DumpError`` for a line that has no place in a dump.
  func next() throws(DumpError) -> DumpScanner.Item? {
    do throws(DumpError) {
      return try nextItem()
    } catch {
      // Half of a line is nothing that could be read.
      if case .dump = kind, error.kind == .malformed, !reader.isEnded, end == nil {
        throw reader.endsEarly("the last line has no end")
      }
      throw error
    }
  }

  private func nextItem() throws(DumpError) -> DumpScanner.Item? {
    while let line = try reader.next() {
      switch kind {
      case .section(let name, let isEntry):
        count(line)
        if line.isEmpty { continue }
        return .init(section: name, isEntry: isEntry, json: line, line: reader.line)
      case .dump(let scanner):
        if let (end, isUnchanged) = try scanner.end(line, reader) {
          self.end = .init(
            totals: end.totals, said: end.checksum, found: checksum.value,
            isUnchanged: isUnchanged)
          if let extra = try reader.next(), !extra.isEmpty {
            throw reader.error("there is something behind the end of the dump")
          }
          return nil
        }
        if !reader.isEnded { throw reader.endsEarly("the last line has no end") }
        count(line)
        if let item = try sections.item(line, reader) { return item }
      }
    }
    return nil
  }

  /// The error of a dump that ends before its last line.
  func endsEarly() -> DumpError { reader.endsEarly("its last line, with the totals, is missing") }

  /// An error about an item.
  func error(_ message: String, _ item: DumpScanner.Item) -> DumpError {
    reader.error(message, line: item.line)
  }
}

/// Knows which entity or relation a line of a dump belongs to.
private struct Sections {
  private let shape: DumpShape
  /// The entities that the header names.
  private let entities: Set<String>
  private var name = ""
  private var isEntry = false
  /// The bytes with which each line of the section begins.
  private var prefix: [UInt8] = []

  init(_ shape: DumpShape, entities: [String]) {
    self.shape = shape
    self.entities = Set(entities)
  }

  /// The item on a line; nil where there is none.
  mutating func item(
    _ line: ArraySlice<UInt8>, _ reader: LineReader
  ) throws(DumpError) -> DumpScanner.Item? {
    if shape == .lines {
      if prefix.isEmpty || !line.starts(with: prefix) { try beginLines(line, reader) }
      let json = line.dropFirst(prefix.count).dropLast()
      return .init(section: name, isEntry: isEntry, json: json, line: reader.line)
    }
    var rest = line
    if rest.starts(with: #""entities":{"#.utf8) {
      rest = rest.dropFirst(12)
      isEntry = false
    } else if rest.starts(with: #""relations":{"#.utf8) {
      rest = rest.dropFirst(13)
      isEntry = true
    }
    if rest.first == UInt8(ascii: "\"") {
      name = try key(&rest, reader)
    } else if rest.first == UInt8(ascii: "{") {
      guard let end = Self.endOfObject(rest) else {
        throw reader.error("the object on this line has no end")
      }
      rest = rest[..<end]
      return .init(section: name, isEntry: isEntry, json: rest, line: reader.line)
    } else if !rest.isEmpty && rest != Array("},".utf8)[...] {
      throw reader.error("this line has no place in a dump")
    }
    return nil
  }

  private mutating func beginLines(
    _ line: ArraySlice<UInt8>, _ reader: LineReader
  ) throws(DumpError) {
    guard line.starts(with: #"{""#.utf8) else {
      throw reader.error("this line has no place in a dump: it has no name of an entity")
    }
    var rest = line.dropFirst()
    name = try key(&rest, reader)
    prefix = Array(line[..<rest.startIndex])
    // The first property of an entity may have that name too.
    isEntry = !entities.contains(name) && rest.starts(with: #"{"source":"#.utf8)
  }

  /// The index behind the object that a line begins with.
  static func endOfObject(_ line: ArraySlice<UInt8>) -> Int? {
    var (depth, isInString, index) = (0, false, line.startIndex)
    while index < line.endIndex {
      switch line[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Takes a key and its colon.
  private func key(
    _ rest: inout ArraySlice<UInt8>, _ reader: LineReader
  ) throws(DumpError) -> String {
    var index = rest.startIndex + 1
    while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
      index += rest[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index + 1 < rest.endIndex, rest[index + 1] == UInt8(ascii: ":"),
      let document = try? JSONDocument(parsing: Array(rest[...index]))
    else { throw reader.error("this line has no place in a dump: it has no name") }
    rest = rest[(index + 2)...]
    return document.key(document.root)
  }
}
