internal import BoxEngine
package import BoxJSON

/// The numbers of the objects and entries in a dump.
public struct DumpTotals: Hashable, Sendable {
  /// The objects of an entity.
  public struct EntityTotal: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The number of objects in the dump.
    public var objects: Int
    /// The last id that the store gave, so that a restored store does not give it again.
    public var lastID: UInt64

    /// Creates the total of an entity.
    public init(name: String, objects: Int, lastID: UInt64) {
      self.name = name
      self.objects = objects
      self.lastID = lastID
    }
  }

  /// The entries of a to-many relation.
  public struct RelationTotal: Hashable, Sendable {
    /// `Entity.relation`.
    public var name: String
    /// The number of objects that have targets.
    public var sources: Int
    /// The number of entries: pairs of a source and a target.
    public var targets: Int

    /// Creates the total of a relation.
    public init(name: String, sources: Int, targets: Int) {
      self.name = name
      self.sources = sources
      self.targets = targets
    }
  }

  /// The damaged objects and entries that an export left out; a dump does not have these numbers.
  public struct LeftOut: Hashable, Sendable {
    /// Objects whose records are damaged, or that have a string which is not UTF-8.
    public var objects = 0
    /// Entries of relations that exist in one direction only, or whose objects are damaged or do
    /// not exist.
    public var entries = 0

    /// Whether nothing was left out.
    public var isEmpty: Bool { objects == 0 && entries == 0 }
  }

  /// The numbers of damaged objects and entries left out; zero unless the export salvages.
  public var leftOut = LeftOut()
  /// The entities in the order of the dump.
  public var entities: [EntityTotal] = []
  /// The relations in the order of the dump.
  public var relations: [RelationTotal] = []

  /// Creates the totals of an empty dump.
  public init() {}

  /// The number of all objects.
  public var objects: Int { entities.reduce(0) { $0 + $1.objects } }
}

extension DumpTotals.EntityTotal {
  /// Adds the objects of another file, whose number can be anything in a damaged manifest.
  mutating func add(_ other: Self) {
    objects = objects.addingSaturated(other.objects)
    lastID = max(lastID, other.lastID)
  }
}

extension DumpTotals.RelationTotal {
  /// Adds the entries of another file, whose number can be anything in a damaged manifest.
  mutating func add(_ other: Self) {
    sources = sources.addingSaturated(other.sources)
    targets = targets.addingSaturated(other.targets)
  }
}

extension Int {
  fileprivate func addingSaturated(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}

extension DumpTotals {
  /// The totals and a checksum as one line of JSON, without a line feed.
  ///
  /// - Parameters:
  ///   - checksum: The checksum of everything before.
  ///   - header: The header as JSON without white space, which the check of the totals covers too.
  /// - Returns: The line.
  public func text(checksum: UInt32, header: [UInt8]) -> [UInt8] {
    let entities: JSONValue = .object(
      entities.map { .init($0.name, ["objects": .int($0.objects), "lastId": .uint($0.lastID)]) })
    let relations: JSONValue = .object(
      relations.map { .init($0.name, ["sources": .int($0.sources), "targets": .int($0.targets)]) })
    let parts = [entities, relations, .string(DumpChecksum.text(checksum))]
      .map { Array($0.text(indent: 0).utf8) }
    var check = DumpChecksum()
    for part in [header] + parts { check.update(part) }
    var text: [UInt8] = []
    for (key, part) in zip(["entities", "relations", "crc32c"], parts) {
      text += Array("\(text.isEmpty ? "{" : ",")\"\(key)\":".utf8) + part
    }
    return text + Array(",\"check\":\"\(check.text)\"}".utf8)
  }
}

/// The end of a dump that is one file.
public struct DumpEnd: Hashable, Sendable {
  /// The numbers of the objects and entries in the dump.
  public var totals = DumpTotals()
  /// The checksum of all bytes before.
  public var checksum: UInt32
  /// The check of the header and of the totals; nil in a dump of a version that did not write it.
  public var check: UInt32?
  /// The bytes that the checksum covers after the header.
  private var checked: [UInt8] = []

  /// Reads the end.
  ///
  /// - Parameters:
  ///   - node: The object.
  ///   - document: The document that contains the object.
  ///   - line: The line of the file that the document begins on, for the places of errors.
  /// - Throws: ``DumpError``, with the place of the invalid member.
  package init(_ node: JSONNode, in document: JSONDocument, line: Int = 1) throws(DumpError) {
    let reader = try MemberReader(document, node, "the end of the dump", line: line)
    checksum = try reader.checksum("crc32c")
    if reader.node("check") != nil { check = try reader.checksum("check") }
    let entities = try reader.object("entities", "\"entities\"")
    for (key, value) in document.memberNodes(of: entities.object) {
      let name = document.key(key)
      let members = try MemberReader(document, value, "the total of \(name)", line: line)
      totals.entities.append(
        .init(
          name: name, objects: try members.integer("objects"), lastID: try members.lastID()))
    }
    let relations = try reader.object("relations", "\"relations\"")
    for (key, value) in document.memberNodes(of: relations.object) {
      let name = document.key(key)
      let members = try MemberReader(document, value, "the total of \(name)", line: line)
      totals.relations.append(
        .init(
          name: name, sources: try members.integer("sources"),
          targets: try members.integer("targets")))
    }
    for key in ["entities", "relations", "crc32c"] {
      checked += document.compactText(of: try reader.required(key))
    }
  }

  /// Compares the check.
  ///
  /// - Parameter header: The checksum of the header, as JSON without white space.
  /// - Returns: Whether the header and the totals are as they were written, as far as the checksum shows it.
  public func isRight(after header: DumpChecksum) -> Bool {
    guard let check else { return true }
    var found = header
    found.update(checked)
    return found.value == check
  }

  static let wrongCheck = "the header or the totals of the dump were changed or damaged"
}

extension DumpChecksum {
  /// The checksum of a value, as JSON without white space.
  init(_ node: JSONNode, in document: JSONDocument) {
    self.init()
    update(document.compactText(of: node))
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

  /// The last id that a store gave.
  func lastID() throws(DumpError) -> UInt64 {
    let node = try required("lastId")
    let id: UInt64 = try integer(node, "lastId")
    if id > ObjectStore.maximumID {
      throw error("\"lastId\" of \(name) is larger than any id, \(ObjectStore.maximumID)", node)
    }
    return id
  }
}
