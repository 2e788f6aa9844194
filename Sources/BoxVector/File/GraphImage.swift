internal import BoxEngine
internal import BoxModel

/// A saved graph that was read and checked.
///
/// The checksum finds damage. The checks of each number are for crafted files: a wrong link could point out
/// of the memory of a graph. A link to a far node costs time and hits, and nothing else.
package struct GraphImage: Sendable {
  /// The description.
  package let header: GraphFileHeader
  /// The ids of the nodes; 0 for a node without a vector.
  let ids: [UInt64]
  let checks: [UInt32]
  /// For each level of each node the number of links, and the links.
  let links: [UInt32]

  /// Reads a file; nil for one that is damaged, of another format, or of another graph.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - property: The UID of the property that the graph has to be of.
  ///   - parameters: The parameters that it has to have.
  /// - Complexity: O(*n*).
  package init?(_ bytes: [UInt8], of property: UInt64, _ parameters: GraphParameters) {
    var reader = GraphReader(bytes)
    guard bytes.count >= GraphFile.headerOffset + GraphFile.headerSize,
      bytes.starts(with: GraphFile.magic)
    else { return nil }
    reader.place = GraphFile.magic.count
    guard reader.read(UInt32.self) == GraphFile.format, let checksum = reader.read(UInt32.self),
      checksum == Self.checksum(bytes)
    else { return nil }
    guard reader.read(UInt64.self) == property, let number = reader.read(UInt64.self),
      reader.read(UInt32.self) == UInt32(exactly: parameters.dimensions),
      reader.read(UInt32.self) == GraphFile.code(parameters.distance),
      reader.read(UInt32.self) == UInt32(exactly: parameters.neighbors),
      reader.read(UInt32.self) == UInt32(exactly: parameters.indexingSearchCount),
      let nodes = reader.read(UInt64.self).flatMap({ Int(exactly: $0) }),
      reader.read(UInt64.self) == 0
    else { return nil }
    // Each node takes an id, a check, and the number of its links.
    guard nodes <= reader.remaining / 16, let ids = reader.read(nodes, UInt64.self),
      let checks = reader.read(nodes, UInt32.self), reader.remaining % 4 == 0,
      let links = reader.read(reader.remaining / 4, UInt32.self)
    else { return nil }
    header = GraphFileHeader(property: property, number: number, parameters: parameters)
    self.ids = ids
    self.checks = checks
    self.links = links
    if !hasDifferentIDs || !hasValidLinks { return nil }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { bytes in
      let rest = unsafe bytes[GraphFile.headerOffset...]
      return unsafe Checksum.crc32c(UnsafeRawBufferPointer(rebasing: rest))
    }
  }

  private var hasDifferentIDs: Bool {
    var known: Set<UInt64> = []
    known.reserveCapacity(ids.count)
    return ids.allSatisfy { $0 == 0 || known.insert($0).inserted }
  }

  /// Whether each node has as many rows of links as its level says, each with links to nodes of that level.
  private var hasValidLinks: Bool {
    let parameters = header.parameters
    let levels = ids.indices.map { parameters.level(ofNode: UInt32(truncatingIfNeeded: $0)) }
    var place = 0
    for node in ids.indices {
      for level in 0...levels[node] {
        guard place < links.count else { return false }
        let count = Int(links[place])
        guard count <= parameters.neighbors(onLevel: level), count < links.count - place else {
          return false
        }
        for link in links[place + 1..<place + 1 + count]
        where link >= ids.count || levels[Int(link)] < level || Int(link) == node {
          return false
        }
        place += 1 + count
      }
    }
    return place == links.count
  }
}

/// Integers that are read one after the other, as far as there are bytes.
private struct GraphReader {
  private let bytes: [UInt8]
  var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var remaining: Int { bytes.count - place }

  mutating func read<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) -> T? {
    read(1, T.self)?.first
  }

  mutating func read<T: FixedWidthInteger & BitwiseCopyable>(_ count: Int, _: T.Type) -> [T]? {
    let width = MemoryLayout<T>.size
    guard count <= remaining / width else { return nil }
    defer { place += count * width }
    let start = place
    return unsafe bytes.withUnsafeBytes { bytes in
      (0..<count).map { index in
        unsafe T(
          littleEndian: bytes.loadUnaligned(fromByteOffset: start + index * width, as: T.self))
      }
    }
  }
}
