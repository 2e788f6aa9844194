internal import BoxConvert
internal import BoxJSON

/// Values of delimited text: the form of the property decides how the text of a field is read.
extension ObjectScanner {
  /// Reads a field of a record.
  ///
  /// - Parameters:
  ///   - part: The field in the current text.
  ///   - form: The form of the value.
  ///   - field: The number of the value.
  ///   - null: The text of a field without quotes that is null.
  /// - Throws: ``ScanFailure``.
  @inline(__always)
  func read(
    _ part: DelimitedRecord.Field, as form: ImportField.Form, into field: Int,
    null: borrowing FixedMemory<UInt8>
  ) throws(ScanFailure) {
    if !part.isQuoted, part.count == null.count,
      unsafe base.has(null[lent: 0..<null.count], at: part.start)
    {
      values[field] = ScannedValue(state: .null, place: part.start)
      return
    }
    switch form {
    case .string where !part.hasDoubledQuotes:
      values[field] = ScannedValue(
        state: .text, bits: UInt64(part.start), count: part.count, place: part.start)
    case .int32, .int64, .double, .bool, .int8, .uint8, .int16, .uint16, .uint32, .uint64, .id,
      .float, .date, .dateNano:
      try readScalar(part, as: form, into: field)
    default:
      values[field].place = part.start
      try readOther(part, as: form, into: field)
    }
  }

  // MARK: - Scalars

  @inline(__always)
  private func readScalar(
    _ part: DelimitedRecord.Field, as form: ImportField.Form, into field: Int
  ) throws(ScanFailure) {
    var (start, end) = (part.start, part.start + part.count)
    while start < end, base[start] == 0x20 { start += 1 }
    while start < end, base[end - 1] == 0x20 { end -= 1 }
    if start == end {
      values[field] = ScannedValue(state: .null, place: part.start)
      return
    }
    // The bytes after a field are not part of a number.
    index = start
    do throws(ScanFailure) {
      let bits = form == .bool ? try boolean(start, end) : try scalar(form)
      if index == end {
        values[field] = ScannedValue(state: .scalar, bits: bits, place: part.start)
        return
      }
    } catch {
      // It may be a word.
    }
    guard let bits = unusual(form, start, end) else { throw failure(part, field) }
    values[field] = ScannedValue(state: .scalar, bits: bits, place: part.start)
  }

  private func boolean(_ start: Int, _ end: Int) throws(ScanFailure) -> UInt64 {
    index = end
    if end - start == 1, base[start] == 0x30 || base[start] == 0x31 {
      return UInt64(base[start] - 0x30)
    }
    switch text(start, end)?.lowercased() {
    case "true": return 1
    case "false": return 0
    default: throw mismatch()
    }
  }

  /// A date, or a number that is not made of digits; nil for any other text.
  @inline(never)
  private func unusual(_ form: ImportField.Form, _ start: Int, _ end: Int) -> UInt64? {
    guard let text = text(start, end) else { return nil }
    switch form {
    case .double: return Self.special(text, Double.init(bitPattern:))?.bitPattern
    case .float: return Self.special(text, Float.init(bitPattern:)).map { UInt64($0.bitPattern) }
    case .date: return Self.date(text, perSecond: 1000).map { UInt64(bitPattern: $0) }
    case .dateNano:
      return Self.date(text, perSecond: 1_000_000_000).map { UInt64(bitPattern: $0) }
    default: return nil
    }
  }

  private func text(_ start: Int, _ end: Int) -> String? {
    unsafe String(validating: base[start..<end], as: UTF8.self)
  }

  // MARK: - Other values

  @inline(never)
  private func readOther(
    _ part: DelimitedRecord.Field, as form: ImportField.Form, into field: Int
  ) throws(ScanFailure) {
    switch form {
    case .string: append(part.bytes(in: base), field)
    case .converted:
      append(part.bytes(in: base), field)
      values[field].state = part.isQuoted ? .quotedField : .field
    case .bytes:
      append(part.bytes(in: base), field)
      if !decodeBase64(field) { throw failure(part, field) }
    case .char: try readCharacter(part, field)
    default:
      if part.count == 0 {
        values[field].state = .null
      } else {
        try readVector(part, as: form, field)
      }
    }
  }

  private func readCharacter(_ part: DelimitedRecord.Field, _ field: Int) throws(ScanFailure) {
    if part.count == 0 {
      values[field].state = .null
      return
    }
    guard let text = String(validating: part.bytes(in: base), as: UTF8.self) else {
      throw failure(part, field)
    }
    let units = Array(text.utf16)
    if units.count == 1 {
      values[field].bits = UInt64(units[0])
    } else if let unit = UInt16(text) {
      values[field].bits = UInt64(unit)
    } else {
      throw failure(part, field)
    }
    values[field].state = .scalar
  }

  /// Reads an array of JSON.
  private func readVector(
    _ part: DelimitedRecord.Field, as form: ImportField.Form, _ field: Int
  ) throws(ScanFailure) {
    let text = base
    defer { base = text }
    // Quotes are not doubled in JSON.
    let json = part.bytes(in: base)
    let isRead = PaddedBytes.withPadding(json) { padded in
      base = padded
      index = 0
      do throws(ScanFailure) {
        skipSpace()
        if form == .strings {
          try strings(into: field)
        } else if let element = form.element {
          try vector(of: element, into: field)
        } else {
          return false
        }
        skipSpace()
      } catch {
        return false
      }
      return index == json.count
    }
    if !isRead {
      base = text
      throw failure(part, field)
    }
  }

  /// The failure of a field whose text does not have the form of its property.
  @inline(never)
  private func failure(_ part: DelimitedRecord.Field, _ field: Int) -> ScanFailure {
    ScanFailure(
      index: part.start, expected: fields[field].form.expectedField, field: field,
      found: .value(part.shown(in: base)))
  }
}

extension DelimitedRecord.Field {
  /// The text of the field, shortened, for messages.
  func shown(in base: PaddedBytes) -> String {
    let text = String(decoding: bytes(in: base), as: UTF8.self)
    if text.isEmpty { return "\"\"" }
    return String(text.prefix(60)) + (text.count > 60 ? "…" : "")
  }
}

extension ImportField.Form {
  /// The expected text of a field, for messages.
  fileprivate var expectedField: String {
    switch self {
    case .bool: "true, false, 1 or 0"
    case .char: "one UTF-16 code unit, or its number"
    case .bools, .int16s, .uint16s, .chars, .int32s, .uint32s, .int64s, .uint64s, .dates,
      .dateNanos, .floats, .doubles, .strings:
      expected + " as JSON"
    default: expected
    }
  }
}
