extension JSONScanner {
  /// Up to this many members, comparing each key with each other one beats hashing.
  private static var pairwiseLimit: Int { 12 }

  /// Refuses an object with the same key twice, compared with escapes resolved.
  ///
  /// - Complexity: O(*n*) in the number of members, on average. The hash is seeded, so a text cannot
  ///   be written to make it worse.
  @inline(__always)
  mutating func refuseDuplicateKeys(of object: Int) throws(JSONError) {
    let end = tape.count
    var members = 0
    var hasEscapes = false
    var key = object + 1
    while key < end {
      members += 1
      if tape[key].has(.escapes) { hasEscapes = true }
      key = Int(tape[key + 1].next)
    }
    guard members > 1 else { return }
    if members > Self.pairwiseLimit || hasEscapes {
      try refuseDuplicatesByHash(of: object, members: members)
    } else {
      try refuseDuplicatesPairwise(of: object)
    }
  }

  @inline(__always)
  private func refuseDuplicatesPairwise(of object: Int) throws(JSONError) {
    let end = tape.count
    var key = Int(tape[object + 2].next)
    while key < end {
      var earlier = object + 1
      while earlier < key {
        if hasSameBytes(tape[earlier], tape[key]) { throw duplicateKey(key, first: earlier) }
        earlier = Int(tape[earlier + 1].next)
      }
      key = Int(tape[key + 1].next)
    }
  }

  @inline(__always)
  private func hasSameBytes(_ a: JSONTapeEntry, _ b: JSONTapeEntry) -> Bool {
    guard a.end - a.start == b.end - b.start else { return false }
    // The last byte before the quote tells most keys of one length apart.
    guard unsafe base[Int(a.end) - 2] == base[Int(b.end) - 2] else { return false }
    let first = unsafe UnsafeBufferPointer(start: base + Int(a.start), count: Int(a.end - a.start))
    let second = unsafe UnsafeBufferPointer(start: base + Int(b.start), count: Int(b.end - b.start))
    return unsafe first.elementsEqual(second)
  }

  private mutating func refuseDuplicatesByHash(of object: Int, members: Int) throws(JSONError) {
    var table = JSONKeyTable(members: members)
    let end = tape.count
    var key = object + 1
    while key < end {
      let hash = hash(ofKey: key)
      if let earlier = table.first(hash, where: { isSameKey($0, key) }) {
        throw duplicateKey(key, first: earlier)
      }
      table.insert(key, hash)
      key = Int(tape[key + 1].next)
    }
    if members > JSONKeyTable.keptAbove { keyTables[object] = table }
  }

  private func hash(ofKey key: Int) -> Int {
    if tape[key].has(.escapes) {
      return unsafe resolvedKey(key).withUnsafeBytes { unsafe JSONKeyTable.hash($0) }
    }
    return unsafe JSONKeyTable.hash(UnsafeRawBufferPointer(content(of: tape[key])))
  }

  private func isSameKey(_ a: Int, _ b: Int) -> Bool {
    if tape[a].has(.escapes) || tape[b].has(.escapes) { return resolvedKey(a) == resolvedKey(b) }
    return hasSameBytes(tape[a], tape[b])
  }

  func resolvedKey(_ key: Int) -> [UInt8] {
    unsafe JSONUnescaping.resolve(content(of: tape[key]))
  }

  /// The bytes between the quotes.
  private func content(of string: JSONTapeEntry) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: base + Int(string.start) + 1, count: string.range.count - 2)
  }
}
