/// The head of a damaged file whose state is copied, and the walk over that state.
///
/// A transaction writes one of the two heads, and leaves the pages of the state before it as they are. So where
/// one head is damaged, the other one has the root of a whole state, which may be older. A transaction also
/// frees the root that it replaces, under its own number: so the list of free pages says of which transaction a
/// state is, whatever its head says.
struct SalvagedHead {
  /// The pages, with heads of the state.
  let source: PageSource
  /// The walk over the state.
  let report: PageReport
  /// Whether a later state may have been lost.
  private(set) var mayBeOlder = false
  /// The transaction in the head; 0 if no file can have it.
  private var transaction: UInt64 = 0

  /// Finds the newest state whose pages are whole.
  ///
  /// The heads are tried one by one only where they contradict each other, or no database is found.
  ///
  /// - Parameters:
  ///   - walker: The walker over the file.
  ///   - plain: The walk over the file as it is.
  /// - Returns: The head; the one of `plain` if no database is found with either.
  /// - Throws: The errors of reading the file.
  static func find(_ walker: PageWalker, _ plain: PageReport) throws -> SalvagedHead {
    let asItIs = SalvagedHead(source: walker.source, report: plain)
    // The head of a state that a transaction reads is known.
    guard walker.source.transaction == nil, plain.isHeadDoubtful || plain.databases.isEmpty else {
      return asItIs
    }
    var found: [SalvagedHead] = []
    for head in try walker.source.singleHeads() {
      var walker = walker
      walker.source = head.source
      let report = try walker.walk()
      if report.databases.isEmpty { continue }
      found.append(
        SalvagedHead(source: head.source, report: report, transaction: head.transaction))
    }
    found.sort { $0.isBetter(than: $1) }
    guard var best = found.first else { return asItIs }
    // Two transactions in a row wrote the heads, so there is no later state than the second.
    best.mayBeOlder =
      found.count != 2 || best.report.lastFreed != found[1].report.lastFreed &+ 1
    return best
  }

  private func isBetter(than other: SalvagedHead) -> Bool {
    if isWhole != other.isWhole { return isWhole }
    return (report.lastFreed, transaction) > (other.report.lastFreed, other.transaction)
  }

  private var isWhole: Bool { report.isSound && !report.isHeadDoubtful }
}

extension PageSource {
  /// The same pages under each head alone, with the transaction that the head names.
  ///
  /// The other head is a copy of it, from a transaction before. A head may have one wrong field among those by
  /// which it is known.
  fileprivate func singleHeads() throws -> [(source: PageSource, transaction: UInt64)] {
    let bytes = try heads()
    var found: [(source: PageSource, transaction: UInt64)] = []
    var size = PageFormat.pageSizes.lowerBound
    while size <= PageFormat.pageSizes.upperBound {
      for page in 0..<Int(PageFormat.metaPages) {
        guard let head = Self.head(on: page, of: size, in: bytes) else { continue }
        found.append((withHeads(Self.heads(head.bytes, on: page, of: size)), head.transaction))
      }
      size *= 2
    }
    return found
  }

  private static func head(
    on page: Int, of size: Int, in bytes: [UInt8]
  ) -> (bytes: [UInt8], transaction: UInt64)? {
    let start = page * size
    guard start + PageFormat.metaSize <= bytes.count else { return nil }
    let head = Array(bytes[start..<start + PageFormat.metaSize])
    let fields = unsafe head.withUnsafeBytes { unsafe MetaFields(PageBytes($0)) }
    let marks = [
      fields.number == UInt64(page), fields.flags == .meta, fields.magic == PageFormat.magic,
      fields.version == PageFormat.version,
    ]
    guard Int(fields.pageSize) == size, marks.count(where: { $0 }) >= marks.count - 1 else {
      return nil
    }
    return (head, fields.transaction < 1 << 62 ? fields.transaction : 0)
  }

  /// Two heads from the bytes of one, which has a transaction after all that a file can have.
  private static func heads(_ head: [UInt8], on page: Int, of size: Int) -> [UInt8] {
    var pages = [UInt8](repeating: 0, count: 2 * size)
    let last = (UInt64(1) << 61) + UInt64(page)
    for (number, transaction) in [(page, last), (1 - page, last - 1)] {
      var copy = head
      func set(_ value: some FixedWidthInteger, at offset: Int) {
        let bytes = unsafe withUnsafeBytes(of: value.littleEndian) { unsafe [UInt8]($0) }
        copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
      set(UInt64(number), at: 0)
      set(PageFlags.meta.rawValue, at: 10)
      set(PageFormat.magic, at: 16)
      set(PageFormat.version, at: 20)
      set(transaction, at: MetaFields.transactionOffset)
      pages.replaceSubrange(number * size..<number * size + copy.count, with: copy)
    }
    return pages
  }
}
