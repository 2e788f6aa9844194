internal import BoxConvert
internal import BoxJSON

/// Values of extended JSON, as MongoDB writes them.
extension ObjectScanner {
  /// Passes over a value of extended JSON at the index, and returns it; nil for any other, which stays.
  @inline(never)
  func extended() throws(ScanFailure) -> ExtendedJSON? {
    var position = index + 1
    while base[position].isWhiteSpace || base[position] == 0x0A { position += 1 }
    guard base[position] == .quote, base[position + 1] == UInt8(ascii: "$") else { return nil }
    let start = index
    try skipValue(depth: 1)
    if let value = unsafe ExtendedJSON(parsing: Array(base[start..<index])) { return value }
    index = start
    return nil
  }

  /// Reads something from the plain text of a value, and continues after the value itself.
  ///
  /// - Throws: ``ScanFailure``, at the index.
  func reading<R>(
    _ value: ExtendedJSON, _ body: () throws(ScanFailure) -> R
  ) throws(ScanFailure) -> R {
    let (text, next) = (base, index)
    defer { (base, index) = (text, next) }
    do throws(ScanFailure) {
      let plain = Array(value.plain.text(indent: 0).utf8)
      return try PaddedBytes.withPadding(plain) { (plain) throws(ScanFailure) in
        (base, index) = (plain, 0)
        return try body()
      }
    } catch {
      var failure = error
      failure.index = next
      throw failure
    }
  }

  /// Reads a value of extended JSON for a field; false if there is another one.
  func readExtended(_ form: ImportField.Form, into field: Int) throws(ScanFailure) -> Bool {
    switch form {
    case .skipped, .converted: return false
    default: break
    }
    guard let value = try extended() else { return false }
    if form == .string {
      append(Array(try text(of: value).utf8), field)
    } else {
      values[field].bits = try reading(value) { () throws(ScanFailure) in try scalar(form) }
      values[field].state = .scalar
    }
    return true
  }

  /// The text of a value that is one.
  func text(of value: ExtendedJSON) throws(ScanFailure) -> String {
    switch value {
    case .text(let text), .date(let text): return text
    case .number, .special: throw mismatch()
    }
  }
}
