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
    var relations: [Pair] = []
    var paired: Set<UID> = []
    for entity in a.model.entities where a.entities.contains(entity.name) {
      guard let other = Self.partner(of: entity, in: b.model.entities),
        b.entities.contains(other.name)
      else {
        result.notes.append("only \(a.path) has the entity \(entity.name)")
        continue
      }
      paired.insert(other.pair.uid)
      pairs.append(pair(entity, other))
      for relation in entity.relations ?? [] {
        let name = entity.name + "." + relation.name
        let match =
          (other.relations ?? []).first { $0.pair.uid == relation.pair.uid }
          ?? (other.relations ?? []).first { $0.name == relation.name }
        guard let match else {
          result.notes.append("only \(a.path) has the relation \(name)")
          continue
        }
        relations.append(
          Pair(
            a: name, b: other.name + "." + match.name, idA: "source", idB: "source",
            properties: ["source": "source", "targets": "targets"]))
      }
    }
    for entity in b.model.entities
    where b.entities.contains(entity.name) && !paired.contains(entity.pair.uid) {
      result.notes.append("only \(b.path) has the entity \(entity.name)")
    }
    pairs += relations
  }

  private static func partner(of entity: Entity, in others: [Entity]) -> Entity? {
    others.first { $0.pair.uid == entity.pair.uid } ?? others.first { $0.name == entity.name }
  }

  private mutating func pair(_ entity: Entity, _ other: Entity) -> Pair {
    var properties: [String: String] = [:]
    let mine = Self.properties(of: entity, a.fields)
    var theirs = Self.properties(of: other, b.fields)
    for property in mine {
      let match =
        theirs.firstIndex { $0.pair.uid == property.pair.uid }
        ?? theirs.firstIndex { $0.name == property.name }
      if let match {
        properties[property.name] = theirs.remove(at: match).name
      } else {
        result.notes.append("only \(a.path) has the property \(entity.name).\(property.name)")
      }
    }
    for property in theirs {
      result.notes.append("only \(b.path) has the property \(other.name).\(property.name)")
    }
    func id(_ entity: Entity) -> String {
      entity.properties.first { $0.flags.contains(.id) }?.name
        ?? (entity.properties.contains { $0.name == "id" } ? "@id" : "id")
    }
    return Pair(
      a: entity.name, b: other.name, idA: id(entity), idB: id(other), properties: properties)
  }

  /// The properties that are there: all of an entity of which no field was chosen.
  private static func properties(of entity: Entity, _ fields: Set<String>?) -> [Property] {
    guard let fields, fields.contains(where: { $0.hasPrefix(entity.name + ".") }) else {
      return entity.properties
    }
    return entity.properties.filter {
      $0.flags.contains(.id) || fields.contains(entity.name + "." + $0.name)
    }
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
