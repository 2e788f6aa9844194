import BoxJSON
import TestSupport

@testable import BoxModel

/// A replacement of some bytes of a file; of several the first is where an issue is expected.
struct TextEdit {
  var range: Range<Int>
  var text: String
}

extension ModelDocument {
  /// Replaces the value of a key; nil if the element lacks the key.
  func replacing(_ key: String, of place: ElementPlace, with text: String) -> TextEdit? {
    json.value(forKey: key, in: node(place)).map { TextEdit(range: json.range(of: $0), text: text) }
  }

  func replacing(root key: String, with text: String) -> TextEdit? {
    json.value(forKey: key, in: json.root).map { TextEdit(range: json.range(of: $0), text: text) }
  }

  /// Puts a member before the first one of an element, on its line.
  func inserting(_ member: String, into place: ElementPlace) -> TextEdit? {
    json.members(of: node(place)).first.map { first in
      let start = json.range(of: first.key).lowerBound
      return TextEdit(range: start..<start, text: member + ", ")
    }
  }

  /// Sets the flags of an element, which may have none.
  func settingFlags(_ flags: UInt32, of place: ElementPlace) -> TextEdit? {
    replacing("flags", of: place, with: String(flags))
      ?? inserting("\"flags\": \(flags)", into: place)
  }

  /// Takes a member out, with its line and comma; nil for the last one of an object.
  func removing(_ key: String, of place: ElementPlace) -> TextEdit? {
    removing(key, from: node(place))
  }

  /// Takes a member out of an object, with its line and comma; nil for its last one.
  func removing(_ key: String, from object: JSONNode) -> TextEdit? {
    let members = json.members(of: object)
    guard let position = members.firstIndex(where: { json.key($0.key, equals: key) }),
      position + 1 < members.count
    else { return nil }
    let start = json.range(of: members[position].key).lowerBound
    return TextEdit(
      range: start..<json.range(of: members[position + 1].key).lowerBound, text: "")
  }

  /// Takes a member out that may be the last one, with what stands between it and its neighbour.
  func removingAnywhere(_ key: String, of place: ElementPlace) -> TextEdit? {
    if let edit = removing(key, of: place) { return edit }
    let members = json.members(of: node(place)).suffix(2)
    guard let before = members.first, let last = members.last, members.count == 2,
      json.key(last.key, equals: key)
    else { return nil }
    let start = json.range(of: before.value).upperBound
    return TextEdit(range: start..<json.range(of: last.value).upperBound, text: "")
  }

  /// Puts a UID in front of a list of the model.
  func prepending(_ uids: [UID], to key: String) -> TextEdit? {
    guard let list = json.value(forKey: key, in: json.root), json.kind(of: list) == .array else {
      return nil
    }
    let start = json.range(of: list).lowerBound + 1
    let text = uids.map { String($0) }.joined(separator: ", ")
    let isEmpty = json.elements(of: list).isEmpty
    return TextEdit(range: start..<start, text: isEmpty ? text : text + ",")
  }

  /// The bytes after some edits.
  func bytes(after edits: [TextEdit]) -> [UInt8] {
    var result = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      result.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return result
  }

  /// The line, from 1, of an offset.
  func line(of offset: Int) -> Int { json.position(at: offset).line }

  /// A UID that does not exist in the file.
  var freeUID: UID {
    var uids = SplitMix64(seed: UInt64(bytes.count))
    let lookup = ModelLookup(model)
    while true {
      let uid = uids.next() >> 1 | 1 << 61
      if !lookup.isLive(uid), !lookup.isRetired(uid) { return uid }
    }
  }

  /// Properties that can be changed without a consequence elsewhere: not the last one given, not
  /// indexed, not the id, of a known type, not a relation.
  var plainProperties: [(place: ElementPlace, property: Property)] {
    model.entities.enumerated().flatMap { e, entity in
      entity.properties.enumerated().compactMap { p, property in
        let isPlain =
          property.pair != entity.lastPropertyID && property.indexID == nil
          && !property.flags.contains(.id) && !property.flags.isIndexed
          && property.flags.isDisjoint(with: .needsIndex)
          && property.type?.isKnown ?? false && property.type != .relation
        return isPlain ? (.property(entity: e, p), property) : nil
      }
    }
  }

  /// All properties.
  var properties: [(place: ElementPlace, property: Property)] {
    model.entities.enumerated().flatMap { e, entity in
      entity.properties.enumerated().map { p, property in (.property(entity: e, p), property) }
    }
  }

  /// All standalone relations.
  var relations: [(place: ElementPlace, relation: Relation)] {
    model.entities.enumerated().flatMap { e, entity in
      (entity.relations ?? []).enumerated().map { r, relation in
        (.relation(entity: e, r), relation)
      }
    }
  }

  /// The position of an entity that no relation leads to, and is not the first one.
  var unreferencedEntity: Int? {
    let targets = Set(properties.compactMap { $0.property.relationTarget.map(foldedName) })
    let targetUIDs = Set(relations.map(\.relation.target.uid))
    return model.entities.indices.dropFirst().first {
      let entity = model.entities[$0]
      return entity.pair != model.lastEntityID && !targets.contains(foldedName(entity.name))
        && !targetUIDs.contains(entity.pair.uid)
    }
  }
}
