import BoxJSON
import BoxModel

/// The text of a model file with other id pairs in the places of its elements.
///
/// - Parameters:
///   - document: The file; every element of it could be read.
///   - model: Its model, with other pairs.
/// - Returns: The text, otherwise byte for byte as it was.
func bytes(of document: ModelDocument, withPairsOf model: Model) -> [UInt8] {
  let json = document.json
  var edits: [(range: Range<Int>, pair: IDPair)] = []
  func replace(_ key: String, in object: JSONNode, by pair: IDPair?) {
    guard let pair, let value = json.value(forKey: key, in: object) else { return }
    edits.append((json.range(of: value), pair))
  }
  func elements(_ key: String, of object: JSONNode) -> [JSONNode] {
    json.value(forKey: key, in: object).map { json.elements(of: $0) } ?? []
  }
  for (node, entity) in zip(elements("entities", of: json.root), model.entities) {
    replace("id", in: node, by: entity.pair)
    for (node, property) in zip(elements("properties", of: node), entity.properties) {
      replace("id", in: node, by: property.pair)
      replace(ElementField.indexID.key, in: node, by: property.indexID)
    }
    for (node, relation) in zip(elements("relations", of: node), entity.relations ?? []) {
      replace("id", in: node, by: relation.pair)
      replace(ElementField.targetID.key, in: node, by: relation.target)
    }
  }
  var result: [UInt8] = []
  var start = 0
  for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
    result += document.bytes[start..<edit.range.lowerBound]
    result += "\"\(edit.pair)\"".utf8
    start = edit.range.upperBound
  }
  return result + document.bytes[start...]
}
