internal import BoxJSON

/// Writes the parts of a dump in one of the shapes, tables, or a database.
struct DumpWriter: ~Copyable {
  /// The section that follows.
  enum Part {
    case entity(String)
    case relation(String)

    var name: String {
      switch self {
      case .entity(let name), .relation(let name): name
      }
    }
  }

  /// The writer of the objects.
  var output: BlockWriter

  /// The layout of the files.
  enum Layout: Hashable {
    case dump(DumpShape)
    /// One table.
    case table
    /// A directory with a table for each entity.
    case tables(ending: String)
    /// A database, which has no files of its own here.
    case database
  }

  private let header: DumpHeader
  private let layout: Layout
  private let compression: Compression
  private let destination: any DumpOutput
  private let queue: WritingQueue
  /// The database in place of files; nil for files.
  private let database: (any DatabaseOutput)?
  /// The positions of the table and of the relation that are written to a database.
  private var positions = (table: -1, relation: -1)
  /// The file that is being written; nil between the files of a directory.
  private var file: OutputFile?
  private var files: [DumpManifest.File] = []
  private var fileNames: Set<String> = []
  /// The number of objects or sources in a file of a directory; nil for all of a section in one file.
  private let rowsPerFile: Int?
  /// Whether a directory gets a file that marks it as complete.
  private let marksEnd: Bool
  /// Whether a schema tells how long lines are.
  private let measuresLines: Bool
  /// The files of the section that is written to a directory.
  private var section = SectionFiles()
  /// The names of the views for DuckDB.
  private var viewNames = SQLNames()
  private var hasParts = (entities: false, relations: false)

  /// The text around the items of the part.
  private(set) var frame = ItemFrame()
  private var isFirst = true
  /// The source whose entry is open; nil for none.
  private var openSource: UInt64?

  /// Begins a dump.
  ///
  /// - Parameters:
  ///   - header: The header of the dump; tables have none.
  ///   - options: The layout of the files, and their compression.
  ///   - destination: The destination of the files.
  /// - Throws: The error of the destination.
  init(
    _ header: DumpHeader, _ options: ExportOptions, _ destination: any DumpOutput
  ) throws {
    self.header = header
    self.layout = options.layout
    self.compression = options.compression
    self.destination = destination
    rowsPerFile = options.rowsPerFile
    measuresLines = options.schemas.contains(.duckdb)
    marksEnd = options.rowsPerFile != nil || !options.schemas.isEmpty
    database = nil
    queue = WritingQueue(helpers: ExportRun.workerCount)
    switch layout {
    case .dump(.directory), .tables, .database:
      // Nothing goes there: each part begins its own.
      let nothing = try OutputFile(NoStream(), .none)
      output = BlockWriter(queue, nothing)
      return
    case .dump(.lines):
      if header.entities.contains(DumpFormat.envelopeKey) {
        throw DumpError(
          "an entity has the name \(DumpFormat.envelopeKey), by which a dump of lines begins and ends",
          kind: .usage, remedy: .nameShape)
      }
    case .dump, .table: break
    }
    let file = try OutputFile(try destination.open(""), compression)
    self.file = file
    output = BlockWriter(queue, file)
    switch layout {
    case .dump(.lines):
      output.append("{\"\(DumpFormat.envelopeKey)\":")
      output.append(header.text)
      output.append("}\n")
    case .dump(.document):
      output.append("{\"boxjoint\":")
      output.append(header.text)
      output.append(",\n\"entities\":{")
    case .dump(.directory), .table, .tables, .database: break
    }
  }

  /// Begins a database.
  ///
  /// - Throws: The error of the database.
  init(_ header: DumpHeader, _ database: any DatabaseOutput, _ plan: DatabasePlan) throws {
    try database.begin(plan)
    let nothing = try OutputFile(NoStream(), .none)
    self.header = header
    self.database = database
    (layout, compression, destination) = (.database, .none, NoOutput())
    (rowsPerFile, marksEnd, measuresLines) = (nil, false, false)
    queue = WritingQueue()
    output = BlockWriter(queue, nothing)
  }

  /// The number of threads that write batches of objects: one writes to a database.
  var helpers: Int { database == nil ? ExportRun.workerCount : 1 }

  /// Throws the first error of a write on the queue.
  func requireSuccess() throws { try queue.requireSuccess() }

  // MARK: - Parts

