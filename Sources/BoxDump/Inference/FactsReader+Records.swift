internal import BoxEngine
internal import BoxJSON

/// The facts about records of delimited text.
///
/// A field is a text, and what its column is follows from all of them: numbers, booleans, times and lists
/// where each field is one, else texts. The forms are those that an import reads.
extension FactsReader {
  /// Reads a record; its columns are the members.
  ///
  /// - Throws: ``ScanFailure`` for a field that is not UTF-8.
  /// - Complexity: O(*n*) in the bytes of the record.
  func read(
    _ record: DelimitedRecord, _ columns: DelimitedColumns, in text: InputText,
    into facts: ObjectFacts
  ) throws(ScanFailure) {
    if self.columns !== columns {
      if columns.names.count > Self.maximumMembers {
        throw ScanFailure(
          index: text.start,
          expected:
            "the table has more than \(Self.maximumMembers) columns, the maximum number of properties of an entity",
          isMessage: true)
      }
      self.columns = columns
      members = columns.names.map { $0.isEmpty ? nil : facts.member($0) }
      for note in columns.notes {
        let place = InferencePlace(input: input, file: text.name, position: note.position)
        facts.columnNotes.append((note.name, note.message, place))
      }
    }
    facts.count += 1
    for (column, member) in members.enumerated() {
      guard let member else { continue }
      let field = record.fields[column]
      let kind = try kind(of: field, columns.format, member, text)
      if kind != .null {
        member.values += 1
        // A list is in quotes because of its commas.
        if field.isQuoted, kind != .string, kind != .array {
          member.quotedKinds.insert(kind)
        } else if !field.isQuoted {
          hasPlainFields = true
        }
      }
      if member.kinds.contains(kind) { continue }
      member.kinds.insert(kind)
      recordPlace(kind, of: member, at: text.positionInRecord(at: field.start), in: text)
    }
  }

  /// Ends a file of records.
  ///
  /// In a file that has fields without quotes, the quotes of a number or a boolean say that it is a text. A
  /// writer that puts every field in quotes says nothing by them.
  func endRecords() {
    guard columns != nil else { return }
    for case let member? in members {
      if hasPlainFields, !member.quotedKinds.isEmpty {
        member.kinds.insert(.string)
        member.dates.areDates = false
      }
      member.quotedKinds = []
    }
    (columns, members, hasPlainFields) = (nil, [], false)
  }

  // MARK: - Fields

  func requireUTF8(_ field: DelimitedRecord.Field, in text: InputText) throws(ScanFailure) {
    if unsafe isUTF8(UnsafeRawBufferPointer(text.base[field.range])) { return }
    throw ScanFailure(
      index: field.start, expected: "the field is not valid UTF-8", isMessage: true)
  }

  private func kind(
    of field: DelimitedRecord.Field, _ format: DelimitedFormat, _ member: MemberFacts,
    _ text: InputText
  ) throws(ScanFailure) -> ValueKinds {
    let bytes = unsafe text.base[field.range]
    if !field.isQuoted, unsafe bytes.isEmpty || bytes.elementsEqual(format.null) { return .null }
    var first = field.start
    var end = field.start + field.count
    while first < end, text.base[first] == 0x20 { first += 1 }
    while first < end, text.base[end - 1] == 0x20 { end -= 1 }
    if first < end, !field.hasDoubledQuotes || text.base[first] == .leftBracket,
      let kind = scalar(first..<end, field, member, text)
    {
      return kind
    }
    unsafe member.distinct?.insert(DistinctValues.hash(UnsafeRawBufferPointer(bytes).bytes))
    try requireUTF8(field, in: text)
    if member.dates.areDates { unsafe member.dates.add(UnsafeRawBufferPointer(bytes)) }
    return .string
  }

  /// The kind of a field that is not just a text; nil for a text.
  private func scalar(
    _ range: Range<Int>, _ field: DelimitedRecord.Field, _ member: MemberFacts, _ text: InputText
  ) -> ValueKinds? {
    switch text.base[range.lowerBound] {
    case .minus, 0x30...0x39: return number(range, member, text)
    case .leftBracket: return list(field, member, text)
    case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
      let word = text.bytes(range).map { $0 | 0x20 }
      return word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) ? .bool : nil
    default: return nil
    }
  }

  private func number(_ range: Range<Int>, _ member: MemberFacts, _ text: InputText) -> ValueKinds?
  {
    tokens.base = text.base
    tokens.index = range.lowerBound
    let token = unsafe text.base[range]
    if let value = shortInteger(), tokens.index == range.upperBound {
      if value == 0, range.count > 1 { unsafe member.numbers.record(field: token) }
      member.numbers.add(value)
      if member.isAscending {
        member.isAscending = value > member.lastInteger
        member.lastInteger = value
      }
      member.distinct?.insert(DistinctValues.hash(UInt64(bitPattern: value)))
      return .integer
    }
    guard unsafe JSONDecimal(token) != nil else { return nil }
    unsafe member.numbers.record(field: token)
    // Such values cannot be ids, and are not compared.
    member.isAscending = false
    member.distinct = nil
    return unsafe member.numbers.add(token: token) ? .integer : .fraction
  }

  /// Reads a list of JSON in a field.
  private func list(
    _ field: DelimitedRecord.Field, _ member: MemberFacts, _ text: InputText
  ) -> ValueKinds? {
    // Text after the field is not a part of the list.
    let bytes = field.bytes(in: text.base)
    var lists = member.lists
    let isList = PaddedBytes.withPadding(bytes) { padded in
      tokens.base = padded
      tokens.index = 0
      tokens.spansLines = true
      tokens.skipSpace()
      guard (try? list(&lists, depth: 1)) != nil else { return false }
      tokens.skipSpace()
      return tokens.index == bytes.count
    }
    if !isList { return nil }
    member.lists = lists
    return .array
  }
}

extension ObjectFacts {
  /// The member of a name, which is added if it was not seen before.
  fileprivate func member(_ name: String) -> MemberFacts {
    let member = members[position(of: name) ?? add(name)]
    member.isDelimited = true
    return member
  }
}
