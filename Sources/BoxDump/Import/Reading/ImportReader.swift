internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Reads an input, and makes of it what can be written: on a thread of its own.
final class ImportReader {
  let input: DumpInput
  let options: ImportOptions
  let plan: ImportPlan
  let queue: EventQueue
  /// The place at which an interrupted import is resumed, and the files before it.
  private let resume: (place: InputPlace?, files: [InputIdentity])

  @safe @exclusivity(unchecked) private var chunk: Owned<PreparedChunk>?
  @safe @exclusivity(unchecked) private var objects: [ImportObject] = []
  @safe @exclusivity(unchecked) private var links: [ImportLinks] = []
  /// Entries of relations that the objects themselves have.
  @safe @exclusivity(unchecked) var ownLinks: [ImportLinks] = []
  /// The number of the file that is read.
  @safe @exclusivity(unchecked) private(set) var file = 0
  /// The header of the file if it is delimited text.
  @safe @exclusivity(unchecked) private var header: [UInt8]?
  /// The number of bytes of input from which the objects and links were made.
  @safe @exclusivity(unchecked) private var heldBytes = 0
  @safe @exclusivity(unchecked) private var inBatch = 0
  /// The destinations of the sections that occurred, by their numbers.
  private var destinations: [Destination?]
  /// The scanners of nested objects, by the names of their entities.
  var nestedScanners: [ExactText: ObjectScanner] = [:]
  private let entryScanner: EntryScanner
  /// The reader of the current file of delimited text.
  private var recordReader: TableReader?
  private let needsStore: Bool

  /// The import has ended, so the rest of the input is not read.
  private struct Stopped: Error {}

  /// A to-many relation that objects have as a member, with the number of its field.
  typealias RelationField = (field: Int, plan: RelationPlan)

  /// The destination of the elements of a section.
  private enum Destination {
    /// The scanner has the fields of the plan first, then the fields of to-many relations.
    case objects(EntityPlan, ObjectScanner, [RelationField])
    case records(TableReader)
    /// The entries of a relation; nil if the store does not have the entity.
    case links(RelationPlan?)
    /// The store does not have the entity.
    case dropped
  }

  init(
    _ input: DumpInput, _ plan: ImportPlan, _ options: ImportOptions, _ queue: EventQueue,
    resume place: InputPlace?, after files: [InputIdentity]
  ) {
    self.input = input
    self.plan = plan
    self.options = options
    self.queue = queue
    resume = (place, files)
    destinations = Array(repeating: nil, count: plan.sections.all.count)
    entryScanner = EntryScanner(
      takesPairs: input.header == nil,
      ignoresUnknown: options.relation != nil && options.unknown == .ignore)
    needsStore =
      options.mode == .update || options.mode == .upsert || options.ids == .new
      || options.match != nil
  }

  /// Reads everything; what goes wrong is an event too.
  func run() {
    do {
      let elements = try DumpElements(
        input, plan.sections, of: try section(), from: resume.place, after: resume.files
      ) { (error) throws(DumpError) in throw error }
      try read(elements)
    } catch is Stopped {
    } catch let error as DumpError {
      try? flush()
      _ = queue.put(.failure(error))
    } catch {
      _ = queue.put(.failure(DumpError("\(error)", kind: .inputOutput)))
    }
  }

  /// The section of elements that do not name one.
  private func section() throws(DumpError) -> DumpSection? {
    guard case .files = input.content else { return nil }
    if let relation = options.relation { return try section(ofRelation: relation) }
    guard let name = options.entity else { return nil }
    if let section = plan.sections.entity(name) { return section }
    throw DumpError(
      "the model has no entity \(name.quotedForDisplay); it has \(plan.entityNames)",
      kind: .impossible)
  }

  /// The section of elements that are entries of a relation.
  private func section(ofRelation name: String) throws(DumpError) -> DumpSection {
    if options.mode != .insert || options.ids != .keep || options.match != nil {
      throw DumpError(
        "the entries of a relation are added to those that exist, between objects that exist, so no mode, match or "
          + "new ids apply to them", kind: .usage)
    }
    let path = NamePath(reading: name)
    let names = [name] + (path.member.map { ["\($0.owner).\($0.name)"] } ?? [])
    if let section = names.lazy.compactMap(plan.sections.relation).first { return section }
    let known = plan.relations.keys.sorted().map(\.text).joined(separator: ", ")
    throw DumpError(
      "the model has no relation to many \(name.quotedForDisplay)"
        + (known.isEmpty ? "" : "; it has \(known)"), kind: .impossible)
  }

