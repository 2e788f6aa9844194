internal import BoxJSON
internal import BoxModel

/// Compares two sides section by section, both in the order of their ids.
struct SectionComparison {
  private let a: DiffSide
  private let b: DiffSide
  private var result = DumpDifference()
  private var pairs: [Pair] = []

  /// An entity or a relation that both sides have.
  private struct Pair {
    var a: String
    var b: String
    /// The names of the id property.
    var idA: String
    var idB: String
    /// The members that are compared, by their names on either side; what one side lacks is left
    /// out.
    let byNameInA: [ExactText: Member]
    let byNameInB: [ExactText: Member]
    /// Whether objects of the same bytes are the same: no name stands for another member.
    let keepsNames: Bool

    init(_ names: (String, String), ids: (String, String), _ members: [Member]) {
      (a, b) = names
      (idA, idB) = ids
      byNameInA = Dictionary(
        members.map { (ExactText($0.a), $0) }, uniquingKeysWith: { first, _ in first })
      byNameInB = Dictionary(
        members.map { (ExactText($0.b), $0) }, uniquingKeysWith: { first, _ in first })
      keepsNames = members.allSatisfy { $0.a.hasSameBytes(as: $0.b) }
    }
  }

  /// A property, or a part of an entry of a relation, on both sides.
  private struct Member {
    var a: String
    var b: String
    /// Whether integers may be quoted: dumps write 64-bit integers either way.
    var mayBeQuoted: Bool
  }

  init(_ a: DiffSide, _ b: DiffSide) throws {
    self.a = a
    self.b = b
    pairSections()
  }

  // MARK: - Pairing

  private mutating func pairSections() {
    let (mine, theirs) = (a.model.entities, b.model.entities)
    let (inA, inB) = (Set(a.entities), Set(b.entities))
    // Missing elements take part too, so that another element of the name is not the partner.
    let matches = identityPairs(
      of: mine.map { ($0.pair.uid, $0.name) }, with: theirs.map { ($0.pair.uid, $0.name) })
    var relations: [Pair] = []
    var isPaired = [Bool](repeating: false, count: theirs.count)
    for (entity, match) in zip(mine, matches) where inA.contains(entity.name) {
      guard let match, inB.contains(theirs[match].name) else {
        result.notes.append("only \(a.path) has the entity \(entity.name)")
        continue
      }
      isPaired[match] = true
      pairs.append(pair(entity, theirs[match]))
      relations += pairRelations(entity, theirs[match])
    }
    for (entity, isPaired) in zip(theirs, isPaired) where !isPaired && inB.contains(entity.name) {
      result.notes.append("only \(b.path) has the entity \(entity.name)")
    }
    pairs += relations
  }

  private mutating func pairRelations(_ entity: Entity, _ other: Entity) -> [Pair] {
    let (mine, theirs) = (entity.relations ?? [], other.relations ?? [])
    let matches = identityPairs(
      of: mine.map { ($0.pair.uid, $0.name) }, with: theirs.map { ($0.pair.uid, $0.name) })
    let (isInA, isInB) = (a.presence(in: entity), b.presence(in: other))
    var relations: [Pair] = []
    var isPaired = [Bool](repeating: false, count: theirs.count)
    for (relation, match) in zip(mine, matches)
    where isInA(relation.name) && a.hasTarget(of: relation) {
      let name = entity.name + "." + relation.name
      guard let match, isInB(theirs[match].name), b.hasTarget(of: theirs[match]) else {
        result.notes.append("only \(a.path) has the relation \(name)")
        continue
      }
      isPaired[match] = true
      relations.append(
        Pair(
          (name, other.name + "." + theirs[match].name), ids: ("source", "source"),
          [
            Member(a: "source", b: "source", mayBeQuoted: true),
            Member(a: "targets", b: "targets", mayBeQuoted: true),
          ]))
    }
    for (relation, isPaired) in zip(theirs, isPaired)
    where !isPaired && isInB(relation.name) && b.hasTarget(of: relation) {
      result.notes.append("only \(b.path) has the relation \(other.name).\(relation.name)")
    }
    return relations
  }

