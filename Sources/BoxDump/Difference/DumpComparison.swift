internal import BoxJSON
internal import BoxModel

/// Compares two sides section by section, both in the order of their ids.
struct DumpComparison {
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
    /// The names of a property on both sides; those that one side lacks are left out.
    var properties: [String: String]
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
    // Also what is not there takes part: its partner is no other element of its name.
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
          a: name, b: other.name + "." + theirs[match].name, idA: "source", idB: "source",
          properties: ["source": "source", "targets": "targets"]))
    }
    for (relation, isPaired) in zip(theirs, isPaired)
    where !isPaired && isInB(relation.name) && b.hasTarget(of: relation) {
      result.notes.append("only \(b.path) has the relation \(other.name).\(relation.name)")
    }
    return relations
  }

  private mutating func pair(_ entity: Entity, _ other: Entity) -> Pair {
    var properties: [String: String] = [:]
    let (isInA, isInB) = (a.presence(in: entity), b.presence(in: other))
    // An id is an id, whatever its UID is.
    let (idA, idB) = (Self.id(of: entity), Self.id(of: other))
    if let idA, let idB {
      properties[idA.name] = idB.name
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
      properties[property.name] = theirs[match].name
    }
    if idA == nil, let idB {
      result.notes.append("only \(b.path) has the property \(other.name).\(idB.name)")
    }
    for (property, isPaired) in zip(theirs, isPaired) where !isPaired && isInB(property.name) {
      result.notes.append("only \(b.path) has the property \(other.name).\(property.name)")
    }
    return Pair(
      a: entity.name, b: other.name, idA: Self.idKey(entity), idB: Self.idKey(other),
      properties: properties)
  }

  private static func id(of entity: Entity) -> Property? {
    entity.properties.first { $0.flags.contains(.id) }
  }

  /// The key of the id in the objects of a dump, which is there also where no property is the id.
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
          let fields = x.json == y.json ? [] : try differences(pair, x.json, y.json)
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

  /// The id of an object; mostly it is the first member.
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
      throw DumpError("an object is no JSON: \(error.message)", path: path)
    }
  }

  private func differences(
    _ pair: Pair, _ x: [UInt8], _ y: [UInt8]
  ) throws -> [DumpDifference.Field] {
    let (mine, theirs) = (try Self.parse(x, a.path), try Self.parse(y, b.path))
    var fields: [DumpDifference.Field] = []
    for (key, value) in mine.memberNodes(of: mine.root) {
      let name = mine.key(key)
      guard let other = pair.properties[name] else { continue }
      let before = mine.compactText(of: value)
      let after = theirs.value(forKey: other, in: theirs.root).map { theirs.compactText(of: $0) }
      if after.map({ Self.isSame(before, $0) }) ?? false { continue }
      fields.append(
        .init(
          name: name, before: String(decoding: before, as: UTF8.self),
          after: after.map { String(decoding: $0, as: UTF8.self) } ?? "missing"))
    }
    return fields
  }

  /// Whether two values are the same but for quotes round integers.
  private static func isSame(_ x: [UInt8], _ y: [UInt8]) -> Bool {
    if x == y { return true }
    func plain(_ text: [UInt8]) -> [UInt8] {
      text.contains(UInt8(ascii: "\"")) ? text.filter { $0 != UInt8(ascii: "\"") } : text
    }
    let isInteger = { (byte: UInt8) in "-0123456789,[]\"".utf8.contains(byte) }
    return x.allSatisfy(isInteger) && y.allSatisfy(isInteger) && plain(x) == plain(y)
  }
}