  private func read(_ elements: DumpElements) throws {
    var (last, destination): (DumpSection?, Destination) = (nil, .dropped)
    (file, header) = (elements.file, elements.columns?.header)
    while true {
      let step = try elements.next()
      if elements.file != file {
        try endFiles(elements)
        last = nil
      }
      switch step {
      case .element(let section):
        if section !== last {
          (last, destination) = (section, try self.destination(section, elements))
        }
        switch destination {
        case .objects(let plan, let scanner, let relations):
          try object(plan, scanner, relations, elements)
        case .records(let reader): try record(reader, elements)
        case .links(let plan): try entry(plan, section, elements)
        case .dropped: break
        }
      case .invalid(let message, let remedy, let index):
        let text = elements.text
        let issue = ImportIssue(
          message, file: text.name, position: elements.position(at: index), remedy: remedy)
        if elements.columns == nil {
          try self.issue(issue, text.bytes(elements.range), nil, isLine: true)
        } else {
          try self.issue(issue, text.bytes(elements.range), elements.section?.name, isLine: false)
        }
      case .end:
        try finish(elements)
        return
      }
      elements.consume()
      inBatch += 1
      try endElement(elements)
    }
  }

  // MARK: - Files

  /// Hands on everything of the files that were read, and tells that they have ended.
  private func endFiles(_ elements: DumpElements) throws {
    try flush()
    if case .files = input.content, input.fileCount > 1 {
      for number in file..<min(elements.file, elements.identities.count) {
        try emit(.fileEnd(number, elements.identities[number]))
      }
    }
    (file, header) = (elements.file, elements.columns?.header)
  }

  // MARK: - Elements

  private func destination(
    _ section: DumpSection, _ elements: DumpElements
  ) throws -> Destination {
    if let columns = elements.columns {
      if section.isRelation {
        throw DumpError(
          "is delimited text, and the entries of a relation are read from JSON only",
          kind: .impossible, path: elements.text.name)
      }
      // The file has the columns.
      guard let plan = plan.entities[ExactText(section.name)] else { return .dropped }
      for note in columns.notes {
        let (line, column) = (note.position.line, note.position.column)
        try emit(.note("\(note.message) (\(elements.text.name):\(line):\(column))"))
      }
      try emitIgnored()
      let reader = try TableReader(
        plan, self.plan, columns, elements.text.name, ignoresUnknown: options.unknown == .ignore)
      recordReader = reader
      return .records(reader)
    }
    return destinations[section.number] ?? makeDestination(section)
  }

  private func makeDestination(_ section: DumpSection) -> Destination {
    let destination: Destination
    if section.isRelation {
      destination = .links(plan.relations[ExactText(section.name)])
    } else if let plan = plan.entities[ExactText(section.name)] {
      var (fields, relations) = (plan.fields, [RelationField]())
      // A dump has the entries of relations apart.
      if case .files = input.content, plan.mapping == nil {
        for (name, relation) in self.plan.relations(of: plan.name)
        where !fields.contains(where: { $0.key.hasSameBytes(as: name) }) {
          relations.append((fields.count, relation))
          fields.append(.relation(name))
        }
      }
      let scanner = ObjectScanner(fields, ignoresUnknown: options.unknown == .ignore)
      destination = .objects(plan, scanner, relations)
    } else {
      destination = .dropped
    }
    destinations[section.number] = destination
    return destination
  }

  private func object(
    _ plan: EntityPlan, _ scanner: ObjectScanner, _ relations: [RelationField],
    _ elements: DumpElements
  ) throws {
    let (text, range, isLine) = (elements.text, elements.range, elements.isLine)
    do {
      if let mapping = plan.mapping, !isLine {
        try addMapped(plan, mapping, scanner, text, range)
      } else {
        scanner.spansLines = elements.spansLines
        try scanner.scan(text.base, from: range.lowerBound, end: range.upperBound)
        try scanner.requireEnd(range.upperBound, isLine: isLine)
        if plan.hasConverters { try convert(plan, scanner) }
        let entries = try entries(relations, plan, scanner, text, range, isLine: isLine)
        try add(plan, scanner, text, range, isLine: isLine)
        ownLinks += entries
      }
    } catch let failure as ScanFailure {
      try issue(failure, scanner, plan.name, text, range, isLine: isLine)
    }
  }

