/// The contents of arrays and objects.
extension JSONDocument {
  /// The key and the value of each member of an object, in order.
  ///
  /// - Complexity: O(*n*) in the number of members. ``memberNodes(of:)`` makes no array.
  package func members(of object: JSONNode) -> [(key: JSONNode, value: JSONNode)] {
    Array(memberNodes(of: object))
  }

  /// The elements of an array, in order.
  ///
  /// - Complexity: O(*n*) in the number of elements. ``elementNodes(of:)`` makes no array.
  package func elements(of array: JSONNode) -> [JSONNode] {
    Array(elementNodes(of: array))
  }

  /// The key and the value of each member of an object, in order, without making an array.
  package func memberNodes(of object: JSONNode) -> JSONMemberNodes {
    JSONMemberNodes(children: children(of: object, .object))
  }

  /// The elements of an array, in order, without making one.
  package func elementNodes(of array: JSONNode) -> JSONElementNodes {
    JSONElementNodes(children: children(of: array, .array))
  }

  /// Calls a closure with the key and the value of each member of an object, in order.
  ///
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*) in the number of members.
  package func forEachMember<Failure: Error>(
    of object: JSONNode, _ body: (_ key: JSONNode, _ value: JSONNode) throws(Failure) -> Void
  ) throws(Failure) {
    let children = children(of: object, .object)
    var index = children.start
    while index < children.end {
      try body(JSONNode(index), JSONNode(index + 1))
      index = Int(tape[index + 1].next)
    }
  }

  /// The value of a member, or nil if the object lacks the key or the node is not an object.
  ///
  /// Keys are compared scalar by scalar with escapes resolved, without Unicode normalisation.
  ///
  /// - Complexity: O(1) on average; the members of an object with at most 32 are compared one by one.
  package func value(forKey key: String, in object: JSONNode) -> JSONNode? {
    var key = key
    return key.withUTF8 { wanted in
      if let table = keyTables[Int(object.index)] {
        let hash = unsafe JSONKeyTable.hash(UnsafeRawBufferPointer(wanted))
        return table.first(hash) { unsafe isKey(tape[$0], wanted) }.map { JSONNode($0 + 1) }
      }
      let children = children(of: object, .object)
      var index = children.start
      while index < children.end {
        if unsafe isKey(tape[index], wanted) { return JSONNode(index + 1) }
        index = Int(tape[index + 1].next)
      }
      return nil
    }
  }

  /// Whether a key, with its escapes resolved, is a given text, scalar by scalar.
  ///
  /// - Complexity: O(*n*) in the length of the key.
  package func key(_ node: JSONNode, equals text: String) -> Bool {
    var text = text
    return text.withUTF8 { unsafe isKey(entry(node), $0) }
  }

  private func isKey(_ entry: JSONTapeEntry, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    guard entry.kind == .string else { return false }
    return unsafe bytes.withUnsafeBufferPointer { text in
      let content = unsafe UnsafeBufferPointer(
        rebasing: text[Int(entry.start) + 1..<Int(entry.end) - 1])
      if entry.has(.escapes) { return unsafe JSONUnescaping.resolve(content).elementsEqual(wanted) }
      return unsafe content.count == wanted.count && content.elementsEqual(wanted)
    }
  }

  private func children(of node: JSONNode, _ kind: JSONKind) -> JSONChildren {
    let entry = entry(node)
    let start = Int(node.index) + 1
    return JSONChildren(tape: tape, start: start, end: entry.kind == kind ? Int(entry.next) : start)
  }
}

/// The nodes inside of an array or object.
struct JSONChildren: Sendable {
  let tape: JSONTape
  var start: Int
  let end: Int
}

/// The members of an object: what ``JSONDocument/memberNodes(of:)`` gives.
package struct JSONMemberNodes: Sequence, IteratorProtocol, Sendable {
  var children: JSONChildren

  /// The key and the value of the next member.
  package mutating func next() -> (key: JSONNode, value: JSONNode)? {
    guard children.start < children.end else { return nil }
    let key = children.start
    children.start = Int(children.tape[key + 1].next)
    return (JSONNode(key), JSONNode(key + 1))
  }
}

/// The elements of an array: what ``JSONDocument/elementNodes(of:)`` gives.
package struct JSONElementNodes: Sequence, IteratorProtocol, Sendable {
  var children: JSONChildren

  /// The next element.
  package mutating func next() -> JSONNode? {
    guard children.start < children.end else { return nil }
    let element = children.start
    children.start = Int(children.tape[element].next)
    return JSONNode(element)
  }
}
