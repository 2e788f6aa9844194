internal import BoxEngine
package import BoxModel

/// The description of a saved graph.
package struct GraphFileHeader: Hashable, Sendable {
  /// The UID of the property with the vectors.
  package var property: UID
  /// The number of the last commit of the store that the graph has.
  package var number: UInt64
  /// The parameters.
  package var parameters: GraphParameters

  /// Creates a description.
  package init(property: UID, number: UInt64, parameters: GraphParameters) {
    self.property = property
    self.number = number
    self.parameters = parameters
  }
}

/// The bytes of a saved graph: all but the vectors, which are read from the store.
///
/// Integers are little-endian. The file begins with eight letters, the number of the format, and a CRC32C of
/// all that follows; then come the header, the ids of the nodes (0 for one without a vector), the checks of
/// their vectors, and for each level of each node the number of links and the links.
enum GraphFile {
  static let magic = Array("BOXGRAPH".utf8)
  static let format: UInt32 = 1
  /// The offset of the checksum, and the offset of the bytes that it covers.
  static let checksumOffset = 12
  static let headerOffset = 16
  static let headerSize = 48

  /// The number of a distance in the file.
  static func code(_ distance: VectorDistance) -> UInt32 {
    switch distance {
    case .euclidean: 1
    case .cosine: 2
    case .dotProduct: 3
    case .geo: 6
    case .dotProductNonNormalized: 10
    }
  }
}

extension VectorGraph {
  /// The bytes of a file from which the graph can be read again.
  ///
  /// - Complexity: O(*n*) in nodes and links.
  package func encoded(_ header: GraphFileHeader) -> [UInt8] {
    var body = GraphBytes()
    body.append(header.property)
    body.append(header.number)
    body.append(UInt32(header.parameters.dimensions))
    body.append(GraphFile.code(header.parameters.distance))
    body.append(UInt32(header.parameters.neighbors))
    body.append(UInt32(header.parameters.indexingSearchCount))
    body.append(UInt64(ids.count))
    body.append(UInt64(0))
    body.reserve(ids.count * (13 + 4 * (parameters.neighbors + 1)))
    for node in ids.indices { body.append(nodeStates[node] == .live ? ids[node] : 0) }
    for check in checks { body.append(check) }
    for node in ids.indices {
      for level in 0...links.level(UInt32(node)) {
        let kept =
          nodeStates[node] == .live
          ? links.copiedLinks(UInt32(node), level).filter { nodeStates[Int($0)] == .live } : []
        body.append(UInt32(kept.count))
        for link in kept { body.append(link) }
      }
    }
    var file = GraphBytes()
    file.reserve(body.bytes.count + GraphFile.headerOffset)
    file.bytes += GraphFile.magic
    file.append(GraphFile.format)
    file.append(unsafe body.bytes.withUnsafeBytes { unsafe Checksum.crc32c($0) })
    file.bytes += body.bytes
    return file.bytes
  }
}

/// Bytes to which integers are appended.
private struct GraphBytes {
  var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  mutating func append<T: FixedWidthInteger>(_ number: T) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}
