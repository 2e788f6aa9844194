/// One node of a document: 16 bytes, in document order.
///
/// A key comes right before its value.
struct JSONTapeEntry: Sendable {
  /// The offset of the node's first byte.
  var start: UInt32
  /// The offset after the node's last byte.
  var end: UInt32
  /// The index of the first node after the node and its descendants.
  var next: UInt32
  /// The kind in the low three bits, then flags.
  private var bits: UInt32

  /// Facts about a node that the scanner saw, so that a reader need not look for them again.
  struct Flags: OptionSet {
    let rawValue: UInt32
    /// A string with at least one backslash.
    static let escapes = Flags(rawValue: 1 << 3)
    /// A string with at least one unescaped tab.
    static let rawTabs = Flags(rawValue: 1 << 4)
    /// A number without fraction and exponent: it fits into 64 bits.
    static let integer = Flags(rawValue: 1 << 5)
  }

  init(kind: JSONKind, flags: Flags, start: Int, end: Int, next: Int) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    self.bits = UInt32(kind.rawValue) | flags.rawValue
  }

  var kind: JSONKind { JSONKind(rawValue: UInt8(truncatingIfNeeded: bits & 7)) ?? .null }
  var range: Range<Int> { Int(start)..<Int(end) }
  /// Whether the node has at least one of the flags.
  func has(_ flags: Flags) -> Bool { bits & flags.rawValue != 0 }
}

typealias JSONTape = ContiguousArray<JSONTapeEntry>
