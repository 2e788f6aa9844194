import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// A directory for stores and dumps.
struct ImportFixture {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  func path(_ name: String) -> String { directory.path(of: name) }

  func open(
    _ name: String, _ model: ModelDocument? = nil, defersIndexes: Bool = false
  ) throws -> ObjectStore {
    var options = StoreOptions()
    options.storesCheckpoints = true
    options.defersIndexes = defersIndexes
    return try ObjectStore.open(
      .directory(path(name)), model: model ?? ImportModel.document(), options: options)
  }

  /// Writes a dump; the path of its file or directory.
  @discardableResult
  func export(
    _ store: ObjectStore, to name: String, _ options: ExportOptions = ExportOptions()
  ) throws -> String {
    let output = DirectoryOutput(directory, name, isDirectory: options.shape == .directory)
    try DumpExporter(store, options).export(to: output)
    return path(name)
  }

  /// The totals of a dump of a store.
  func totals(_ store: ObjectStore) throws -> DumpTotals {
    try DumpExporter(store).export(to: DirectoryOutput(directory, "totals", isDirectory: false))
  }

  @discardableResult
  func load(
    _ path: String, into store: ObjectStore, rejects: String? = nil,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportSummary {
    var options = ImportOptions()
    change(&options)
    let input = try DumpInput(path: path, maximumElement: options.maximumElement)
    return try Importer(input, into: store, options: options).run(
      rejects: rejects.map { RejectsFile(path: $0, for: input) })
  }

  /// Imports a text; the path is `input`.
  @discardableResult
  func load(
    text: String, into store: ObjectStore, rejects: String? = nil,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportSummary {
    try directory.write(text, to: "input")
    return try load(path("input"), into: store, rejects: rejects, change)
  }

  /// The reason why a text is not imported; nil if it is.
  func refusal(
    _ text: String, into store: ObjectStore, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Refusal? {
    try refusal(Array(text.utf8), into: store, change)
  }

  func refusal(
    _ bytes: [UInt8], into store: ObjectStore, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Refusal? {
    try directory.write(bytes, to: "input")
    return try refusal(path: path("input"), into: store, change)
  }

  func refusal(
    path: String, into store: ObjectStore, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Refusal? {
    do {
      try load(path, into: store, change)
      return nil
    } catch let issue as ImportIssue {
      return Refusal(
        message: issue.description, line: issue.position?.line, column: issue.position?.column)
    } catch let error as DumpError {
      return Refusal(
        message: error.message, line: error.position?.line, column: error.position?.column)
    }
  }

  struct Refusal {
    var message: String
    var line: Int?
    var column: Int?
  }

  /// The lines of a store's people as a dump has them.
  func people(_ store: ObjectStore) throws -> [String] {
    var options = ExportOptions()
    options.shape = .directory
    let name = "people-\(UInt32.random(in: 0 ... .max))"
    try export(store, to: name, options)
    return try directory.text(of: name + "/Person.ndjson").split(separator: "\n").map(String.init)
  }
}

/// Dumps as files.
final class DirectoryOutput: DumpOutput {
  private let directory: TemporaryDirectory
  private let name: String
  private let isDirectory: Bool

  init(_ directory: TemporaryDirectory, _ name: String, isDirectory: Bool) {
    self.directory = directory
    self.name = name
    self.isDirectory = isDirectory
  }

  func open(_ file: String) throws -> any DumpStream {
    Stream(directory, isDirectory ? name + "/" + file : name)
  }

  private final class Stream: DumpStream, @unchecked Sendable {
    private let directory: TemporaryDirectory
    private let name: String
    private var bytes: [UInt8] = []

    init(_ directory: TemporaryDirectory, _ name: String) {
      self.directory = directory
      self.name = name
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws { self.bytes += bytes }
    func finish() throws { try directory.write(bytes, to: name) }
  }
}
