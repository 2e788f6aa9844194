import TestSupport
import Testing

/// The pages of a data file, to be damaged.
struct DataPages {
  static let size = 4096

  var bytes: [UInt8]

  private func number(_ offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func flags(_ page: Int) -> Int { number(page * Self.size + 10, 2) }

  /// The offsets of the nodes of a page in the file.
  private func nodes(_ page: Int) -> [Int] {
    let start = page * Self.size
    let count = (number(start + 12, 2) - 16) / 2
    return (0..<count).map { start + number(start + 16 + 2 * $0, 2) }
  }

  /// The root of a space, by the newer head.
  func root(of space: String) throws -> Int {
    let transactions = [0, 1].map { number($0 * Self.size + 144, 8) }
    let head = transactions[0] > transactions[1] ? 0 : 1
    let main = number(head * Self.size + 128, 8)
    try #require(flags(main) == 2)
    let node = try #require(
      nodes(main).first { node in
        let size = number(node + 6, 2)
        return Array(bytes[node + 8..<node + 8 + size]) == Array(space.utf8)
      })
    return number(node + 8 + number(node + 6, 2) + 40, 8)
  }

  /// The pages below the root of a space, which has two levels.
  func children(of space: String) throws -> [Int] {
    let root = try root(of: space)
    try #require(flags(root) == 1)
    return nodes(root).map { number($0, 4) }
  }

  /// Makes a branch refer to another page.
  mutating func setChild(_ index: Int, of space: String, to page: Int) throws {
    let node = nodes(try root(of: space))[index]
    for byte in 0..<4 { bytes[node + byte] = UInt8(page >> (8 * byte) & 0xff) }
  }

  /// Replaces all of a page but its number.
  mutating func replace(_ page: Int, by other: Int, of pages: DataPages) {
    let content = pages.bytes[other * Self.size + 8..<(other + 1) * Self.size]
    bytes.replaceSubrange(page * Self.size + 8..<(page + 1) * Self.size, with: content)
  }
}
