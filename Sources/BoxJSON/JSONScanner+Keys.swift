extension JSONScanner {
  /// Up to this many members, comparing each key with each other one beats hashing.
  private static var pairwiseLimit: Int { 12 }

  /// Refuses an object with the same key twice, compared with escapes resolved.
  ///
  /// - Complexity: O(*n*) in the number of members, on average. The hash is seeded, so a text cannot
  ///   be written to make it worse.
  @inline(__always)
  func refuseDuplicateKeys(of object: Int) throws(JSONError) {
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
    guard base[Int(a.end) - 2] == base[Int(b.end) - 2] else { return false }
    let first = UnsafeBufferPointer(start: base + Int(a.start), count: Int(a.end - a.start))
    let second = UnsafeBufferPointer(start: base + Int(b.start), count: Int(b.end - b.start))
    return first.elementsEqual(second)
  }

  private func refuseDuplicatesByHash(of object: Int, members: Int) throws(JSONError) {
    var capacity = 16
    while capacity < members * 2 { capacity *= 2 }
    // Indices into the tape; 0 is the root, never a key.
    var slots = ContiguousArray<Int32>(repeating: 0, count: capacity)
    let end = tape.count
    var key = object + 1
    while key < end {
      var slot = hash(ofKey: key) & (capacity - 1)
      while slots[slot] != 0 {
        let earlier = Int(slots[slot])
        if isSameKey(earlier, key) { throw duplicateKey(key, first: earlier) }
        slot = (slot + 1) & (capacity - 1)
      }
      slots[slot] = Int32(truncatingIfNeeded: key)
      key = Int(tape[key + 1].next)
    }
  }

  private func hash(ofKey key: Int) -> Int {
    var hasher = Hasher()
    if tape[key].has(.escapes) {
      resolvedKey(key).withUnsafeBytes { hasher.combine(bytes: $0) }
    } else {
      hasher.combine(bytes: UnsafeRawBufferPointer(content(of: tape[key])))
    }
    return hasher.finalize()
  }

  private func isSameKey(_ a: Int, _ b: Int) -> Bool {
    if tape[a].has(.escapes) || tape[b].has(.escapes) { return resolvedKey(a) == resolvedKey(b) }
    return hasSameBytes(tape[a], tape[b])
  }

  func resolvedKey(_ key: Int) -> [UInt8] {
    JSONUnescaping.resolve(content(of: tape[key]))
  }

  /// The bytes between the quotes.
  private func content(of string: JSONTapeEntry) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + Int(string.start) + 1, count: string.range.count - 2)
  }
}