  func add(
    _ plan: EntityPlan, _ scanner: ObjectScanner, _ text: InputText, _ range: Range<Int>,
    isLine: Bool, links: [ImportKeyLinks] = [], nested: [ImportNested] = []
  ) throws {
    var id: UInt64 = 0
    if let field = plan.idField {
      let value = scanner.values[field]
      if value.state == .scalar { id = value.bits }
    }
    if needsStore || id == 0 || !links.isEmpty || !nested.isEmpty
      || (options.dangling != .keep && plan.hasRelations)
    {
      try addObject(plan, scanner, id, text, range, isLine: isLine, links, nested)
      return
    }
    let chunk = try chunk(for: plan).buffer
    do {
      try unsafe chunk.objects.append(id: id) { writer in try plan.write(scanner, &writer) }
    } catch let error as InvalidUTF8 {
      throw plan.notUTF8(error.slot, scanner)
    } catch let error as StoreError {
      throw ScanFailure(index: range.lowerBound, expected: error.description, isMessage: true)
    }
    chunk.lines.append(text.line)
    chunk.file = file
    for field in plan.uniqueFields { chunk.places.append(place(of: field, scanner, text)) }
    if options.skipsErrors {
      chunk.texts.append(rejected(plan.name, text, range, isLine: isLine))
    }
    if chunk.objects.count >= 1024 || chunk.objects.byteCount >= 1 << 18 { try flush() }
  }

  /// The place of the value of a field; the line of the object if the field has no value.
  private func place(of field: Int, _ scanner: ObjectScanner, _ text: InputText) -> JSONPosition {
    let value = scanner.values[field]
    // A value that a mapping created has no place in the text.
    guard value.state != .absent, scanner.base.isSame(as: text.base) else {
      return JSONPosition(line: text.line, column: 1)
    }
    let position = text.nearPosition(at: value.place)
    return header == nil || position.line == text.line
      ? position : JSONPosition(line: text.line, column: 1)
  }

  /// The element as it is in the input.
  func rejected(
    _ name: String?, _ text: InputText, _ range: Range<Int>, isLine: Bool
  ) -> RejectedElement {
    RejectedElement(
      name: name, text: text.bytes(elementRange(text, range, isLine)), isLine: isLine,
      header: header)
  }

  /// The range of the whole element: the line if the object is a part of one.
  private func elementRange(_ text: InputText, _ range: Range<Int>, _ isLine: Bool) -> Range<Int> {
    isLine ? text.start..<range.upperBound : range
  }

  private func addObject(
    _ plan: EntityPlan, _ scanner: ObjectScanner, _ id: UInt64, _ text: InputText,
    _ range: Range<Int>, isLine: Bool, _ links: [ImportKeyLinks], _ nested: [ImportNested]
  ) throws {
    var object = ImportObject(
      plan: plan, id: id, values: [], links: links, nested: nested,
      place: ElementLine(file: file, line: text.line))
    object.values = try values(of: plan, scanner)
    if options.skipsErrors {
      object.element = rejected(plan.name, text, range, isLine: isLine)
    }
    for field in plan.uniqueFields { object.places.append(place(of: field, scanner, text)) }
    if chunk != nil || !self.links.isEmpty { try flush() }
    objects.append(object)
    heldBytes += range.count
    if objects.count >= 256 || heldBytes >= 1 << 18 { try flush() }
  }

  /// The values that were scanned, with the positions of their properties.
  func values(
    of plan: EntityPlan, _ scanner: ObjectScanner
  ) throws -> [(position: Int, value: Value)] {
    try plan.writeOrder.compactMap { field in
      try plan.value(field, scanner).map { (plan.fields[field].position, $0) }
    }
  }

  private func chunk(for plan: EntityPlan) throws -> Owned<PreparedChunk> {
    if let chunk, chunk.buffer.plan === plan { return chunk }
    try flush()
    let fresh = queue.recycledChunk(plan) ?? Owned(PreparedChunk(plan))
    chunk = fresh
    return fresh
  }

