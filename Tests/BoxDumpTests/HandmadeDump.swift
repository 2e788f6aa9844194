import BoxJSON
import TestSupport

@testable import BoxDump

/// A dump of lines that is made without a store, so that it may hold what none would give.
struct HandmadeDump {
  struct Property {
    var name: String
    var uid: Int
    /// The type in the model; a string by default.
    var type = 9
  }

  struct Relation {
    var name: String
    var uid: Int
    /// The UID of the entity that it leads to.
    var target: Int
  }

  /// An entity, to which a property `id` is added as its first.
  struct Entity {
    var name: String
    var uid: Int
    var properties: [Property] = []
    var relations: [Relation] = []
  }

  /// An object, or an entry of a relation.
  struct Line {
    var section: String
    var json: String
    var isEntry = false
  }

  var entities: [Entity]
  var lines: [Line] = []
  var integers = IntegerForm.number
  var fields: [String]?
  /// Whether there is the line with the totals.
  var hasEnd = true

  init(_ entities: [Entity]) { self.entities = entities }

  /// Writes it to a file.
  func write(to name: String, in directory: TemporaryDirectory) throws -> DumpDifference.Side {
    try directory.write(bytes, to: name)
    return .init(directory.path(of: name), .file)
  }

  var bytes: [UInt8] {
    var header = DumpHeader(
      shape: .lines, entities: entities.map(\.name), model: Array(model.utf8))
    header.integers = integers
    header.fields = fields
    var text = Array("{\"\(DumpFormat.envelopeKey)\":".utf8) + header.text + Array("}\n".utf8)
    for line in lines { text += Array("{\(quoted(line.section)):\(line.json)}\n".utf8) }
    if !hasEnd { return text }
    var checksum = DumpChecksum()
    checksum.update(text)
    text += Array("{\"\(DumpFormat.envelopeKey)\":{\"end\":".utf8)
    text += totals.text(checksum: checksum.value, header: header.text)
    return text + Array("}}\n".utf8)
  }

  /// The totals of its content.
  var totals: DumpTotals {
    var totals = DumpTotals()
    for entity in entities {
      let objects = lines.filter { $0.section == entity.name }.count
      totals.entities.append(.init(name: entity.name, objects: objects, lastID: 1000))
      for relation in entity.relations {
        let name = entity.name + "." + relation.name
        let entries = lines.filter { $0.section == name }
        let targets = entries.map { $0.json.split(separator: ",").count - 1 }.reduce(0, +)
        totals.relations.append(.init(name: name, sources: entries.count, targets: targets))
      }
    }
    return totals
  }

  private var model: String {
    let list = entities.enumerated().map { number, entity in
      text(of: entity, number: number + 1)
    }
    return """
      {"entities":[\(list.joined(separator: ","))],"lastEntityId":"0:0","lastIndexId":"0:0",\
      "lastRelationId":"0:0","modelVersion":5,"modelVersionParserMinimum":5,"version":1,\
      "retiredEntityUids":[],"retiredPropertyUids":[],"retiredIndexUids":[],\
      "retiredRelationUids":[]}
      """
  }

  private func text(of entity: Entity, number: Int) -> String {
    var properties = [#"{"id":"1:\#(entity.uid * 1000)","name":"id","type":6,"flags":1}"#]
    for (index, property) in entity.properties.enumerated() {
      let name = quoted(property.name)
      properties.append(
        """
        {"id":"\(index + 2):\(property.uid)","name":\(name),"type":\(property.type)}
        """)
    }
    var relations: [String] = []
    for (index, relation) in entity.relations.enumerated() {
      let name = quoted(relation.name)
      let target = entities.firstIndex { $0.uid == relation.target } ?? 0
      relations.append(
        """
        {"id":"\(index + 1):\(relation.uid)","name":\(name),\
        "targetId":"\(target + 1):\(relation.target)"}
        """)
    }
    return """
      {"id":"\(number):\(entity.uid)","lastPropertyId":"0:0","name":\(quoted(entity.name)),\
      "properties":[\(properties.joined(separator: ","))],\
      "relations":[\(relations.joined(separator: ","))]}
      """
  }

  private func quoted(_ text: String) -> String { JSONValue.string(text).text(indent: 0) }
}
