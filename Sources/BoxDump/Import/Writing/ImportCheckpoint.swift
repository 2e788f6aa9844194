internal import BoxConvert
internal import BoxJSON

/// The progress of an import, stored with each batch and removed at the end.
struct ImportCheckpoint {
  static let key: [UInt8] = Array("import".utf8)

  /// The input as the user named it.
  var path: String
  /// The options that determine the treatment of an element.
  var settings: ImportSettings
  /// The rules for reading elements.
  var rules: ReadingRules
  var place: InputPlace
  var summary: ImportSummary
  /// The number of noted references that are not resolved yet.
  var pending = 0
  /// The number of elements that have waited for a unique value.
  var waiting = 0
  /// The sizes in bytes of the file of rejects and of the file of reasons.
  var rejects = 0
  var reasons = 0
  /// The entities with a rejected object, by their names in the input; an empty name for elements
  /// without a name.
  var rejectedNames: Set<ExactText> = []
  /// Whether the store holds everything except the deferred indexes.
  var isFilled = false

  init(path: String, settings: ImportSettings, rules: ReadingRules) {
    self.path = path
    self.settings = settings
    self.rules = rules
    place = InputPlace()
    summary = ImportSummary()
  }

  var bytes: [UInt8] {
    let value: JSONValue = [
      "path": .string(path), "options": settings.json, "file": .int(place.file),
      "offset": .int(place.offset), "line": .int(place.line),
      "crc32c": .string(DumpChecksum.text(place.checksum)), "section": .string(place.section),
      "name": .string(place.name), "counts": Self.json(place.counts),
      "targets": Self.json(place.targets), "pending": .int(pending), "waiting": .int(waiting),
      "rejects": .int(rejects),
      "reasons": .int(reasons), "rejected": .int(summary.rejected),
      "repeated": .int(summary.repeated), "dangling": .int(summary.dangling),
      "inserted": Self.json(summary.entities.map { ($0.name, $0.inserted) }),
      "updated": Self.json(summary.entities.map { ($0.name, $0.updated) }),
      "added": Self.json(summary.relations.map { ($0.name, $0.added) }),
      "ignored": Self.json(summary.ignored),
      "leftOut": Self.json(summary.relations.map { ($0.name, $0.leftOut) }),
      "rules": rules.json, "filled": .bool(isFilled),
      "rejectedNames": .array(rejectedNames.sorted().map { .string($0.text) }),
      "notes": .array(summary.notes.map { .string($0) }),
    ]
    return Array(value.text(indent: 0).utf8)
  }

  private static func json(_ counts: [ExactText: Int]) -> JSONValue {
    json(counts.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) })
  }

  private static func json(_ counts: [(String, Int)]) -> JSONValue {
    .object(counts.map { .init($0.0, .int($0.1)) })
  }

  /// Reads what was noted.
  ///
  /// - Throws: ``DumpError`` if it is not what an import notes.
  init(parsing bytes: [UInt8]) throws(DumpError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw DumpError("what an interrupted import noted in the store cannot be read")
    }
    let reader = try MemberReader(document, document.root, "the note of an import", line: 1)
    let path = try reader.string("path")
    if reader.node("options") == nil { throw Self.ofOlderVersion(path) }
    self.init(
      path: path,
      settings: try ImportSettings(reader.object("options", "the options of an import")),
      rules: try ReadingRules(reader.object("rules", "the rules of an import")))
    place.file = try reader.integer("file")
    place.offset = try reader.integer("offset")
    place.line = try reader.integer("line")
    place.checksum = try reader.checksum("crc32c")
    place.section = try reader.string("section")
    place.name = try reader.string("name")
    func counts(_ key: String) throws(DumpError) -> [(name: String, count: Int)] {
      let members = try reader.object(key, key)
      var counts: [(name: String, count: Int)] = []
      for (key, _) in document.memberNodes(of: members.object) {
        let name = document.key(key)
        counts.append((name, try members.integer(name)))
      }
      return counts
    }
    for (name, count) in try counts("counts") { place.counts[ExactText(name)] = count }
    for (name, count) in try counts("targets") { place.targets[ExactText(name)] = count }
    pending = try reader.integer("pending")
    rejects = try reader.integer("rejects")
    reasons = try reader.integer("reasons")
    summary.rejected = try reader.integer("rejected")
    summary.repeated = try reader.integer("repeated")
    summary.dangling = try reader.integer("dangling")
    for ((name, inserted), (_, updated)) in zip(try counts("inserted"), try counts("updated")) {
      summary.entities.append(.init(name: name, inserted: inserted, updated: updated))
    }
    for ((name, added), (_, leftOut)) in zip(try counts("added"), try counts("leftOut")) {
      summary.relations.append(.init(name: name, added: added, leftOut: leftOut))
    }
    isFilled = try document.text(of: reader.required("filled")) == "true"
    summary.notes = try reader.strings("notes")
    // An older version did not note these.
    if reader.node("ignored") != nil {
      for (name, count) in try counts("ignored") { summary.ignored[ExactText(name)] = count }
    }
    if reader.node("waiting") != nil { waiting = try reader.integer("waiting") }
    if reader.node("rejectedNames") != nil {
      rejectedNames = Set(try reader.strings("rejectedNames").map { ExactText($0) })
    }
  }
}

