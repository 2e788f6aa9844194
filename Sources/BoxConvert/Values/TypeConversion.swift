public import BoxModel

/// The conversion of the values of a property to another type.
public struct TypeConversion: Hashable, Sendable {
  /// The part of the values that is carried over.
  public enum Fidelity: String, Hashable, Sendable, CaseIterable {
    /// Every value.
    case exact
    /// Every value that the new type has; the others become null.
    case checked
    /// Every value, some of them rounded.
    case rounded
    /// None: only a person can say how a value reads in the new type.
    case none
  }

  /// The old type.
  public var from: PropertyType
  /// The new type.
  public var to: PropertyType
  /// The part of the values that is carried over.
  public var fidelity: Fidelity
  /// The converter as a Swift closure; nil if no conversion follows from the types.
  public var converter: String?
  /// The work in each of two releases, in one sentence each without a trailing period.
  public var releases: [String]
  /// The integers that the new type holds; nil if it holds none.
  private var wanted: Integers?
  /// The conversion from the unit of the old type to the unit of the new one.
  private var scale: Scale

  /// Creates the conversion of a property from one type to another.
  ///
  /// - Parameters:
  ///   - from: The old type.
  ///   - before: The old flags, which say whether integers are unsigned.
  ///   - to: The new type.
  ///   - after: The new flags.
  ///   - name: The name of the property.
  public init(
    from: PropertyType, _ before: PropertyFlags, to: PropertyType, _ after: PropertyFlags,
    of name: String
  ) {
    self.from = from
    self.to = to
    let stored = Integers(from, before)
    wanted = Integers(to, after)
    scale = Scale(from, to)
    let found = Self.closure(from, stored, to, wanted, scale)
    fidelity = found.0
    converter = found.1
    let carrying =
      converter.map { "by \($0)" } ?? "by a function that says what a value means in the new type"
    releases = [
      "keep \(name) as it is, under its UID, and add a property of type \(to) with a UID of its own; "
        + "write both, and fill the new one from the old one where it is null, \(carrying)",
      "once no previous release is in use, remove \(name) and retire its UID",
    ]
  }

  private static func closure(
    _ from: PropertyType, _ stored: Integers?, _ to: PropertyType, _ wanted: Integers?,
    _ scale: Scale
  ) -> (Fidelity, String?) {
    if let stored, let wanted {
      switch scale {
      case .multiplied(let factor):
        return (
          .checked,
          "{ let (count, overflow) = $0.multipliedReportingOverflow(by: \(factor.underscored)); "
            + "return overflow ? nil : \(wanted.name)(exactly: count) }"
        )
      case .divided(let factor) where wanted.holds(stored.range.lowerBound / Int128(factor)):
        return (.rounded, "{ $0 / \(factor.underscored) }")
      case .divided(let factor):
        return (.checked, "{ \(wanted.name)(exactly: $0 / \(factor.underscored)) }")
      case .same: break
      }
      if wanted.holds(stored) { return (.exact, "{ \(wanted.name)($0) }") }
      return (.checked, "{ \(wanted.name)(exactly: $0) }")
    }
    switch (from, to) {
    case (.bool, _) where wanted != nil:
      return (.exact, "{ $0 ? 1 : 0 }")
    case (_, .bool) where stored != nil:
      return (.checked, "{ $0 == 0 ? false : $0 == 1 ? true : nil }")
    case (.float, .double): return (.exact, "{ Double($0) }")
    case (.double, .float): return (.rounded, "{ Float($0) }")
    case (_, .double):
      if let bits = stored?.bits {
        return bits <= 32 ? (.exact, "{ Double($0) }") : (.checked, "{ Double(exactly: $0) }")
      }
    case (_, .float):
      if let bits = stored?.bits {
        return bits <= 16 ? (.exact, "{ Float($0) }") : (.checked, "{ Float(exactly: $0) }")
      }
    default: break
    }
    if [.float, .double].contains(from), let wanted {
      return (.checked, "{ \(wanted.name)(exactly: $0) }")
    }
    if from == .string {
      let parsed: [PropertyType: String] = [.float: "Float", .double: "Double", .bool: "Bool"]
      if let name = wanted?.name ?? parsed[to] { return (.checked, "{ \(name)($0) }") }
      if to == .byteVector { return (.exact, "{ [UInt8]($0.utf8) }") }
    }
    if to == .string, from.isScalar { return (.exact, "{ String($0) }") }
    if to == .string, from == .byteVector {
      return (.checked, "{ String(validating: $0, as: UTF8.self) }")
    }
    return (.none, nil)
  }
}

