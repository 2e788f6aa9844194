internal import BoxEngine
internal import BoxJSON

/// The imports that a store has had from beginning to end, noted in it, so that one that is repeated
/// with `resumes` does nothing.
struct CompletedImports {
  static let key: [UInt8] = Array("imported".utf8)
  /// The note is read and written whole; of more imports the latest are known.
  private static let limit = 1000

  /// Everything except the input that determines the result of an import.
  struct Settings: Hashable {
    var options: ImportSettings
    var rules: ReadingRules
  }

  private struct Entry {
    var settings: Settings
    var identity: InputIdentity

    init(settings: Settings, identity: InputIdentity) {
      self.settings = settings
      self.identity = identity
    }

    init(_ node: JSONNode, in document: JSONDocument) throws(DumpError) {
      let reader = try MemberReader(document, node, "an import", line: 1)
      settings = Settings(
        options: try ImportSettings(reader.object("options", "the options of an import")),
        rules: try ReadingRules(reader.object("rules", "the rules of an import")))
      let bytes: Int = try reader.integer("bytes")
      identity = InputIdentity(bytes: bytes, checksum: try reader.checksum("crc32c"))
    }
  }

  private var entries: [Entry] = []

  /// Reads the note of a store.
  ///
  /// - Throws: ``StoreError``.
  init(_ transaction: Transaction) throws {
    guard let bytes = try transaction.checkpoint(Self.key),
      let document = try? JSONDocument(parsing: bytes)
    else { return }
    for node in document.elementNodes(of: document.root) {
      // An entry that cannot be read is unknown: such an import is carried out.
      if let entry = try? Entry(node, in: document) { entries.append(entry) }
    }
  }

  /// The sizes of the inputs that were imported with some settings.
  func sizes(settings: Settings) -> Set<Int> {
    Set(entries.filter { $0.settings == settings }.map(\.identity.bytes))
  }

  /// Whether an input was imported with some settings.
  func contains(_ identity: InputIdentity, settings: Settings) -> Bool {
    entries.contains { $0.settings == settings && $0.identity == identity }
  }

  /// Adds an import.
  mutating func add(_ identity: InputIdentity, settings: Settings) {
    entries.removeAll { $0.settings == settings && $0.identity == identity }
    entries.append(Entry(settings: settings, identity: identity))
    entries.removeFirst(max(0, entries.count - Self.limit))
  }

  /// The note.
  var note: [UInt8] {
    let json = JSONValue.array(
      entries.map {
        [
          "options": $0.settings.options.json, "rules": $0.settings.rules.json,
          "bytes": .int($0.identity.bytes),
          "crc32c": .string(DumpChecksum.text($0.identity.checksum)),
        ]
      })
    return Array(json.text(indent: 0).utf8)
  }
}

extension Transaction {
  /// Removes the notes of an import, except the note of completed imports.
  func clearImport(_ completed: CompletedImports) throws {
    try replaceCheckpoints([CompletedImports.key: completed.note])
  }
}
