/// Reads single values of documents.
///
/// Strings without escapes and short integers are read directly; json-c parses the rest. The
/// document has already refused everything that json-c accepts wrongly, so no value is rounded, cut
/// or replaced. A decoder keeps a buffer; use one for many values, in one task.
package final class JSONValueDecoder {
  private let tokener = JSONTokener()

  /// Creates a decoder.
  package init() {}

  /// The string, or nil if the node is not a string.
  ///
  /// - Complexity: O(*n*) in the length of the string.
  package func string(_ node: JSONNode, in document: JSONDocument) -> String? {
    let entry = document.entry(node)
    guard entry.kind == .string else { return nil }
    if !entry.has([.rawTabs, .escapes]) { return document.key(node) }
    return tokener.string(document.bytes[entry.range], isPlain: false)
  }

  /// The integer, or nil if the node is not a number, has a fraction or an exponent, or is out of
  /// range.
  package func integer<T: FixedWidthInteger>(
    _ node: JSONNode, in document: JSONDocument, as type: T.Type = T.self
  ) -> T? {
    let entry = document.entry(node)
    guard entry.has(.integer) else { return nil }
    if let digits = plainDigits(entry.range, in: document) { return T(exactly: digits) }
    let text = document.bytes[entry.range]
    if text.first == .minus { return tokener.int64(text).flatMap(T.init(exactly:)) }
    return tokener.uint64(text).flatMap(T.init(exactly:))
  }

  /// The value of an integer that consists of digits only, too few of them to overflow.
  private func plainDigits(_ range: Range<Int>, in document: JSONDocument) -> Int64? {
    guard range.count <= 18 else { return nil }
    return unsafe document.bytes.withUnsafeBufferPointer { text in
      var value: Int64 = 0
      for index in range {
        let byte = unsafe text[index]
        guard byte.isDigit else { return nil }
        value = value * 10 + Int64(byte &- .zero)
      }
      return value
    }
  }

  /// The number as the nearest `Double`, or nil if the node is not a number.
  ///
  /// Of two equally near values the even one is chosen, as in IEEE 754. A number too small for a
  /// `Double` is zero; one that is too large is nil. The sign of zero is kept.
  package func double(_ node: JSONNode, in document: JSONDocument) -> Double? {
    let entry = document.entry(node)
    guard entry.kind == .number else { return nil }
    let text = document.bytes[entry.range]
    // json-c cuts an integer of more than 64 bits, but not a number with an exponent.
    let isLarge = !entry.has(.integer) && text.allSatisfy { $0.isDigit || $0 == .minus }
    guard let value = tokener.double(isLarge ? text + "e0".utf8 : text), value.isFinite else {
      return nil
    }
    // json-c reads `-0` as an integer, which has no negative zero.
    return value == 0 && text.first == .minus ? -0.0 : value
  }

  /// The truth value, or nil if the node is neither `true` nor `false`.
  package func bool(_ node: JSONNode, in document: JSONDocument) -> Bool? {
    let entry = document.entry(node)
    guard entry.kind == .bool else { return nil }
    return tokener.bool(document.bytes[entry.range])
  }
}
