extension CodeReader {
  /// A UID as it is written in code, after the id to which it belongs.
  struct WrittenUID {
    var uid: UInt64
    var line: Int
  }

  /// UIDs are random numbers of 63 bits: a smaller number than this is practically never one.
  private static let smallestUID: UInt64 = 1 << 48

  /// The UIDs that are written after an id, as in `(3, 52…)` or `id: 3, uid: 52…`, in whatever call.
  ///
  /// - Complexity: O(*n* log *n*) in the number of tokens.
  var writtenUIDs: [WrittenUID] {
    tokens.indices.compactMap { position in
      guard let uid = number(position), uid >= Self.smallestUID else { return nil }
      let label = isMark(position - 1, ":") && word(position - 2) != nil ? 2 : 0
      guard isMark(position - 1 - label, ","), let id = number(position - 2 - label),
        id <= UInt32.max
      else { return nil }
      return WrittenUID(uid: uid, line: line(of: position))
    }
  }

  private func number(_ position: Int) -> UInt64? {
    guard tokens.indices.contains(position), tokens[position].kind == .number else { return nil }
    return CodeLiteral.integer(bytes[tokens[position].range])
  }
}