  /// Reads the targets of an object in a to-many relation.
  private func entry(
    _ plan: RelationPlan?, _ section: DumpSection, _ elements: DumpElements
  ) throws {
    let (text, range, isLine) = (elements.text, elements.range, elements.isLine)
    do {
      let (source, targets) = try unsafe entryScanner.scan(elements)
      let ids = (0..<targets.count / 8).map {
        unsafe targets.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)
      }
      elements.counts.count(section, targets: ids.count)
      guard let plan, plan.relation != nil else { return }
      if chunk != nil || !objects.isEmpty { try flush() }
      var element: RejectedElement?
      if options.skipsErrors {
        element = rejected(plan.name, text, range, isLine: isLine)
      }
      links.append(
        ImportLinks(
          plan: plan, source: source, targets: ids,
          place: ElementLine(file: file, line: text.line), element: element))
      heldBytes += range.count
      if links.count >= 256 || heldBytes >= 1 << 18 { try flush() }
    } catch let failure as ScanFailure {
      try issue(failure, entryScanner.scanner, section.name, text, range, isLine: isLine)
    }
  }

  // MARK: - Issues

  func issue(
    _ failure: ScanFailure, _ scanner: ObjectScanner, _ name: String, _ text: InputText,
    _ range: Range<Int>, isLine: Bool
  ) throws {
    let position =
      header == nil ? text.position(at: failure.index) : text.positionInRecord(at: failure.index)
    let (message, value) = failure.message(text, range)
    var issue = ImportIssue(message, file: text.name, position: position, entity: name)
    // A document may hold the records, and be none itself.
    if header == nil, !isLine, input.form.records == nil, text.offset == 0,
      case .files = input.content, let path = RecordPath(guessing: text.bytes(range))
    {
      issue.remedy = .nameRecords(path)
    }
    if failure.field >= 0 {
      let field = scanner.fields[failure.field]
      issue.property = field.key
      issue.value = value
      if let value, let signed = field.form.sameBits(asUnsigned: value) {
        issue.message +=
          "; if the app has it unsigned, write \(signed), or bind \(name).\(field.key) to the "
          + "converter 'unsigned'"
      }
    }
    try self.issue(issue, text.bytes(elementRange(text, range, isLine)), name, isLine: isLine)
  }

  /// Tells of an element that cannot be imported.
  func issue(
    _ issue: ImportIssue, _ bytes: [UInt8], _ name: String?, isLine: Bool
  ) throws {
    var issue = issue
    if options.skipsErrors {
      issue.element = RejectedElement(name: name, text: bytes, isLine: isLine, header: header)
    }
    try flush()
    try emit(.issue(issue))
  }

  // MARK: - Events

  /// Ends the batch if it is full.
  private func endElement(_ elements: DumpElements) throws {
    guard let batch = options.batch, inBatch >= batch else { return }
    try flush()
    inBatch = 0
    try emitIgnored()
    try emit(.boundary(elements.place()))
  }

  private func finish(_ elements: DumpElements) throws {
    try flush()
    try emitIgnored()
    var end = ImportEnd()
    if options.ids == .keep {
      for total in elements.totals?.entities ?? [] {
        if let plan = plan.entities[ExactText(total.name)] {
          end.lastIDs.append((plan, total.lastID))
        }
      }
    }
    if elements.hasOtherLayout {
      end.notes.append("the layout of the dump was changed, so its checksum was not compared")
    }
    if let note = elements.noteOnKeys { end.notes.append(note) }
    end.identity = elements.identityOfFiles ?? input.identity
    try emit(.end(end))
  }

  /// Tells how many objects had which members that were ignored.
  private func emitIgnored() throws {
    var counts: [ExactText: Int] = [:]
    func add(_ ignored: [ExactText: Int], _ plan: EntityPlan) {
      for (name, count) in ignored {
        counts[ExactText("\(plan.entity.name).\(name.text)"), default: 0] += count
      }
    }
    for case .objects(let plan, let scanner, _)? in destinations {
      add(scanner.takeIgnored(), plan)
    }
    if let recordReader { add(recordReader.takeIgnored(), recordReader.plan) }
    if !counts.isEmpty { try emit(.ignored(counts)) }
  }

  /// Hands on what was read.
  func flush() throws {
    heldBytes = 0
    if let chunk, chunk.buffer.objects.count > 0 { try emit(.prepared(chunk)) }
    chunk = nil
    if !objects.isEmpty {
      let event = ImportEvent.objects(objects)
      objects = []
      try emit(event)
    }
    if !links.isEmpty {
      let event = ImportEvent.links(links)
      links = []
      try emit(event)
    }
    if !ownLinks.isEmpty {
      // Their objects are in an event before.
      let event = ImportEvent.links(ownLinks)
      ownLinks = []
      try emit(event)
    }
  }

  private func emit(_ event: ImportEvent) throws {
    if !queue.put(event) { throw Stopped() }
  }
}

extension InputText {
  /// The value at an index, shortened, for a message.
  func shownValue(at index: Int, in range: Range<Int>) -> String {
    if index >= range.upperBound { return shown(at: index) }
    var stop = index
    var isInString = false
    while stop < range.upperBound, stop - index < 60 {
      let byte = base[stop]
      if byte == .quote {
        isInString.toggle()
        if !isInString && stop > index {
          stop += 1
          break
        }
      }
      if !isInString, byte == .comma || byte == .rightBrace || byte == .rightBracket, stop > index {
        break
      }
      stop += 1
    }
    // No half of a character at the end.
    while stop < range.upperBound, stop > index, base[stop] & 0xC0 == 0x80 { stop -= 1 }
    let text = String(decoding: bytes(index..<stop), as: UTF8.self)
    return text + (stop - index >= 57 ? "…" : "")
  }
}