  /// Begins a section.
  ///
  /// - Parameters:
  ///   - part: The section.
  ///   - title: The first line of a table.
  /// - Throws: The error of the destination.
  mutating func begin(_ part: Part, title: [UInt8] = []) throws {
    isFirst = true
    switch part {
    case .entity: positions.table += 1
    case .relation: positions.relation += 1
    }
    let key = JSONValue.string(part.name).text(indent: 0)
    switch layout {
    case .database: break
    case .table: output.append(title)
    case .tables(let ending):
      try beginFile(uniqueStem(part.name) + "." + ending + compression.ending)
      output.append(title)
    case .dump(.lines):
      let prefix = Array("{\(key):".utf8)
      frame = ItemFrame(firstPrefix: prefix, prefix: prefix, suffix: Array("}\n".utf8))
    case .dump(.directory):
      frame = ItemFrame(suffix: Array("\n".utf8))
      section = SectionFiles(name: part.name)
      try beginSectionFile()
    case .dump(.document):
      frame = ItemFrame(firstPrefix: Array("\n".utf8), prefix: Array(",\n".utf8))
      switch part {
      case .entity:
        if hasParts.entities { output.append(",\n") }
        hasParts.entities = true
      case .relation:
        output.append(hasParts.relations ? ",\n" : "},\n\"relations\":{")
        hasParts.relations = true
      }
      output.append("\(key):[")
    }
  }

  /// Begins the next file of a section.
  private mutating func beginSectionFile() throws {
    let number = String(section.files.names.count + 1)
    let zeros = String(repeating: "0", count: max(0, 5 - number.count))
    section.stem = uniqueStem(section.name, rowsPerFile == nil ? "" : "-" + zeros + number)
    let name = section.stem + DumpManifest.File.ending + compression.ending
    section.files.names.append(name)
    section.open = (0, 0)
    try beginFile(name)
  }

  /// Ends a file of a section in a directory.
  private mutating func endSectionFile(_ content: DumpManifest.Content) throws {
    let (bytes, checksum) = try output.flush()
    if let file {
      section.files.longestLine = max(section.files.longestLine, file.longestLine)
      queue.run { try file.finish() }
    }
    file = nil
    guard let name = section.files.names.last else { return }
    files.append(
      DumpManifest.File(name: name, content: content, bytes: bytes, checksum: checksum))
    section.file(content)
  }

  /// Continues a section in another file.
  ///
  /// - Parameter content: The objects or entries in the file that is open.
  /// - Throws: The error of the destination.
  mutating func beginNextFile(after content: DumpManifest.Content) throws {
    try endSectionFile(content)
    try beginSectionFile()
  }

  private mutating func beginFile(_ name: String) throws {
    let file = try OutputFile(
      try destination.open(name), compression, measuresLines: measuresLines)
    output.continue(in: file)
    self.file = file
  }

  /// The name of a file without its ending that no other part has, however the names of the parts are written.
  private mutating func uniqueStem(_ part: String, _ number: String = "") -> String {
    var areTables = marksEnd
    if case .tables = layout { areTables = true }
    let stems = DumpManifest.File.stems(of: part, areTables: areTables)
    var name = stems.first + number
    var attempt = 1
    while !fileNames.insert(name.lowercased()).inserted {
      name = (attempt == 1 ? stems.second : "\(stems.second)~\(attempt)") + number
      attempt += 1
    }
    return name
  }

  private mutating func beginItem() {
    output.begin(frame, isFirst: isFirst)
    isFirst = false
  }

  /// Writes objects that are given in a batch.
  mutating func write(_ batch: ObjectBatch) throws {
    if let database { return try batch.insert(into: positions.table, of: database) }
    try batch.write(frame, isFirst: isFirst, to: &output)
    isFirst = false
  }

  /// Submits a job that writes a batch of objects, after everything written before.
  ///
  /// Until those jobs are done nothing else can be written.
  mutating func submit(_ batch: ObjectBatch, to workers: OrderedWorkers) {
    if let database {
      let table = positions.table
      workers.submit { if $0.wait() { try batch.insert(into: table, of: database) } }
      return
    }
    guard let file else { return }
    if isFirst { output.handOver() }
    let (queue, frame, isFirst) = (queue, frame, isFirst)
    self.isFirst = false
    workers.submit { turn in
      var output = BlockWriter(queue, file, turn)
      try batch.write(frame, isFirst: isFirst, to: &output)
      output.handOver()
    }
  }

  /// Writes an entry of a relation to many, in the order of the sources.
  ///
  /// - Returns: Whether it is the first one of its source.
  /// - Throws: The error of the database.
  mutating func append(source: UInt64, target: UInt64, quoted: Bool) throws -> Bool {
    let isNew = openSource != source
    if let database {
      try database.insert(source: source, target: target, into: positions.relation)
      openSource = source
      return isNew
    }
    if isNew {
      endEntry()
      if section.open.sources == rowsPerFile {
        let (sources, targets) = section.open
        try beginNextFile(
          after: .relation(.init(name: section.name, sources: sources, targets: targets)))
      }
      section.open.sources += 1
      beginEntry(source, quoted: quoted)
      openSource = source
    } else {
      output.reserve(BlockWriter.numberRoom)
      output.put(UInt8(ascii: ","))
    }
    section.open.targets += 1
    output.reserve(BlockWriter.numberRoom)
    output.put(integer: target, quoted: quoted)
    return isNew
  }

