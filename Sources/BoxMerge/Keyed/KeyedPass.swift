internal import BoxJSON

/// One run of a merge by key, with one answer to all conflicts.
struct KeyedPass {
  let versions: KeyedVersions<JSONDocument>
  let layout: KeyedLayout
  let answer: KeyedSide
  private(set) var conflicts: [String] = []

  init(versions: KeyedVersions<JSONDocument>, layout: KeyedLayout, answer: KeyedSide) {
    self.versions = versions
    self.layout = layout
    self.answer = answer
  }

  /// A part of the result.
  private indirect enum Part {
    /// The value as a version has it.
    case copy(KeyedSide, JSONNode)
    /// The members of an object, or the elements of an array.
    case items([Item], brackets: KeyedVersions<JSONNode>)
  }

  /// A member or an element of the result.
  private struct Item {
    /// The version that has its key, and the whitespace in front of it.
    var side: KeyedSide
    var source: KeyedItem
    var value: Part
  }

  /// The merged file.
  mutating func merged() -> [UInt8] {
    guard let document = versions.ours else { return [] }
    let roots = versions.map { $1.root }
    guard let part = merge(roots, at: []) else { return document.bytes }
    let range = document.range(of: document.root)
    var result = Array(document.bytes[..<range.lowerBound])
    write(part, to: &result)
    return result + document.bytes[range.upperBound...]
  }

  /// Merges a value; nil if it is not in the result.
  private mutating func merge(_ nodes: KeyedVersions<JSONNode>, at path: [String]) -> Part? {
    let values = nodes.map { versions[$0]?.exactValue(of: $1).sortedByKey }
    if Self.isSame(values.ours, values.theirs) || Self.isSame(values.theirs, values.base) {
      return copy(.ours, nodes)
    }
    if Self.isSame(values.ours, values.base) { return copy(.theirs, nodes) }
    if let items = items(nodes, values, at: path) { return merge(items, nodes, at: path) }
    conflicts.append(path.map { "/" + Self.pointerToken($0) }.joined())
    return copy(answer, nodes)
  }

  private func copy(_ side: KeyedSide, _ nodes: KeyedVersions<JSONNode>) -> Part? {
    nodes[side].map { .copy(side, $0) }
  }

  private static func isSame(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.isIdentical(to: second)
  }

  /// A part of a JSON pointer, as RFC 6901 escapes it.
  private static func pointerToken(_ key: String) -> String {
    key.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }

  // MARK: - Objects and arrays

  /// The items of a value that is merged item by item; nil for one that is merged as a whole.
  private func items(
    _ nodes: KeyedVersions<JSONNode>, _ values: KeyedVersions<JSONValue>, at path: [String]
  ) -> KeyedVersions<[KeyedItem]>? {
    guard let ours = values.ours, let theirs = values.theirs else { return nil }
    if let key = layout.kindKey, !Self.isSame(ours[key], theirs[key]) { return nil }
    let items = nodes.map { side, node in
      versions[side].flatMap { KeyedItem.all(of: node, in: $0, layout.identities[path]) }
    }
    return items.ours == nil || items.theirs == nil ? nil : items
  }

  private mutating func merge(
    _ items: KeyedVersions<[KeyedItem]>, _ nodes: KeyedVersions<JSONNode>, at path: [String]
  ) -> Part {
    let index = items.map { _, list in
      Dictionary(list.map { ($0.identity, $0) }) { first, _ in first }
    }
    let known = items.map { _, list in list.map(\.identity) }
    var result: [[UInt8]: Item] = [:]
    for identity in OrderMerge.all(known) {
      let found = index.map { $1[identity] }
      guard let name = (found.ours ?? found.theirs ?? found.base)?.name,
        let value = merge(found.map { $1.value }, at: path + [name])
      else { continue }
      let side: KeyedSide = found.ours != nil ? .ours : found.theirs != nil ? .theirs : .base
      guard let source = found[side] else { continue }
      result[identity] = Item(side: side, source: source, value: value)
    }
    let order = OrderMerge(known, members: Set(result.keys)).merged()
    return .items(order.compactMap { result[$0] }, brackets: nodes)
  }

  // MARK: - Text

  private func write(_ part: Part, to output: inout [UInt8]) {
    switch part {
    case .copy(let side, let node):
      guard let document = versions[side] else { return }
      output += document.bytes[document.range(of: node)]
    case .items(let items, let brackets):
      guard let (document, node) = template(brackets) else { return }
      let range = document.range(of: node)
      output.append(document.bytes[range.lowerBound])
      for (position, item) in items.enumerated() {
        guard let source = versions[item.side] else { continue }
        if position > 0 { output.append(UInt8(ascii: ",")) }
        output += source.whitespace(before: item.source.start)
        output += source.bytes[item.source.start..<source.range(of: item.source.value).lowerBound]
        write(item.value, to: &output)
      }
      if !items.isEmpty { output += document.whitespace(before: range.upperBound - 1) }
      output.append(document.bytes[range.upperBound - 1])
    }
  }

  /// The version whose brackets the result has: ours, unless nothing is between them.
  private func template(_ nodes: KeyedVersions<JSONNode>) -> (JSONDocument, JSONNode)? {
    var result: (JSONDocument, JSONNode)?
    for side in [KeyedSide.theirs, .ours] {
      guard let document = versions[side], let node = nodes[side] else { continue }
      if result == nil || document.range(of: node).count > 2 { result = (document, node) }
    }
    return result
  }
}

/// A member of an object, or an element of an array with an identity.
struct KeyedItem {
  var identity: [UInt8]
  /// The identity in the path of a conflict.
  var name: String
  /// The offset of the key, or of the value of an element.
  var start: Int
  var value: JSONNode

  /// The items of a value.
  ///
  /// - Returns: The items; nil for a value that has none, and for elements without an identity or with the
  ///   same one.
  static func all(
    of node: JSONNode, in document: JSONDocument, _ identity: [String]?
  ) -> [KeyedItem]? {
    switch document.kind(of: node) {
    case .object:
      return document.memberNodes(of: node).map { key, value in
        let name = document.key(key)
        return KeyedItem(
          identity: Array(name.utf8), name: name, start: document.range(of: key).lowerBound,
          value: value)
      }
    case .array:
      guard let identity else { return nil }
      var seen: Set<[UInt8]> = []
      var items: [KeyedItem] = []
      for element in document.elementNodes(of: node) {
        let members = identity.map { document.value(forKey: $0, in: element) }
        let parts = members.map { $0.map { document.exactValue(of: $0) } ?? .null }
        let text = JSONValue.array(parts).text(indent: 0)
        guard members.contains(where: { $0 != nil }), seen.insert(Array(text.utf8)).inserted else {
          return nil
        }
        let words = parts.compactMap { if case .string(let word) = $0 { word } else { nil } }
        items.append(
          KeyedItem(
            identity: Array(text.utf8), name: words.isEmpty ? text : words.joined(separator: " "),
            start: document.range(of: element).lowerBound, value: element))
      }
      return items
    default: return nil
    }
  }
}

extension JSONDocument {
  /// The whitespace that ends at an offset.
  fileprivate func whitespace(before end: Int) -> ArraySlice<UInt8> {
    var start = end
    while start > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start - 1]) { start -= 1 }
    return bytes[start..<end]
  }
}

extension JSONValue {
  /// The value with the members of each object in the order of their keys.
  fileprivate var sortedByKey: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sortedByKey))
    case .object(let members):
      .object(
        members.map { Member($0.key, $0.value.sortedByKey) }
          .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    default: self
    }
  }
}
