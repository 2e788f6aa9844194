import BoxModel

/// A model as a few lines of text.
///
/// An entity stands at the start of a line, its properties and relations below it, two blanks in:
///
///     Note 1:1000
///       id 1:1001 long ID
///       text 2:1002 string INDEXED index=1:1003
///       author 3:1004 relation INDEXED,INDEX_PARTIAL_SKIP_ZERO index=2:1005 to=User
///       place 4:1007 floatVector {"dimensions":2}
///       tags 1:1006 -> 2:2000
///     last entity 3:3000
///     retired entity 3000
///
/// Last ids are those of what stands there, or what `last` says: for properties a line in the entity.
/// `pool` is followed by UIDs, `version` and `other` by a value.
struct ModelSketch {
  let model: Model

  init(_ text: String) {
    var reader = Reader()
    for line in text.split(separator: "\n") { reader.read(line) }
    reader.end()
    model = reader.model
  }

  private struct Reader {
    var model = Model()
    private var lasts: [Counter: IDPair] = [:]

    mutating func read(_ line: Substring) {
      let words = line.split(separator: " ").map(String.init)
      let isMember = line.hasPrefix(" ")
      let newest = model.entities.count - 1
      switch (words[0], isMember) {
      case ("last", true):
        lasts[.property(entity: model.entities[newest].pair.uid)] = pair(words[1])
      case ("last", false): lasts[counter(words[1])] = pair(words[2])
      case ("retired", false):
        if let kind = ElementKind(rawValue: words[1]) {
          model[retired: kind] = words[2...].compactMap { UID($0) }
        }
      case ("pool", false): model.newUIDPool = words[1...].compactMap { UID($0) }
      case ("version", false): model.version = Int(words[1])
      case ("other", false):
        model.otherMembers.append(OtherMember(key: words[1], text: words[2]))
      case (_, false):
        var entity = Entity(pair: pair(words[1]), name: words[0])
        entity.flags = EntityFlags(rawValue: flags(words.dropFirst(2).first, Self.entityFlags))
        model.entities.append(entity)
      case (_, true) where words[2] == "->":
        let relation = Relation(pair: pair(words[1]), name: words[0], target: pair(words[3]))
        model.entities[newest].relations?.append(relation)
      case (_, true):
        let property = property(words)
        model.entities[newest].properties.append(property)
      }
    }

    private func property(_ words: [String]) -> Property {
      var property = Property(
        pair: pair(words[1]), name: words[0],
        type: (1...32).map { PropertyType(rawValue: $0) }.first { $0.description == words[2] })
      for word in words.dropFirst(3) {
        if word.hasPrefix("index=") {
          property.indexID = pair(String(word.dropFirst(6)))
        } else if word.hasPrefix("to=") {
          property.relationTarget = String(word.dropFirst(3))
        } else if word.hasPrefix("{") {
          property.hnswParams = word
        } else {
          property.flags = PropertyFlags(rawValue: flags(word, Self.propertyFlags))
        }
      }
      return property
    }

    private static let entityFlags = EntityFlags.names.map { ($0.name, $0.flag.rawValue) }
    private static let propertyFlags = PropertyFlags.names.map { ($0.name, $0.flag.rawValue) }

    private func flags(_ word: String?, _ known: [(name: String, bit: UInt32)]) -> UInt32 {
      (word ?? "").split(separator: ",").reduce(0) { bits, name in
        bits | (known.first { $0.name == name }?.bit ?? 0)
      }
    }

    private func pair(_ word: String) -> IDPair { IDPair(text: word) ?? .unset }

    private func counter(_ word: String) -> Counter {
      word == "entity" ? .entity : word == "index" ? .index : .relation
    }

    /// Counters that nothing was said of.
    mutating func end() {
      var highest: [Counter: IDPair] = [:]
      let model = self.model
      model.forEachElement { place, pair in
        let counter = model.counter(of: place)
        if pair.id > highest[counter]?.id ?? 0 { highest[counter] = pair }
      }
      for (counter, pair) in highest.merging(lasts, uniquingKeysWith: { $1 }) {
        self.model[last: counter] = pair
      }
    }
  }
}

/// The text of a model as ``ModelSketch`` reads it, with every last id.
func sketch(_ model: Model) -> String {
  var lines: [String] = []
  for entity in model.entities {
    lines.append(
      "\(entity.name) \(entity.pair) " + entity.flags.setNames.joined(separator: ","))
    for property in entity.properties {
      lines.append(
        "  \(property.name) \(property.pair) \(property.type?.description ?? "untyped")"
          + (property.flags.isEmpty ? "" : " " + property.flags.setNames.joined(separator: ","))
          + (property.indexID.map { " index=\($0)" } ?? "")
          + (property.relationTarget.map { " to=\($0)" } ?? ""))
    }
    for relation in entity.relations ?? [] {
      lines.append("  \(relation.name) \(relation.pair) -> \(relation.target)")
    }
    lines.append("  last \(entity.lastPropertyID ?? .unset)")
  }
  lines += [
    "last entity \(model.lastEntityID ?? .unset)", "last index \(model.lastIndexID ?? .unset)",
    "last relation \(model.lastRelationID ?? .unset)", "version \(model.version ?? 0)",
  ]
  for kind in ElementKind.allCases {
    lines.append(
      "retired \(kind) " + (model[retired: kind] ?? []).map(\.description).joined(separator: " "))
  }
  lines.append("pool " + (model.newUIDPool ?? []).map(\.description).joined(separator: " "))
  return lines.joined(separator: "\n")
}