  private mutating func pair(_ entity: Entity, _ other: Entity) -> Pair {
    var members: [Member] = []
    let (isInA, isInB) = (a.presence(in: entity), b.presence(in: other))
    // An id is an id, whatever its UID is.
    let (idA, idB) = (Self.id(of: entity), Self.id(of: other))
    if let idA, let idB {
      members.append(Member(a: idA.name, b: idB.name, mayBeQuoted: true))
    } else if let idA {
      result.notes.append("only \(a.path) has the property \(entity.name).\(idA.name)")
    }
    let mine = entity.properties.filter { !$0.flags.contains(.id) }
    let theirs = other.properties.filter { !$0.flags.contains(.id) }
    let matches = identityPairs(
      of: mine.map { ($0.pair.uid, $0.name) }, with: theirs.map { ($0.pair.uid, $0.name) })
    var isPaired = [Bool](repeating: false, count: theirs.count)
    for (property, match) in zip(mine, matches) where isInA(property.name) {
      guard let match, isInB(theirs[match].name) else {
        result.notes.append("only \(a.path) has the property \(entity.name).\(property.name)")
        continue
      }
      isPaired[match] = true
      members.append(
        Member(
          a: property.name, b: theirs[match].name,
          mayBeQuoted: Self.areIntegers(property.type, theirs[match].type)
            && !a.isConverted(property.name, of: entity)
            && !b.isConverted(theirs[match].name, of: other)))
    }
    if idA == nil, let idB {
      result.notes.append("only \(b.path) has the property \(other.name).\(idB.name)")
    }
    for (property, isPaired) in zip(theirs, isPaired) where !isPaired && isInB(property.name) {
      result.notes.append("only \(b.path) has the property \(other.name).\(property.name)")
    }
    return Pair(
      (entity.name, other.name), ids: (Self.idKey(entity), Self.idKey(other)), members)
  }

  /// Whether values of two types are integers, of which one side may have written its in quotes.
  private static func areIntegers(_ x: PropertyType?, _ y: PropertyType?) -> Bool {
    guard let x = x?.traits, let y = y?.traits else { return false }
    let isWide = x.bits == 64 || y.bits == 64
    return isWide && [x, y].allSatisfy { $0.form == .integer && $0.json == .plain }
  }

  private static func id(of entity: Entity) -> Property? {
    entity.properties.first { $0.flags.contains(.id) }
  }

  /// The key of the id in the objects of a dump, which exists even if no property is the id.
  private static func idKey(_ entity: Entity) -> String {
    id(of: entity)?.name ?? (entity.properties.contains { $0.name == "id" } ? "@id" : "id")
  }

  // MARK: - Comparing

  mutating func run(_ onItem: (DumpDifference.Item) throws -> Void) throws -> DumpDifference {
    for pair in pairs {
      var section = DumpDifference.Section(name: pair.a)
      try a.source.begin(pair.a)
      try b.source.begin(pair.b)
      var mine = try Self.next(a, pair.idA)
      var theirs = try Self.next(b, pair.idB)
      while mine != nil || theirs != nil {
        let (idA, idB) = (mine?.id ?? .max, theirs?.id ?? .max)
        if idA < idB {
          section.removed += 1
          try onItem(.init(section: pair.a, id: idA, kind: .removed, fields: []))
        } else if idB < idA {
          section.added += 1
          try onItem(.init(section: pair.a, id: idB, kind: .added, fields: []))
        } else if let x = mine, let y = theirs {
          let fields =
            pair.keepsNames && x.json == y.json ? [] : try differences(pair, x.json, y.json)
          if fields.isEmpty {
            section.same += 1
          } else {
            section.changed += 1
            try onItem(.init(section: pair.a, id: idA, kind: .changed, fields: fields))
          }
        }
        if idA <= idB { mine = try Self.next(a, pair.idA, after: idA) }
        if idB <= idA { theirs = try Self.next(b, pair.idB, after: idB) }
      }
      result.sections.append(section)
    }
    return result
  }

