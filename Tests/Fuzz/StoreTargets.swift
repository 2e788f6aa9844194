import BoxStorage

@testable import BoxEngine

/// Two records without their checksums, for a layout in the first bytes.
///
/// Between the layout and the records is a byte with half the size of the first one: the reader remembers
/// the head of a record for the next one.
func fuzzRecords(_ bytes: [UInt8]) {
  guard let count = bytes.first.map({ Int($0 & 31) }), bytes.count > count + 1 else { return }
  let types = bytes[1...].prefix(count).map { SlotType(rawValue: $0 & 31) }
  let reader = RecordReader(RecordLayout(types))
  let records = bytes[(count + 2)...]
  let first = records.prefix(2 * Int(bytes[count + 1]))
  for record in [first, records[first.endIndex...], first] { read(record, reader, types) }
}

private func read(_ record: ArraySlice<UInt8>, _ reader: RecordReader, _ types: [SlotType?]) {
  // An allocation of its own size, in which the address sanitizer finds a read behind the end.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: record.count, alignment: 8)
  defer { copy.deallocate() }
  copy.copyBytes(from: record)
  guard let view = try? reader.structure(of: UnsafeRawBufferPointer(copy)) else { return }
  for (slot, type) in types.enumerated() {
    guard let type else { continue }
    if type == .strings { _ = view.hasValidStrings(slot) }
    _ = view.value(slot, type)
  }
}

/// The data file of a store: what the check of its pages accepts is read to its end.
func fuzzPages(_ bytes: [UInt8]) {
  let file = FuzzFile("data.mdb")
  file.write(bytes)
  var options = StorageOptions()
  options.pageCheck = PageCheck()
  guard let storage = try? StorageLocation.directory(FuzzFile.directory).open(options),
    let reader = try? storage.beginRead()
  else { return }
  for name in (try? reader.spaceNames()) ?? [] {
    guard let space = try? reader.openSpace(name, .records, create: false) else { continue }
    try? reader.records(space, from: nil, .forward) { _, _ in .next }
  }
  try? reader.commit()
}

/// The text of a condition, and of an assignment.
func fuzzConditions(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = try? ValueAssignment(parsing: text)
  guard let condition = try? ConditionParser.parse(text).condition else { return }
  let printed = condition.description
  do {
    // By text, as NaN differs from itself.
    let again = try ConditionParser.parse(printed).condition.description
    expect(again == printed, "a condition comes back from its text")
  } catch {
    // `!!a == 1` is printed with parentheses, which count as levels.
    expect(error.message.hasPrefix("the condition is nested"), "the text of a condition is read")
  }
}
