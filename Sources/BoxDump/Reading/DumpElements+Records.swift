internal import BoxJSON
internal import BoxReport

/// Records in a document of JSON that holds more than them.
extension DumpElements {
  /// Goes to the first record of the next document; false if no document is left.
  func beginRecords(_ path: RecordPath) throws(DumpError) -> Bool {
    guard try text.nextByte() != nil else { return false }
    for name in path.members {
      try text.expect(.leftBrace, as: "the object that has the records at \(path)")
      try findMember(name, path)
    }
    try text.expect(
      path.areMembers ? .leftBrace : .leftBracket,
      as: path.areMembers ? "an object of records at \(path)" : "an array of records at \(path)")
    if try text.nextByte() == path.close {
      text.consume(to: text.start + 1)
      try endRecords(path)
    } else {
      state = .element
    }
    return true
  }

  /// Passes over the members before one.
  private func findMember(_ name: String, _ path: RecordPath) throws(DumpError) {
    var isFirst = true
    while true {
      if isFirst, try text.nextByte() == .rightBrace {
        throw text.error("there is no \(name.quotedForDisplay) of the path \(path)", at: text.start)
      }
      isFirst = false
      let key = try text.key()
      try text.expect(.colon, as: "a colon")
      if key.hasSameBytes(as: name) { return }
      try text.skipValue()
      _ = try text.nextByte()
      let end = text.position(at: text.start)
      if try text.expect(.comma, .rightBrace, as: "a comma or the end of the object")
        == .rightBrace
      {
        throw DumpError(
          "there is no \(name.quotedForDisplay) of the path \(path)", path: text.name, position: end
        )
      }
    }
  }

  /// Passes over the key of a record that is the value of a member.
  func skipKey() throws(DumpError) {
    _ = try text.key()
    try text.expect(.colon, as: "a colon")
    _ = try text.nextByte()
    droppedKeys += 1
  }

  /// Passes over what follows the records in their document.
  func endRecords(_ path: RecordPath) throws(DumpError) {
    for name in path.members.reversed() {
      while try text.expect(.comma, .rightBrace, as: "a comma or the end of the object") == .comma {
        _ = try text.nextByte()
        let place = text.start
        let position = text.position(at: place)
        if try text.key() == name {
          throw DumpError(
            "the key \(name.quotedForDisplay) occurs twice", path: text.name, position: position)
        }
        try text.expect(.colon, as: "a colon")
        try text.skipValue()
      }
    }
    state = .beforeRecords
  }

  /// The note about the keys of records, which no record has; nil without keys.
  var noteOnKeys: String? {
    if droppedKeys == 0 { return nil }
    return
      "the keys of \(counted(droppedKeys, "record", "records")) are not a part of them, and are left out"
  }
}

extension RecordPath {
  /// The character after the last record.
  var close: UInt8 { areMembers ? .rightBrace : .rightBracket }
}
