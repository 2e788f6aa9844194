public import BoxModel

/// How the values of a property are carried over to another type.
public struct TypeConversion: Hashable, Sendable {
  /// How much of the values is carried over.
  public enum Fidelity: String, Hashable, Sendable, CaseIterable {
    /// Every value.
    case exact
    /// Every value that the new type has; the others become null.
    case checked
    /// Every value, some of them rounded.
    case rounded
    /// None by itself: what a value means in the new type has to be said by somebody.
    case none
  }

  /// The old type.
  public var from: PropertyType
  /// The new type.
  public var to: PropertyType
  /// How much of the values is carried over.
  public var fidelity: Fidelity
  /// The converter as a closure of Swift; nil where there is none by itself.
  public var converter: String?
  /// What to do in two releases, a sentence without a trailing period for each.
  public var releases: [String]

  /// How the values of a property of one type are carried over to another.
  ///
  /// - Parameters:
  ///   - from: The old type.
  ///   - to: The new type.
  ///   - name: The name of the property.
  public init(from: PropertyType, to: PropertyType, of name: String) {
    self.from = from
    self.to = to
    let found = Self.closure(from, to)
    fidelity = found.0
    converter = found.1
    let carrying =
      converter.map { "by \($0)" } ?? "by a function that says what a value means in the new type"
    releases = [
      "keep \(name) as it is, under its UID, and add a property of type \(to) with a UID of its own; "
        + "write both, and fill the new one from the old one where it is null, \(carrying)",
      "when no previous release is in use any more, remove \(name) and retire its UID",
    ]
  }

  private static func closure(
    _ from: PropertyType, _ to: PropertyType
  ) -> (Fidelity, String?) {
    if let range = integerBits(from), let wanted = integerBits(to) {
      switch (from, to) {
      case (.date, .dateNano): return (.checked, "{ $0 * 1_000_000 }")
      case (.dateNano, .date): return (.rounded, "{ $0 / 1_000_000 }")
      default: break
      }
      let name = swiftName(to)
      if range.bits < wanted.bits || (range == wanted) { return (.exact, "{ \(name)($0) }") }
      return (.checked, "{ \(name)(exactly: $0) }")
    }
    switch (from, to) {
    case (.bool, _) where integerBits(to) != nil:
      return (.exact, "{ $0 ? 1 : 0 }")
    case (_, .bool) where integerBits(from) != nil:
      return (.checked, "{ $0 == 0 ? false : $0 == 1 ? true : nil }")
    case (.float, .double): return (.exact, "{ Double($0) }")
    case (.double, .float): return (.rounded, "{ Float($0) }")
    case (_, .double):
      if let bits = integerBits(from)?.bits {
        return bits <= 32 ? (.exact, "{ Double($0) }") : (.checked, "{ Double(exactly: $0) }")
      }
    case (_, .float):
      if let bits = integerBits(from)?.bits {
        return bits <= 16 ? (.exact, "{ Float($0) }") : (.checked, "{ Float(exactly: $0) }")
      }
    default: break
    }
    if [.float, .double].contains(from), integerBits(to) != nil {
      return (.checked, "{ \(swiftName(to))(exactly: $0) }")
    }
    if from == .string {
      if integerBits(to) != nil || [.float, .double, .bool].contains(to) {
        return (.checked, "{ \(swiftName(to))($0) }")
      }
      if to == .byteVector { return (.exact, "{ [UInt8]($0.utf8) }") }
    }
    if to == .string, from.isScalar { return (.exact, "{ String($0) }") }
    if to == .string, from == .byteVector {
      return (.checked, "{ String(validating: $0, as: UTF8.self) }")
    }
    return (.none, nil)
  }

  private struct Bits: Equatable {
    var bits: Int
    var isSigned = true
  }

  private static func integerBits(_ type: PropertyType) -> Bits? {
    switch type {
    case .byte: Bits(bits: 8)
    case .short: Bits(bits: 16)
    case .char: Bits(bits: 16, isSigned: false)
    case .int: Bits(bits: 32)
    case .long, .date, .dateNano, .relation: Bits(bits: 64)
    default: nil
    }
  }

  private static func swiftName(_ type: PropertyType) -> String {
    switch type {
    case .bool: "Bool"
    case .byte: "Int8"
    case .short: "Int16"
    case .char: "UInt16"
    case .int: "Int32"
    case .long, .date, .dateNano: "Int64"
    case .relation: "UInt64"
    case .float: "Float"
    case .double: "Double"
    default: "String"
    }
  }
}

extension PropertyType {
  fileprivate var isScalar: Bool { (1...8).contains(rawValue) || (10...12).contains(rawValue) }
}

extension TypeConversion {
  /// Whether the new type has a value for a stored one.
  public func carries(_ value: Value) -> Bool {
    if value == .null || fidelity == .exact || fidelity == .rounded { return true }
    if fidelity == .none { return false }
    switch value {
    case .integer(let number): return holds(number)
    case .unsigned(let number): return Int64(exactly: number).map { holds($0) } ?? (to == .relation)
    case .float(let number): return Int64(exactly: number).map { holds($0) } ?? false
    case .double(let number): return Int64(exactly: number).map { holds($0) } ?? false
    case .string(let text):
      switch to {
      case .bool: return Bool(text) != nil
      case .float: return Float(text) != nil
      case .double: return Double(text) != nil
      default: return Int64(text).map { holds($0) } ?? false
      }
    case .bytes(let bytes): return String(validating: bytes, as: UTF8.self) != nil
    default: return false
    }
  }

  private func holds(_ number: Int64) -> Bool {
    switch to {
    case .bool: number == 0 || number == 1
    case .byte: Int8(exactly: number) != nil
    case .short: Int16(exactly: number) != nil
    case .char: UInt16(exactly: number) != nil
    case .int: Int32(exactly: number) != nil
    case .relation: number >= 0
    case .float: Float(exactly: number) != nil
    case .double: Double(exactly: number) != nil
    case .dateNano where from == .date: !number.multipliedReportingOverflow(by: 1_000_000).overflow
    default: true
    }
  }
}
