internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Reads an input, and makes of it what can be written: on a thread of its own.
final class ImportReader {
  let input: DumpInput
  let options: ImportOptions
  let plan: ImportPlan
  let queue: EventQueue
  /// Where an interrupted import goes on.
  let resume: ImportPlace?
  /// Counts of the input, and what of it is being read.
  @exclusivity(unchecked) var place = ImportPlace()

  @exclusivity(unchecked) private var chunk: PreparedChunk?
  @exclusivity(unchecked) private var objects: [ImportObject] = []
  @exclusivity(unchecked) private var links: [ImportLinks] = []
  /// Bytes of the input that objects and links were made of.
  @exclusivity(unchecked) private var heldBytes = 0
  @exclusivity(unchecked) private var inBatch = 0
  private var scanners: [ObjectIdentifier: ObjectScanner] = [:]
  private lazy var linkScanner = ObjectScanner(RelationPlan.fields, ignoresUnknown: false)
  private let needsStore: Bool
  /// Elements of the name that are not counted yet: not each of them is looked up.
  @exclusivity(unchecked) private var pendingCount = 0
  @exclusivity(unchecked) private var pendingName = ""

  /// Nobody waits for the rest of the input any more.
  struct Stopped: Error {}

  init(
    _ input: DumpInput, _ plan: ImportPlan, _ options: ImportOptions, _ queue: EventQueue,
    resume: ImportPlace?
  ) {
    self.input = input
    self.plan = plan
    self.options = options
    self.queue = queue
    self.resume = resume
    needsStore =
      options.mode == .update || options.mode == .upsert || options.ids == .new
      || options.match != nil
    if let resume { place = resume }
  }

  /// Reads everything; what goes wrong is an event too.
  func run() {
    do {
      switch input.content {
      case .lines(let text, let hasEnd): try readLines(text, hasEnd: hasEnd)
      case .plainLines(let text): try readPlainLines(text)
      case .array(let text): try readArray(text)
      case .document(let text): try readDocument(text)
      case .folder(let manifest): try readFolder(manifest)
      }
    } catch is Stopped {
    } catch let error as DumpError {
      try? flush()
      _ = queue.put(.failure(input.header == nil ? error : error.inDump()))
    } catch {
      _ = queue.put(.failure(DumpError("\(error)", kind: .inputOutput)))
    }
  }

  // MARK: - Elements

  func scanner(_ plan: EntityPlan) -> ObjectScanner {
    if let scanner = scanners[ObjectIdentifier(plan)] { return scanner }
    let scanner = ObjectScanner(plan.fields, ignoresUnknown: options.unknown == .ignore)
    scanners[ObjectIdentifier(plan)] = scanner
    return scanner
  }

  /// Reads an object of an entity.
  ///
  /// The range is from where the object begins to where what it is in ends; `closes` says that a
  /// brace and nothing else follows it.
  func object(
    _ plan: EntityPlan, _ scanner: ObjectScanner, _ text: InputText, _ range: Range<Int>,
    closes: Bool, spansLines: Bool
  ) throws {
    do {
      if let mapping = plan.mapping, !closes {
        try addMapped(plan, mapping, scanner, text, range)
      } else {
        scanner.spansLines = spansLines
        try scanner.scan(text.base, from: range.lowerBound, end: range.upperBound)
        try end(scanner, range.upperBound, closes: closes)
        if plan.hasConverters { try convert(plan, scanner) }
        try add(plan, scanner, text, range, isLine: closes)
      }
    } catch let failure as ScanFailure {
      try issue(failure, scanner, plan.name, text, range, isLine: closes)
    }
    try count(plan.name)
  }

  private func end(_ scanner: ObjectScanner, _ end: Int, closes: Bool) throws(ScanFailure) {
    if closes {
      scanner.skipSpace()
      guard scanner.base[scanner.index] == .rightBrace else {
        throw scanner.unexpected("the end of the line's object")
      }
      scanner.index += 1
    }
    // Behind an element of an array there is what follows it.
    if scanner.index < end { scanner.skipSpace() }
    if scanner.index < end { throw scanner.unexpected("nothing more") }
    if scanner.index > end { throw scanner.unexpected("the object in one line") }
  }

  func add(
    _ plan: EntityPlan, _ scanner: ObjectScanner, _ text: InputText, _ range: Range<Int>,
    isLine: Bool, links: [ImportKeyLinks] = []
  ) throws {
    var id: UInt64 = 0
    if let field = plan.idField {
      let value = scanner.values[field]
      if value.state == .scalar { id = value.bits }
    }
    if needsStore || id == 0 || !links.isEmpty
      || (options.dangling != .keep && plan.hasRelations)
    {
      try addObject(plan, scanner, id, text, range, isLine: isLine, links)
      return
    }
    let chunk = try chunk(for: plan)
    do {
      try chunk.objects.append(id: id) { writer in try plan.write(scanner, &writer) }
    } catch let error as InvalidUTF8 {
      throw plan.notUTF8(error.slot, scanner)
    } catch let error as StoreError {
      throw ScanFailure(index: range.lowerBound, expected: error.description, isMessage: true)
    }
    chunk.lines.append(text.line)
    for field in plan.uniqueFields { chunk.places.append(place(of: field, scanner, text)) }
    if options.skipsErrors {
      chunk.texts.append(
        RejectedElement(
          name: plan.name, text: text.bytes(elementRange(text, range, isLine)), isLine: isLine))
    }
    if chunk.objects.count >= 1024 || chunk.objects.byteCount >= 1 << 18 { try flush() }
  }

