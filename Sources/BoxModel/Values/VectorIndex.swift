internal import BoxJSON

/// A measure of the distance of two vectors; the raw value is its name in model files.
package enum VectorDistance: String, Hashable, Sendable, CaseIterable {
  /// The square of the Euclidean distance.
  case euclidean = "Euclidean"
  /// 1 minus the cosine of the angle between the vectors.
  case cosine = "Cosine"
  /// 1 minus the dot product, for vectors of length 1.
  case dotProduct = "DotProduct"
  /// The dot product of vectors of any length, brought into the range from 0 to 2.
  case dotProductNonNormalized = "DotProductNonNormalized"
  /// The distance of two places on Earth in kilometers; a vector is a latitude and a longitude.
  case geo = "Geo"
}

/// The parameters of a vector index that answers depend on.
package struct VectorIndex: Hashable, Sendable {
  /// The name of the distance in the model; Euclidean if the model has no distance.
  package var distanceName = VectorDistance.euclidean.rawValue
  /// The number of elements of each vector; nil if the model does not say.
  package var dimensions: Int?

  /// The maximum number of links of a node of the graph.
  package var neighborsPerNode = defaultNeighbors
  /// The number of nodes that are kept during a search.
  package var indexingSearchCount = defaultIndexingSearchCount

  /// The first parameter of the wrong type, such as `dimensions is "3"`.
  private var unreadable: String?

  /// The keys that are hints for another implementation, in the order of the file.
  package var hints: [String] = []
  /// The unknown keys, in the order of the file.
  package var unknownKeys: [String] = []

  /// The number of links if the model has none.
  package static let defaultNeighbors = 30
  /// The number of nodes that are kept during a search if the model has none.
  package static let defaultIndexingSearchCount = 100

  /// The distance; nil for a name that is not known.
  package var distance: VectorDistance? { VectorDistance(rawValue: distanceName) }

  /// The numbers of elements that vectors of a graph can have.
  package static let servedDimensions = 1...32_768
  /// The numbers of links that a node of a graph can have.
  package static let servedNeighbors = 2...1_024
  /// The numbers of nodes that can be kept during a search.
  package static let servedSearchCounts = 1...65_536

  /// The reason why no graph serves the parameters; nil if one does.
  package var failureReason: String? {
    guard let distance else {
      let known = VectorDistance.allCases.map(\.rawValue).joined(separator: ", ")
      return "the distance '\(distanceName)' is not known; write one of \(known)"
    }
    if let unreadable { return unreadable }
    guard let dimensions else {
      return "the number of dimensions is missing; write \(Key.dimensions)"
    }
    func refusal(_ key: String, _ value: Int, _ served: ClosedRange<Int>) -> String? {
      served.contains(value)
        ? nil
        : "\(key) is \(value); write a number from \(served.lowerBound) to \(served.upperBound)"
    }
    if distance == .geo, dimensions != 2 {
      return
        "\(Key.dimensions) is \(dimensions), and a place has a latitude and a longitude; write 2"
    }
    return refusal(Key.dimensions, dimensions, Self.servedDimensions)
      ?? refusal(Key.neighborsPerNode, neighborsPerNode, Self.servedNeighbors)
      ?? refusal(Key.indexingSearchCount, indexingSearchCount, Self.servedSearchCounts)
  }

  /// Creates the parameters of a property without a vector index.
  package init() {}

  /// Creates parameters from the text of a model file; members that are missing or no longer known have
  /// their defaults.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package init(parsing text: String) {
    guard let document = try? JSONDocument(parsing: [UInt8](text.utf8)) else { return }
    for (key, _) in document.members(of: document.root) {
      guard case .string(let name) = document.value(of: key) else { continue }
      if Key.hints.contains(name) {
        hints.append(name)
      } else if !Key.parameters.contains(name) {
        unknownKeys.append(name)
      }
    }
    /// The value of a member; nil for null and, with a note, for a value of another kind.
    func member<T>(_ key: String, _ kind: String, _ value: (JSONValue) -> T?) -> T? {
      guard let node = document.value(forKey: key, in: document.root) else { return nil }
      let found = value(document.value(of: node))
      if found == nil, document.kind(of: node) != .null, unreadable == nil {
        unreadable = "\(key) is \(document.text(of: node)); write \(kind)"
      }
      return found
    }
    func number(_ key: String) -> Int? {
      member(key, "a whole number") { if case .int(let count) = $0 { count } else { nil } }
    }
    let name = member(Key.distance, "its name") {
      if case .string(let name) = $0 { name } else { nil }
    }
    distanceName = name ?? distanceName
    dimensions = number(Key.dimensions)
    neighborsPerNode = number(Key.neighborsPerNode) ?? neighborsPerNode
    indexingSearchCount = number(Key.indexingSearchCount) ?? indexingSearchCount
  }

  /// The keys of the parameters in model files.
  package enum Key {
    /// The number of elements of each vector.
    package static let dimensions = "dimensions"
    /// The distance.
    package static let distance = "distance-type"
    /// The number of neighbors of a node of the graph.
    package static let neighborsPerNode = "neighbors-per-node"
    /// The number of nodes that are looked at when one is added.
    package static let indexingSearchCount = "indexing-search-count"
    /// The flags.
    package static let flags = "flags"
    /// The probability with which links back are repaired.
    package static let reparationBacklinkProbability = "reparation-backlink-probability"
    /// The size of a cache of vectors.
    package static let vectorCacheHintSizeKB = "vector-cache-hint-size-kb"

    /// The keys that answers or their time depend on.
    static let parameters = [dimensions, distance, neighborsPerNode, indexingSearchCount]
    /// The keys that are hints for another implementation.
    static let hints = [flags, reparationBacklinkProbability, vectorCacheHintSizeKB]
  }
}

extension Property {
  /// The parameters of its vector index, with the defaults where it has none.
  ///
  /// - Complexity: O(*n*) in their length.
  package var vectorIndex: VectorIndex {
    hnswParams.map { VectorIndex(parsing: $0) } ?? VectorIndex()
  }
}
