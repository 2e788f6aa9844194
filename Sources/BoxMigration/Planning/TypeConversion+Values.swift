internal import BoxConvert
internal import BoxJSON
internal import BoxModel

extension TypeConversion {
  /// A value of the new type with the same meaning as a value of the old type; nil if no value has it.
  ///
  /// - Parameters:
  ///   - value: A value of the old type, not null.
  ///   - type: The new type, with its sign.
  /// - Returns: The new value.
  func converted(_ value: Value, to type: StoredType) -> Value? {
    if fidelity == .none { return nil }
    switch value {
    case .bool(let truth):
      return type.kind == .string ? .string("\(truth)") : number(truth ? 1 : 0, type)
    case .integer(let integer): return number(scaled(Int128(integer)), type)
    case .unsigned(let integer): return number(scaled(Int128(integer)), type)
    case .float(let number):
      return floating(Double(number), number.isFinite ? "\(number)" : Self.words(number), type)
    case .double(let number):
      return floating(number, number.isFinite ? "\(number)" : Self.words(number), type)
    case .string(let text): return parsed(text, type)
    case .bytes(let bytes):
      if type.kind == .bytes { return value }
      return type.kind == .string
        ? String(validating: bytes, as: UTF8.self).map { .string($0) } : nil
    default: return nil
    }
  }

  /// Whether the new value of a number or a date is not rounded; true for any other value.
  func keeps(_ value: Value, as result: Value) -> Bool {
    switch (value, result) {
    case (.integer(let number), _): isWhole(Int128(number))
    case (.unsigned(let number), _): isWhole(Int128(number))
    case (.double(let number), .float(let nearest)): number.isNaN || Double(nearest) == number
    default: true
    }
  }

  /// The words of dumps for NaN and the infinite numbers.
  private static func words(_ number: some BinaryFloatingPoint) -> String {
    number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
  }

  private func number(_ integer: Int128, _ type: StoredType) -> Value? {
    switch type.kind {
    case .bool: integer == 0 || integer == 1 ? .bool(integer == 1) : nil
    case .integer: type.holding(integer)
    case .float: Float(exactly: integer).map { .float($0) }
    case .double: Double(exactly: integer).map { .double($0) }
    case .string: .string("\(integer)")
    default: nil
    }
  }

  private func floating(_ number: Double, _ text: String, _ type: StoredType) -> Value? {
    switch type.kind {
    case .float: Self.nearest(number).map { .float($0) }
    case .double: .double(number)
    case .string: .string(text)
    default: Int128(exactly: number).flatMap { self.number($0, type) }
    }
  }

  /// The nearest number of fewer bits; nil if that is infinite or zero, and the number is not.
  private static func nearest(_ number: Double) -> Float? {
    let nearest = Float(number)
    return nearest.isInfinite != number.isInfinite || nearest.isZero != number.isZero
      ? nil : nearest
  }

  /// The number that is nearest to a text; nil if that is infinite or zero, and the text is not.
  private static func nearest<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ text: String
  ) -> Number? {
    guard let number = Number(text) else { return nil }
    // Digits of the exponent do not count.
    let isNotZero = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
      .contains { $0 &- UInt8(ascii: "1") < 9 }
    return isNotZero && (number.isInfinite || number.isZero) ? nil : number
  }

  private func parsed(_ text: String, _ type: StoredType) -> Value? {
    switch type.kind {
    case .bool: Bool(text).map { .bool($0) }
    case .integer: Int128(text).flatMap { type.holding($0) }
    case .float: Self.nearest(text).map { .float($0) }
    case .double: Self.nearest(text).map { .double($0) }
    case .bytes: .bytes(Array(text.utf8))
    case .string: .string(text)
    default: nil
    }
  }
}

extension StoredType {
  /// The value of an integer; nil if it is out of range, or the type holds no integers.
  fileprivate func holding(_ integer: Int128) -> Value? {
    if let integer = Int64(exactly: integer) {
      return PlainForm.stored(.int(Int(integer)), as: self)
    }
    return UInt64(exactly: integer).flatMap { PlainForm.stored(.uint($0), as: self) }
  }
}
