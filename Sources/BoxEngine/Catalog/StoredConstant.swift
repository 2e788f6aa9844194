package import BoxModel

/// The value of a property in objects that have none, in the form of the catalog.
///
/// Texts, so that two are equal if their bits are. `docs/storage-format.md` describes them.
struct StoredConstant: Hashable, Sendable {
  /// The text of each element of a vector of strings, else one text.
  let texts: [String]

  /// A text as it is in a catalog.
  init(texts: [String]) { self.texts = texts }

  /// The form of a value.
  ///
  /// - Throws: ``ValueMismatch`` if the value does not fit the type.
  init(_ value: Value, _ type: SlotType) throws(ValueMismatch) {
    let fitting = try value.fitting(type)
    switch fitting {
    case .bool(let bool): texts = [bool ? "1" : "0"]
    case .integer(let integer): texts = ["\(integer)"]
    case .unsigned(let integer): texts = ["\(integer)"]
    case .float(let number): texts = ["\(number.bitPattern)"]
    case .double(let number): texts = ["\(number.bitPattern)"]
    case .string(let text): texts = [text]
    case .strings(let all): texts = all
    case .bytes(let bytes): texts = [Self.numbers(bytes)]
    case .bools(let bools): texts = [Self.numbers(bools.map { $0 ? 1 : 0 })]
    case .integers(let integers): texts = [Self.numbers(integers)]
    case .unsignedIntegers(let integers): texts = [Self.numbers(integers)]
    case .floats(let numbers): texts = [Self.numbers(numbers.map(\.bitPattern))]
    case .doubles(let numbers): texts = [Self.numbers(numbers.map(\.bitPattern))]
    case .null: throw .type(expected: "a value")
    }
  }

  /// The value of a type; nil if the text has another form.
  func value(_ type: SlotType) -> Value? {
    let traits = type.traits
    if traits.isVector, traits.form == .string { return .strings(texts) }
    guard texts.count == 1 else { return nil }
    let text = texts[0]
    switch (traits.form, traits.isVector) {
    case (.bool, false): return ["0": false, "1": true][text].map { .bool($0) }
    case (.bool, true):
      return Self.elements(text).map { (bits: [UInt8]) in .bools(bits.map { $0 != 0 }) }
    case (.integer, false) where traits.isUnsigned: return UInt64(text).map { .unsigned($0) }
    case (.integer, false): return Int64(text).map { .integer($0) }
    case (.integer, true) where traits.isUnsigned:
      return Self.elements(text).map { .unsignedIntegers($0) }
    case (.integer, true): return Self.elements(text).map { .integers($0) }
    case (.float, false): return UInt32(text).map { .float(Float(bitPattern: $0)) }
    case (.float, true):
      return Self.elements(text).map { (bits: [UInt32]) in
        .floats(bits.map { Float(bitPattern: $0) })
      }
    case (.double, false): return UInt64(text).map { .double(Double(bitPattern: $0)) }
    case (.double, true):
      return Self.elements(text).map { (bits: [UInt64]) in
        .doubles(bits.map { Double(bitPattern: $0) })
      }
    case (.string, false): return .string(text)
    case (.string, true): return nil
    case (.bytes, _): return Self.elements(text).map { .bytes($0) }
    }
  }

  private static func numbers<T: FixedWidthInteger>(_ elements: [T]) -> String {
    elements.map { "\($0)" }.joined(separator: " ")
  }

  private static func elements<T: FixedWidthInteger>(_ text: String) -> [T]? {
    let words = text.split(separator: " ")
    let elements = words.compactMap { T($0) }
    return elements.count == words.count ? elements : nil
  }
}

extension Value {
  /// The value as a slot of a type holds it; null is zero, false or empty.
  ///
  /// - Throws: ``ValueMismatch`` if it does not fit the type.
  fileprivate func fitting(_ type: SlotType) throws(ValueMismatch) -> Value {
    let value = self == .null ? .zero(of: type) : self
    var writer = RecordWriter()
    let layout = RecordLayout([type])
    writer.begin(layout)
    try writer.set(0, type, value)
    writer.close()
    return writer.view.value(0, type)
  }

  /// Zero, false, or what has no elements.
  static func zero(of type: SlotType) -> Value {
    let traits = type.traits
    return switch (traits.form, traits.isVector) {
    case (.bool, false): .bool(false)
    case (.bool, true): .bools([])
    case (.integer, false): traits.isUnsigned ? .unsigned(0) : .integer(0)
    case (.integer, true): traits.isUnsigned ? .unsignedIntegers([]) : .integers([])
    case (.float, false): .float(0)
    case (.float, true): .floats([])
    case (.double, false): .double(0)
    case (.double, true): .doubles([])
    case (.string, false): .string("")
    case (.string, true): .strings([])
    case (.bytes, _): .bytes([])
    }
  }
}
