internal import BoxModel

/// The objects of a dump.
final class DumpSource: DiffSource {
  let header: DumpHeader
  let model: Model
  /// The number of times that reading began at the start of a dump that is a file.
  private(set) var passes = 0

  private let path: String
  private let isDirectory: Bool
  private let limits: DecompressionLimits
  private let sections: DumpSections
  /// The numbers of the files of a directory by their sections, the last ones first.
  private var files: [Int: [Range<Int>]] = [:]
  /// The files of the section that are not open yet, the last ones first.
  private var rest: [Range<Int>] = []
  private var elements: DumpElements?
  /// The section of the element that is read and not taken; nil at the end.
  private var pending: DumpSection?
  private var section: DumpSection?
  /// The numbers of the sections found since reading began at the start.
  private var visited: Set<Int> = []
  /// All sections that the dump has anything of; nil until its end was read once.
  private var all: Set<Int>?

  init(
    _ path: String, isDirectory: Bool, _ limits: DecompressionLimits = DecompressionLimits()
  ) throws(DumpError) {
    let (input, header) = try DumpInput.dump(path, isDirectory: isDirectory, limits)
    (self.path, self.isDirectory, self.limits, self.header) = (path, isDirectory, limits, header)
    model = try header.parsedModel(path)
    sections = DumpSections(header, model)
    if case .directory(let manifest) = input.content {
      for (number, file) in manifest.files.enumerated().reversed() {
        guard let section = sections.section(of: file) else { continue }
        var ranges = files[section.number] ?? []
        let joins = ranges.last?.lowerBound == number + 1
        let end = joins ? ranges.removeLast().upperBound : number + 1
        files[section.number] = ranges + [number..<end]
      }
    }
  }

  func begin(_ name: String) throws {
    section = sections.section(name)
    guard let section else {
      pending = nil
      return
    }
    if isDirectory {
      pending = nil
      rest = files[section.number] ?? []
      try readNextFile()
      return
    }
    if pending === section || isKnownAsEmpty(section) { return }
    // Usually the section comes later; if the sides differ in their order, it is earlier.
    while pending != nil {
      try read()
      if pending === section { return }
    }
    if isKnownAsEmpty(section) { return }
    passes += 1
    elements = try open()
    (pending, visited) = (nil, [])
    repeat { try read() } while pending != nil && pending !== section
  }

  /// Advances to the first element of the next files of a directory that have any.
  private func readNextFile() throws {
    while pending == nil, let files = rest.popLast() {
      elements = try open(files)
      try read()
    }
  }

  private func open(_ files: Range<Int>? = nil) throws(DumpError) -> DumpElements {
    // Wrong counts and checksums are found by a verification.
    try DumpElements(
      DumpInput.dump(path, isDirectory: isDirectory, limits).input, sections, files: files
    ) { _ in }
  }

  /// Whether the dump has nothing of the section, which need not be looked for then.
  private func isKnownAsEmpty(_ section: DumpSection) -> Bool {
    all.map { !$0.contains(section.number) } ?? false
  }

  /// Advances to the next element.
  private func read() throws {
    guard let elements else { return }
    let last = pending
    switch try elements.next() {
    case .element(let section):
      pending = section
      if section === last || visited.insert(section.number).inserted || isDirectory { return }
      var error = elements.error(
        "the parts of \(section.name) in the dump are not contiguous, so they cannot be compared; "
          + "import the dump and compare the store")
      error.kind = .impossible
      throw error
    case .invalid(let message, _, let index): throw elements.text.error(message, at: index)
    case .end:
      pending = nil
      all = visited
    }
  }

  func next() throws -> [UInt8]? {
    guard let elements, let pending, pending === section else { return nil }
    let json = try elements.json()
    try read()
    if pending == nil { try readNextFile() }
    return json
  }
}