  private mutating func beginEntry(_ source: UInt64, quoted: Bool) {
    beginItem()
    output.reserve(2 * BlockWriter.numberRoom)
    output.put("{\"source\":")
    output.put(integer: source, quoted: quoted)
    output.put(",\"targets\":[")
  }

  /// Ends the entry of the open source, if there is one.
  private mutating func endEntry() {
    if openSource == nil { return }
    openSource = nil
    output.reserve(2)
    output.put("]}")
    output.end(frame)
  }

  /// Ends a section.
  ///
  /// - Parameters:
  ///   - content: The counts of the section.
  ///   - schema: The types of its values, for files beside its own in a directory.
  /// - Throws: The error of the destination.
  mutating func end(_ content: DumpManifest.Content, _ schema: ReaderSchema) throws {
    if database == nil { endEntry() } else { openSource = nil }
    switch layout {
    case .dump(.lines), .table, .database: break
    case .dump(.directory), .tables:
      try endSectionFile(section.rest(of: content))
      if !section.files.names.isEmpty { try write(schema, of: section.files) }
    case .dump(.document): output.append("]")
    }
  }

  private mutating func write(_ schema: ReaderSchema, of files: SchemaFiles) throws {
    if schema.readers.isEmpty { return }
    let stem = rowsPerFile == nil ? section.stem : uniqueStem(schema.name)
    for reader in schema.readers {
      let stream = try destination.open(stem + reader.ending)
      let text = Array(schema.text(for: reader, of: files, &viewNames).utf8)
      queue.run {
        try unsafe text.withUnsafeBytes { try unsafe stream.write($0) }
        try stream.finish()
      }
    }
  }

  // MARK: - The end

  mutating func finish(_ totals: DumpTotals) throws {
    if let database { return try database.finish(totals) }
    switch layout {
    case .table, .database: break
    case .tables: try markEnd()
    case .dump(.lines):
      let checksum = try output.flush().checksum
      output.append("{\"\(DumpFormat.envelopeKey)\":{\"end\":")
      output.append(totals.text(checksum: checksum, header: header.text))
      output.append("}}\n")
    case .dump(.document):
      output.append(hasParts.relations ? "},\n" : "},\n\"relations\":{},\n")
      let checksum = try output.flush().checksum
      output.append("\"end\":")
      output.append(totals.text(checksum: checksum, header: header.text))
      output.append("}\n")
    case .dump(.directory):
      // The others are whole before there is a manifest.
      try queue.wait()
      let manifest = DumpManifest(header: header, files: files)
      let file = try OutputFile(try destination.open(DumpManifest.fileName), .none)
      output.continue(in: file)
      self.file = file
      output.append(manifest.text)
      if marksEnd { try markEnd() }
    }
    try finishFile()
  }

  /// Begins the file that marks a directory as complete, after all others are whole.
  private mutating func markEnd() throws {
    try finishFile()
    try beginFile(InputFiles.successName)
  }

  /// Ends the last file, and waits until all files are whole.
  private mutating func finishFile() throws {
    _ = try output.flush()
    if let file { queue.run { try file.finish() } }
    file = nil
    try queue.wait()
  }
}

/// The text before the first item of a part, before each of the others, and after each item.
struct ItemFrame: Sendable {
  var firstPrefix: [UInt8] = []
  var prefix: [UInt8] = []
  var suffix: [UInt8] = []
}

extension BlockWriter {
  @inline(__always)
  mutating func begin(_ frame: borrowing ItemFrame, isFirst: Bool) {
    put(isFirst ? frame.firstPrefix : frame.prefix)
  }

  @inline(__always)
  mutating func end(_ frame: borrowing ItemFrame) { put(frame.suffix) }

  @inline(__always)
  private mutating func put(_ text: borrowing [UInt8]) {
    unsafe text.withUnsafeBufferPointer { unsafe append($0, room: 0) }
  }
}

/// A file that nothing is written to.
private final class NoStream: DumpStream {
  func write(_ bytes: UnsafeRawBufferPointer) throws {}
  func finish() throws {}
}

/// A destination that no file is opened in.
private final class NoOutput: DumpOutput {
  func open(_ name: String) throws -> any DumpStream { NoStream() }
}