extension ImportCheckpoint {
  /// The error for a checkpoint in which the options are a text, as an older version wrote them.
  private static func ofOlderVersion(_ path: String) -> DumpError {
    DumpError(
      "an import of \(path) that an older version began was interrupted in this store; finish it "
        + "with that version, or discard it", kind: .impossible, remedy: .restart)
  }
}

/// The rules for reading elements that must be the same when an import is resumed.
struct ReadingRules: Hashable {
  var unknown: UnknownMemberPolicy
  /// The form of files that are not a dump.
  var form = InputForm()
  /// The checksum of the catalogue; empty for none, and for a dump, which contains its own.
  var catalogue: String

  init(_ options: ImportOptions, _ input: DumpInput) {
    unknown = options.unknown
    form = input.form
    catalogue = ""
    if input.header == nil && !options.catalogue.isEmpty {
      var checksum = DumpChecksum()
      checksum.update(options.catalogue.json.text(indent: 0).utf8)
      catalogue = checksum.text
    }
  }

  init(_ reader: MemberReader) throws(DumpError) {
    unknown = try reader.word(reader.required("unknown"), "unknown")
    catalogue = try reader.string("catalogue")
    if reader.node("form") != nil { form = try InputForm(reader.object("form", "the form")) }
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("unknown", .string(unknown.rawValue)), .init("catalogue", .string(catalogue)),
    ]
    if let form = form.json { members.append(.init("form", form)) }
    return .object(members)
  }

  /// Throws if the remaining elements would be read differently from those before.
  ///
  /// - Parameter checkpoint: The progress of the interrupted import.
  /// - Throws: ``DumpError`` of kind `impossible`.
  func require(asIn checkpoint: ImportCheckpoint) throws(DumpError) {
    let before = checkpoint.rules
    // If nothing was rejected, there was no member that the new policy would treat differently.
    let isWider = before.unknown == .fail && checkpoint.summary.rejected == 0
    if unknown != before.unknown && !isWider {
      throw DumpError(
        "the import that was interrupted had another treatment of unknown members "
          + "(\(before.unknown.rawValue)); resume it with that one", kind: .impossible,
        remedy: .restoreUnknown(before.unknown))
    }
    if form != before.form {
      throw DumpError(
        "the import that was interrupted read its files in another form; resume it with that one",
        kind: .impossible, remedy: .restoreForm(before.form))
    }
    if catalogue != before.catalogue {
      let (which, that) = before.catalogue.isEmpty ? ("no", "none") : ("another", "that one")
      throw DumpError(
        "the import that was interrupted had \(which) catalogue of converters; resume it with \(that)",
        kind: .impossible)
    }
  }
}
