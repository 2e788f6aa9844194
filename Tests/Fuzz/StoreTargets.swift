import BoxStorage

@testable import BoxEngine

/// A record without its checksum, for a layout in the first bytes.
func fuzzRecords(_ bytes: [UInt8]) {
  guard let count = bytes.first.map({ Int($0 & 31) }), bytes.count > count else { return }
  let types = bytes[1...].prefix(count).map { SlotType(rawValue: $0 & 31) }
  let rest = bytes[(count + 1)...]
  let reader = RecordReader(RecordLayout(types))
  // An allocation of its own size, in which the address sanitizer finds a read behind the end.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: rest.count, alignment: 8)
  defer { copy.deallocate() }
  copy.copyBytes(from: rest)
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
  _ = try? ConditionParser.parse(text)
  _ = try? ValueAssignment(parsing: text)
}