  /// Where the value of a field stands; the object where it has none.
  private func place(of field: Int, _ scanner: ObjectScanner, _ text: InputText) -> JSONPosition {
    let value = scanner.values[field]
    // What a mapping has made stands nowhere in the text.
    guard value.state != .absent, scanner.base == text.base else {
      return JSONPosition(line: text.line, column: 1)
    }
    return text.nearPosition(at: value.place)
  }

  /// Where the whole element is: of a line the object is a part.
  private func elementRange(_ text: InputText, _ range: Range<Int>, _ isLine: Bool) -> Range<Int> {
    isLine ? text.start..<range.upperBound : range
  }

  private func addObject(
    _ plan: EntityPlan, _ scanner: ObjectScanner, _ id: UInt64, _ text: InputText,
    _ range: Range<Int>, isLine: Bool, _ links: [ImportKeyLinks]
  ) throws {
    var object = ImportObject(plan: plan, id: id, values: [], links: links, line: text.line)
    for field in plan.writeOrder {
      if let value = try plan.value(field, scanner) {
        object.values.append((plan.fields[field].position, value))
      }
    }
    if options.skipsErrors {
      object.element = RejectedElement(
        name: plan.name, text: text.bytes(elementRange(text, range, isLine)), isLine: isLine)
    }
    for field in plan.uniqueFields { object.places.append(place(of: field, scanner, text)) }
    if chunk != nil || !self.links.isEmpty { try flush() }
    objects.append(object)
    heldBytes += range.count
    if objects.count >= 256 || heldBytes >= 1 << 18 { try flush() }
  }

  private func chunk(for plan: EntityPlan) throws -> PreparedChunk {
    if let chunk, chunk.plan === plan { return chunk }
    try flush()
    let fresh = queue.recycledChunk(plan) ?? PreparedChunk(plan)
    chunk = fresh
    return fresh
  }

  /// Reads the targets of an object in a relation to many.
  func links(
    _ plan: RelationPlan, _ text: InputText, _ range: Range<Int>, closes: Bool, spansLines: Bool
  ) throws {
    let scanner = linkScanner
    do {
      scanner.spansLines = spansLines
      try scanner.scan(text.base, from: range.lowerBound, end: range.upperBound)
      try end(scanner, range.upperBound, closes: closes)
      let (source, targets) = (scanner.values[0], scanner.values[1])
      guard source.state == .scalar, targets.state == .side else {
        throw ScanFailure(
          index: range.lowerBound, expected: "\"source\" and \"targets\" are needed",
          isMessage: true)
      }
      let bytes = scanner.bytes(of: targets)
      let ids = (0..<bytes.count / 8).map {
        bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)
      }
      place.targets[plan.name, default: 0] += ids.count
      if plan.relation != nil {
        if chunk != nil || !objects.isEmpty { try flush() }
        var element: RejectedElement?
        if options.skipsErrors {
          element = RejectedElement(
            name: plan.name, text: text.bytes(elementRange(text, range, closes)), isLine: closes)
        }
        links.append(
          ImportLinks(
            plan: plan, source: source.bits, targets: ids, line: text.line, element: element))
        heldBytes += range.count
        if links.count >= 256 || heldBytes >= 1 << 18 { try flush() }
      }
    } catch let failure as ScanFailure {
      try issue(failure, scanner, plan.name, text, range, isLine: closes)
    }
    try count(plan.name)
  }

  // MARK: - Issues

  private func issue(
    _ failure: ScanFailure, _ scanner: ObjectScanner, _ name: String, _ text: InputText,
    _ range: Range<Int>, isLine: Bool
  ) throws {
    let position = text.position(at: failure.index)
    let value: String? =
      switch failure.found {
      case .text: text.shownValue(at: failure.index, in: range)
      case .value(let made): made
      case .nothing: nil
      }
    let shown = value ?? "nothing"
    var issue = ImportIssue(
      failure.isMessage ? failure.expected : "expected \(failure.expected), found \(shown)",
      file: text.name, position: position, entity: name)
    if failure.field >= 0 {
      issue.property = scanner.fields[failure.field].key
      issue.value = value
    }
    try self.issue(issue, text.bytes(elementRange(text, range, isLine)), name, isLine: isLine)
  }

  /// Tells of an element that cannot be imported.
  func issue(
    _ issue: ImportIssue, _ bytes: [UInt8], _ name: String?, isLine: Bool
  ) throws {
    var issue = issue
    if options.skipsErrors {
      issue.element = RejectedElement(name: name, text: bytes, isLine: isLine)
    }
    try flush()
    try emit(.issue(issue))
  }

  // MARK: - Events

  /// Counts an element of an entity or relation, which may end a batch.
  func count(_ name: String) throws {
    if name != pendingName {
      settleCount()
      pendingName = name
    }
    pendingCount += 1
    inBatch += 1
  }

  private func settleCount() {
    if pendingCount > 0 { place.counts[pendingName, default: 0] += pendingCount }
    pendingCount = 0
  }

  /// Ends the batch if it is full; the text stands behind an element.
  func endElement(_ text: InputText) throws {
    guard let batch = options.batch, inBatch >= batch else { return }
    try flush()
    settleCount()
    place.offset = text.offset
    place.line = text.line
    place.checksum = text.checksumToStart()
    inBatch = 0
    try emit(.boundary(place))
  }

  func finish(_ end: ImportEnd) throws {
    try flush()
    settleCount()
    var end = end
    end.identity = input.identity
    try emit(.end(end))
  }

  /// The counts of all elements so far.
  func counts() -> ImportPlace {
    settleCount()
    return place
  }

  /// Hands on what was read.
  func flush() throws {
    heldBytes = 0
    if let chunk, chunk.objects.count > 0 { try emit(.prepared(chunk)) }
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
