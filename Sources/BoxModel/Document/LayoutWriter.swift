import BoxJSON

/// Writes an edited JSON document: unchanged parts are copied, new parts follow the dialect.
///
/// Objects and arrays are lists of items between brackets; an item keeps the white space before it.
struct LayoutWriter {
  let document: JSONDocument
  let dialect: Dialect
  var output: [UInt8] = []

  init(_ document: JSONDocument, _ dialect: Dialect) {
    self.document = document
    self.dialect = dialect
    output.reserveCapacity(document.bytes.count + document.bytes.count / 16 + 256)
  }

  /// An edit of a member of an object.
  enum Edit {
    /// The member stays as it is, in the file or not.
    case keep
    /// The member has this value.
    case write((inout LayoutWriter, _ depth: Int) -> Void)
    /// The member is not in the file.
    case remove
  }

  private struct Item {
    var lead: Range<Int>?
    var tail: Range<Int>?
    var body: (inout LayoutWriter) -> Void
  }

  mutating func append(_ text: String) {
    output.append(contentsOf: text.utf8)
  }

  mutating func copy(_ range: Range<Int>) {
    document.bytes.withUnsafeBufferPointer { output.append(contentsOf: $0[range]) }
  }

  mutating func appendQuoted(_ text: String) {
    var writer = JSONTextWriter(escaping: dialect.profile.escaping)
    writer.append(string: text)
    output.append(contentsOf: writer.bytes)
  }

  /// Writes an object of the document with some of its members edited.
  ///
  /// Members without an edit are removed; `order` determines the places of new ones.
  mutating func patchObject(
    _ node: JSONNode, depth: Int, order: [String], edits: [(key: String, edit: Edit)]
  ) {
    let members = document.members(of: node)
    let slots = itemRanges(
      of: node,
      children: members.map {
        document.range(of: $0.key).lowerBound..<document.range(of: $0.value).upperBound
      })
    let ranks = Dictionary(order.enumerated().map { (ExactText($1), $0) }) { first, _ in first }
    let editsByKey = Dictionary(edits.map { (ExactText($0.key), $0.edit) }) { first, _ in first }
    var items: [(rank: Int, item: Item)] = []
    items.reserveCapacity(members.count)
    var present: Set<ExactText> = []
    for (position, member) in members.enumerated() {
      let key = ExactText(document.key(member.key))
      present.insert(key)
      guard let edit = editsByKey[key] else { continue }
      let keyPart =
        document.range(of: member.key).lowerBound..<document.range(of: member.value).lowerBound
      let valuePart = document.range(of: member.value)
      let body: (inout LayoutWriter) -> Void
      switch edit {
      case .remove: continue
      case .keep: body = { $0.copy(keyPart.lowerBound..<valuePart.upperBound) }
      case .write(let write):
        body = {
          $0.copy(keyPart)
          write(&$0, depth + 1)
        }
      }
      let slot = slots.items[position]
      items.append((ranks[key] ?? order.count, Item(lead: slot.lead, tail: slot.tail, body: body)))
    }
    var added: [(rank: Int, item: Item)] = []
    for (key, edit) in edits where !present.contains(ExactText(key)) {
      guard case .write(let write) = edit else { continue }
      let item = Item(lead: nil, tail: nil) { writer in
        writer.appendQuoted(key)
        writer.append(writer.dialect.keySeparator)
        write(&writer, depth + 1)
      }
      added.append((ranks[ExactText(key)] ?? order.count, item))
    }
    write(Self.merge(items, added), between: ("{", "}"), closing: slots.closing, depth: depth)
  }

  /// Writes an array with the children at the given positions, or new ones, in the given order.
  mutating func patchArray(
    _ node: JSONNode?, depth: Int,
    items: [(kept: Int?, body: (inout LayoutWriter) -> Void)]
  ) {
    let children = node.map { document.elements(of: $0) } ?? []
    let slots = node.map { itemRanges(of: $0, children: children.map { document.range(of: $0) }) }
    let placed = items.map { item in
      Item(
        lead: item.kept.flatMap { slots?.items[$0].lead },
        tail: item.kept.flatMap { slots?.items[$0].tail }, body: item.body)
    }
    write(placed, between: ("[", "]"), closing: slots?.closing, depth: depth)
  }

  /// Writes a new object.
  mutating func writeObject(
    depth: Int, members: [(key: String, write: (inout LayoutWriter, _ depth: Int) -> Void)]
  ) {
    let items = members.map { member in
      Item(lead: nil, tail: nil) { writer in
        writer.appendQuoted(member.key)
        writer.append(writer.dialect.keySeparator)
        member.write(&writer, depth + 1)
      }
    }
    write(items, between: ("{", "}"), closing: nil, depth: depth)
  }

  /// The items of an object, with each new one before the first item of a higher rank.
  ///
  /// - Complexity: O(*n* log *n*) in the number of items.
  private static func merge(
    _ items: [(rank: Int, item: Item)], _ added: [(rank: Int, item: Item)]
  ) -> [Item] {
    let added = added.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    var result: [Item] = []
    result.reserveCapacity(items.count + added.count)
    var next = added.startIndex
    for item in items {
      while next < added.endIndex, added[next].element.rank < item.rank {
        result.append(added[next].element.item)
        next += 1
      }
      result.append(item.item)
    }
    return result + added[next...].map(\.element.item)
  }

  private mutating func write(
    _ items: [Item], between brackets: (String, String), closing: Range<Int>?, depth: Int
  ) {
    append(brackets.0)
    if items.isEmpty, brackets.0 == "[", dialect.spreadsEmptyArrays {
      append(dialect.newline + dialect.lineStart(depth: depth))
    }
    // A new item looks like its neighbours; without neighbours, like the rest of the file.
    // White space without end is copied where it is, and not once more for each new item.
    var usualLead = items.last { $0.lead != nil }?.lead
    if usualLead?.count ?? 0 > Dialect.maximumWhiteSpace { usualLead = nil }
    for (position, item) in items.enumerated() {
      if position > 0 { append(",") }
      if let lead = item.lead ?? usualLead {
        copy(lead)
      } else {
        append(dialect.lineStart(depth: depth + 1))
      }
      item.body(&self)
      if position < items.count - 1, let tail = item.tail { copy(tail) }
    }
    if !items.isEmpty {
      if let closing {
        copy(closing)
      } else {
        append(dialect.lineStart(depth: depth))
      }
    }
    append(brackets.1)
  }

  /// The white space around the children of an object or array; no closing one if there are no
  /// children.
  private func itemRanges(
    of node: JSONNode, children: [Range<Int>]
  ) -> (items: [(lead: Range<Int>, tail: Range<Int>)], closing: Range<Int>?) {
    let whole = document.range(of: node)
    var start = whole.lowerBound + 1
    var items: [(lead: Range<Int>, tail: Range<Int>)] = []
    items.reserveCapacity(children.count)
    for (position, child) in children.enumerated() {
      var end = child.upperBound
      if position < children.count - 1 {
        while document.bytes[end] != UInt8(ascii: ",") { end += 1 }
      }
      items.append((start..<child.lowerBound, child.upperBound..<end))
      start = end + 1
    }
    let closing = children.last.map { $0.upperBound..<whole.upperBound - 1 }
    return (items, closing)
  }
}