  private static func next(
    _ side: DiffSide, _ key: String, after last: UInt64? = nil
  ) throws -> (id: UInt64, json: [UInt8])? {
    guard let json = try side.source.next() else { return nil }
    let id = try id(json, key, side.path)
    if let last, id <= last {
      throw DumpError("the ids are not in order: \(id) follows \(last)", path: side.path)
    }
    return (id, json)
  }

  /// The id of an object, which is usually the first member.
  private static func id(_ json: [UInt8], _ key: String, _ path: String) throws -> UInt64 {
    let prefix = Array("{\"\(key)\":".utf8)
    if json.starts(with: prefix) {
      let digits = json[prefix.count...].prefix { (0x30...0x39).contains($0) }
      if let id = UInt64(String(decoding: digits, as: UTF8.self)) { return id }
    }
    let document = try parse(json, path)
    if let node = document.value(forKey: key, in: document.root) {
      let text = document.kind(of: node) == .string ? document.key(node) : document.text(of: node)
      if let id = UInt64(text) { return id }
    }
    throw DumpError("an object has no \"\(key)\" that is an id", path: path)
  }

  private static func parse(_ json: [UInt8], _ path: String) throws(DumpError) -> JSONDocument {
    do throws(JSONError) {
      var options = JSONDocument.Options()
      options.allowsLargeIntegers = true
      return try JSONDocument(parsing: json, options: options)
    } catch {
      throw DumpError("an object is not JSON: \(error.message)", path: path)
    }
  }

  private func differences(
    _ pair: Pair, _ x: [UInt8], _ y: [UInt8]
  ) throws -> [DumpDifference.Field] {
    let (mine, theirs) = (try Self.parse(x, a.path), try Self.parse(y, b.path))
    // The values of the second side, by the names of the first.
    var others: [ExactText: JSONNode] = [:]
    for (key, value) in theirs.memberNodes(of: theirs.root) {
      if let member = pair.byNameInB[ExactText(theirs.key(key))] {
        others[ExactText(member.a)] = value
      }
    }
    var fields: [DumpDifference.Field] = []
    var known: Set<ExactText> = []
    for (key, value) in mine.memberNodes(of: mine.root) {
      guard let member = pair.byNameInA[ExactText(mine.key(key))] else { continue }
      known.insert(ExactText(member.a))
      let other = others[ExactText(member.a)]
      if let other, Self.isSame(value, mine, other, theirs, member.mayBeQuoted) { continue }
      fields.append(
        .init(
          name: member.a, before: Self.text(value, mine),
          after: other.map { Self.text($0, theirs) } ?? Self.missing))
    }
    for (key, value) in theirs.memberNodes(of: theirs.root) {
      guard let member = pair.byNameInB[ExactText(theirs.key(key))],
        !known.contains(ExactText(member.a))
      else {
        continue
      }
      fields.append(
        .init(name: member.a, before: Self.missing, after: Self.text(value, theirs)))
    }
    return fields
  }

  /// The text in place of the value of a member that an object lacks.
  private static let missing = "missing"

  private static func text(_ node: JSONNode, _ document: JSONDocument) -> String {
    String(decoding: document.compactText(of: node), as: UTF8.self)
  }

  /// Whether two values are the same, apart from quotes around integers if `mayBeQuoted` is true.
  private static func isSame(
    _ x: JSONNode, _ mine: JSONDocument, _ y: JSONNode, _ theirs: JSONDocument,
    _ mayBeQuoted: Bool
  ) -> Bool {
    if mine.compactText(of: x) == theirs.compactText(of: y) { return true }
    if !mayBeQuoted { return false }
    if mine.kind(of: x) == .array && theirs.kind(of: y) == .array {
      let (a, b) = (mine.elements(of: x), theirs.elements(of: y))
      return a.count == b.count
        && zip(a, b).allSatisfy { isSame($0, mine, $1, theirs, mayBeQuoted) }
    }
    guard let a = digits(x, mine), let b = digits(y, theirs) else { return false }
    return a == b
  }

  /// The text of an integer or the content of a string; nil for other values.
  private static func digits(_ node: JSONNode, _ document: JSONDocument) -> String? {
    switch document.kind(of: node) {
    case .number where document.isInteger(node): document.text(of: node)
    case .string: document.key(node)
    default: nil
    }
  }
}
