internal import BoxEngine

/// The places of the objects of a list, in order.
///
/// They are kept in pieces, so that a change copies and moves one piece and not the list, and a copy of
/// the list shares all pieces that stay the same.
struct KeyList: Sendable {
  private static let maximumPiece = 512

  /// None is empty.
  private var pieces: [[ListKey]] = []
  private(set) var count = 0

  /// Creates a list of keys that are in order.
  init(_ keys: [ListKey] = []) {
    count = keys.count
    for start in stride(from: 0, to: keys.count, by: Self.maximumPiece / 2) {
      pieces.append(Array(keys[start..<min(start + Self.maximumPiece / 2, keys.count)]))
    }
  }

  /// The key at a position.
  ///
  /// - Complexity: O(*p*) in the pieces.
  subscript(position: Int) -> ListKey? {
    guard position >= 0, position < count else { return nil }
    var rest = position
    for piece in pieces {
      if rest < piece.count { return piece[rest] }
      rest -= piece.count
    }
    return nil
  }

  /// All keys, in order.
  var all: [ListKey] { pieces.flatMap(\.self) }

  /// The number of keys in front of each piece.
  var starts: [Int] {
    var start = 0
    return pieces.map { piece in
      defer { start += piece.count }
      return start
    }
  }

  /// The position of a key, which has to be in the list.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - starts: The list's ``starts``.
  /// - Returns: The position.
  func position(of key: ListKey, _ starts: [Int]) -> Int {
    let piece = self.piece(for: key)
    return starts[piece] + offset(of: key, in: pieces[piece])
  }

  // MARK: - Changing

  /// Inserts a key.
  ///
  /// - Returns: Its position.
  mutating func insert(_ key: ListKey) -> Int {
    count += 1
    if pieces.isEmpty {
      pieces = [[key]]
      return 0
    }
    let piece = self.piece(for: key)
    let offset = self.offset(of: key, in: pieces[piece])
    let position = pieces[..<piece].reduce(offset) { $0 + $1.count }
    pieces[piece].insert(key, at: offset)
    if pieces[piece].count > Self.maximumPiece { split(piece) }
    return position
  }

  /// Removes a key, which has to be in the list.
  ///
  /// - Returns: The position that it had.
  mutating func remove(_ key: ListKey) -> Int {
    let piece = self.piece(for: key)
    let offset = self.offset(of: key, in: pieces[piece])
    let position = pieces[..<piece].reduce(offset) { $0 + $1.count }
    count -= 1
    pieces[piece].remove(at: offset)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
    return position
  }

  private mutating func split(_ piece: Int) {
    let middle = pieces[piece].count / 2
    let second = Array(pieces[piece][middle...])
    pieces[piece].removeSubrange(middle...)
    pieces.insert(second, at: piece + 1)
  }

  /// The last piece that does not begin after a key; the first one for a key before all others.
  private func piece(for key: ListKey) -> Int {
    max(0, pieces.firstPosition { key < $0[0] } - 1)
  }

  /// The number of keys of a piece in front of a key.
  private func offset(of key: ListKey, in piece: [ListKey]) -> Int {
    piece.firstPosition { !($0 < key) }
  }
}

extension Array {
  /// The position of the first element that fulfils a condition, which all elements after it fulfil too;
  /// the number of elements if none does.
  ///
  /// - Complexity: O(log *n*).
  func firstPosition(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