/// The integers that a type holds.
private struct Integers: Hashable {
  var bits: Int
  var isUnsigned: Bool

  /// The integers of a property of a type with these flags; nil for a type without integers.
  init?(_ type: PropertyType, _ flags: PropertyFlags) {
    guard let stored = StoredType(type, flags), stored.kind == .integer else { return nil }
    bits = type.traits?.bits ?? 64
    isUnsigned = stored.isUnsigned
  }

  /// The type in Swift.
  var name: String { "\(isUnsigned ? "U" : "")Int\(bits)" }

  var range: ClosedRange<Int128> {
    let limit = Int128(1) << (isUnsigned ? bits : bits - 1)
    return (isUnsigned ? 0 : -limit)...limit - 1
  }

  func holds(_ integer: Int128) -> Bool { range.contains(integer) }

  /// Whether it holds every integer of another type.
  func holds(_ other: Integers) -> Bool {
    isUnsigned == other.isUnsigned
      ? other.bits <= bits : other.isUnsigned && other.bits < bits
  }
}

extension PropertyType {
  /// Whether values are single numbers or truth values.
  fileprivate var isScalar: Bool {
    guard let traits, !traits.isVector else { return false }
    return traits.form != .string && traits.form != .bytes
  }
}

extension TypeConversion {
  /// Whether the new type has a value for a stored one.
  public func carries(_ value: Value) -> Bool {
    if value == .null || fidelity == .exact || fidelity == .rounded { return true }
    if fidelity == .none { return false }
    switch value {
    case .integer(let number): return holds(Int128(number))
    case .unsigned(let number): return holds(Int128(number))
    case .float(let number): return Int128(exactly: number).map { holds($0) } ?? false
    case .double(let number): return Int128(exactly: number).map { holds($0) } ?? false
    case .string(let text):
      switch to.traits?.form {
      case .bool: return Bool(text) != nil
      case .float: return Float(text) != nil
      case .double: return Double(text) != nil
      default: return Int128(text).map { holds($0) } ?? false
      }
    case .bytes(let bytes): return String(validating: bytes, as: UTF8.self) != nil
    default: return false
    }
  }

  private func holds(_ number: Int128) -> Bool {
    switch to.traits?.form {
    case .bool: number == 0 || number == 1
    case .float: Float(exactly: number) != nil
    case .double: Double(exactly: number) != nil
    default: wanted?.holds(scaled(number)) ?? true
    }
  }

  /// Whether a date of one unit is a whole number of another; true for any other integer.
  package func isWhole(_ number: Int128) -> Bool {
    if case .divided(let factor) = scale { number % Int128(factor) == 0 } else { true }
  }

  /// A date of one unit in another; any other integer as it is.
  package func scaled(_ number: Int128) -> Int128 {
    switch scale {
    case .multiplied(let factor): number * Int128(factor)
    case .divided(let factor): number / Int128(factor)
    case .same: number
    }
  }
}

/// The way from one unit of time to another.
private enum Scale: Hashable {
  case same
  case multiplied(Int64)
  case divided(Int64)

  /// The way between the units of two types; ``same`` unless both have one.
  init(_ from: PropertyType, _ to: PropertyType) {
    guard let old = from.traits?.unit, let new = to.traits?.unit, old != new else {
      self = .same
      return
    }
    self =
      new.perSecond > old.perSecond
      ? .multiplied(new.perSecond / old.perSecond) : .divided(old.perSecond / new.perSecond)
  }
}

extension Int64 {
  /// The number as source text, with an underscore between groups of three digits.
  fileprivate var underscored: String {
    var text = ""
    for (position, digit) in String(self).reversed().enumerated() {
      if position > 0, position % 3 == 0 { text = "_" + text }
      text = String(digit) + text
    }
    return text
  }
}
