public import BoxJSON

/// What a dump holds, counted.
public struct DumpTotals: Hashable, Sendable {
  /// The objects of an entity.
  public struct EntityTotal: Hashable, Sendable {
    /// The name.
    public var name: String
    /// How many objects there are in the dump.
    public var objects: Int
    /// The last id that the store gave, so that a restored one does not give it again.
    public var lastID: UInt64

    /// Creates the total of an entity.
    public init(name: String, objects: Int, lastID: UInt64) {
      self.name = name
      self.objects = objects
      self.lastID = lastID
    }
  }

  /// The entries of a relation to many.
  public struct RelationTotal: Hashable, Sendable {
    /// `Entity.relation`.
    public var name: String
    /// How many objects have targets.
    public var sources: Int
    /// How many targets there are, each as often as it is one.
    public var targets: Int

    /// Creates the total of a relation.
    public init(name: String, sources: Int, targets: Int) {
      self.name = name
      self.sources = sources
      self.targets = targets
    }
  }

  /// The entities in the order of the dump.
  public var entities: [EntityTotal] = []
  /// The relations in the order of the dump.
  public var relations: [RelationTotal] = []

  /// Creates the totals of an empty dump.
  public init() {}

  /// How many objects there are in all.
  public var objects: Int { entities.reduce(0) { $0 + $1.objects } }
}

extension DumpTotals {
  /// The totals and a checksum as one line of JSON, without a line feed.
  public func text(checksum: UInt32) -> [UInt8] {
    let value: JSONValue = [
      "entities": .object(
        entities.map { .init($0.name, ["objects": .int($0.objects), "lastId": .uint($0.lastID)]) }),
      "relations": .object(
        relations.map {
          .init($0.name, ["sources": .int($0.sources), "targets": .int($0.targets)])
        }),
      "crc32c": .string(DumpChecksum.text(checksum)),
    ]
    return Array(value.text(indent: 0).utf8)
  }

  /// Reads totals and the checksum beside them.
  ///
  /// - Parameters:
  ///   - node: The object.
  ///   - document: What it is in.
  ///   - line: The line of the file that the document begins on, for the places of errors.
  /// - Returns: The totals and the checksum.
  /// - Throws: ``DumpError``, with the place of the member that is wrong.
  public static func parse(
    _ node: JSONNode, in document: JSONDocument, line: Int = 1
  ) throws(DumpError) -> (totals: DumpTotals, checksum: UInt32) {
    let reader = try MemberReader(document, node, "the end of the dump", line: line)
    var totals = DumpTotals()
    let entities = try reader.object("entities", "\"entities\"")
    for (key, value) in document.memberNodes(of: entities.object) {
      let name = document.key(key)
      let members = try MemberReader(document, value, "the total of \(name)", line: line)
      totals.entities.append(
        EntityTotal(
          name: name, objects: try members.integer("objects"),
          lastID: try members.integer("lastId")))
    }
    let relations = try reader.object("relations", "\"relations\"")
    for (key, value) in document.memberNodes(of: relations.object) {
      let name = document.key(key)
      let members = try MemberReader(document, value, "the total of \(name)", line: line)
      totals.relations.append(
        RelationTotal(
          name: name, sources: try members.integer("sources"),
          targets: try members.integer("targets")))
    }
    return (totals, try reader.checksum("crc32c"))
  }
}

extension MemberReader {
  /// Eight hexadecimal digits.
  func checksum(_ key: String) throws(DumpError) -> UInt32 {
    let node = try required(key)
    guard let value = DumpChecksum.value(try string(node, key)) else {
      throw error("\"\(key)\" of \(name) is not eight hexadecimal digits", node)
    }
    return value
  }
}
