internal import BoxEngine
internal import BoxModel

/// Properties that are unsigned in the bindings, and signed in the model.
///
/// ObjectBox's generator for Swift gives an optional unsigned integer no sign in its model file, and the bits of a value
/// count. So conditions, orders and property queries of such a property take the stored bits as unsigned.
enum BitSign {
  private static let unsignedTypes: Set<ObjectIdentifier> = [
    ObjectIdentifier(UInt8.self), ObjectIdentifier(UInt8?.self),
    ObjectIdentifier(UInt16.self), ObjectIdentifier(UInt16?.self),
    ObjectIdentifier(UInt32.self), ObjectIdentifier(UInt32?.self),
    ObjectIdentifier(UInt64.self), ObjectIdentifier(UInt64?.self),
    ObjectIdentifier(UInt.self), ObjectIdentifier(UInt?.self),
  ]

  /// The number of bits to be taken as unsigned; nil if the bindings and the model agree.
  ///
  /// - Parameters:
  ///   - valueType: The type of the property in Swift.
  ///   - property: The property of the model.
  /// - Returns: The number.
  static func bits(_ valueType: ObjectIdentifier, _ property: PropertySchema) -> Int? {
    unsignedTypes.contains(valueType) ? width(of: property) : nil
  }

  /// The number of bits of a signed integer; nil for a property of another type.
  static func width(of property: PropertySchema) -> Int? {
    let traits = property.type.traits
    return traits.domain == .signed && !traits.isVector ? traits.bits : nil
  }

  /// A condition on unsigned numbers as one on the signed numbers of their bits.
  ///
  /// - Parameters:
  ///   - condition: A condition on one property, or several that are joined.
  ///   - bits: The number of bits.
  /// - Returns: The condition.
  /// - Complexity: O(*n*) in its size.
  static func signed(_ condition: Condition, bits: Int) -> Condition {
    let numbers = Numbers(bits: bits)
    switch condition {
    case .and(let parts): return .and(parts.map { signed($0, bits: bits) })
    case .or(let parts): return .or(parts.map { signed($0, bits: bits) })
    case .not(let part): return .not(signed(part, bits: bits))
    case .compare(let name, let comparison, let literal, _):
      switch comparison {
      case .equal: return numbers.between(name, literal, literal)
      case .notEqual:
        return .and([.isNotNull(name), .not(numbers.between(name, literal, literal))])
      case .less: return numbers.below(name, literal, isIncluded: false)
      case .lessOrEqual: return numbers.below(name, literal, isIncluded: true)
      case .greater: return numbers.above(name, literal, isIncluded: false)
      case .greaterOrEqual: return numbers.above(name, literal, isIncluded: true)
      }
    case .between(let name, let low, let high, _): return numbers.between(name, low, high)
    case .isOneOf(let name, let literals, _):
      return .isOneOf(
        name,
        literals.compactMap { literal in
          numbers.bound(literal).flatMap { $0.low == $0.high ? numbers.literal($0.low) : nil }
        })
    default: return condition
    }
  }

  /// The unsigned numbers of some bits.
  private struct Numbers {
    var bits: Int
    var highest: Int128 { (Int128(1) << bits) - 1 }

    /// The nearest integers below and above a literal; nil if the literal is not a number.
    func bound(_ literal: Condition.Literal) -> (low: Int128, high: Int128)? {
      switch literal {
      case .integer(let value): return (Int128(value), Int128(value))
      case .unsigned(let value): return (Int128(value), Int128(value))
      case .number(let value):
        if value.isNaN { return nil }
        // Beyond all numbers of 64 bits the distance does not matter.
        let limited = min(max(value, -4e19), 4e19)
        return (Int128(limited.rounded(.down)), Int128(limited.rounded(.up)))
      default: return nil
      }
    }

    /// The number that has the bits of an unsigned one; nil if it has more bits.
    func literal(_ value: Int128) -> Condition.Literal? {
      guard value >= 0, value <= highest else { return nil }
      return .integer(Int64(value > highest / 2 ? value - highest - 1 : value))
    }

    func below(
      _ name: Condition.PropertyName, _ literal: Condition.Literal, isIncluded: Bool
    ) -> Condition {
      guard let bound = bound(literal) else { return .never }
      return range(name, 0, isIncluded ? bound.low : bound.high - 1)
    }

    func above(
      _ name: Condition.PropertyName, _ literal: Condition.Literal, isIncluded: Bool
    ) -> Condition {
      guard let bound = bound(literal) else { return .never }
      return range(name, isIncluded ? bound.high : bound.low + 1, highest)
    }

    func between(
      _ name: Condition.PropertyName, _ low: Condition.Literal, _ high: Condition.Literal
    ) -> Condition {
      guard let low = bound(low), let high = bound(high) else { return .never }
      return range(name, low.high, high.low)
    }

    /// The values in a range of stored bits: the lower half are the positive values, the upper half the
    /// negative ones.
    private func range(
      _ name: Condition.PropertyName, _ low: Int128, _ high: Int128
    ) -> Condition {
      let middle = highest / 2
      let parts = [
        (max(low, 0), min(high, middle)), (max(low, middle + 1), min(high, highest)),
      ].compactMap { low, high -> Condition? in
        guard low <= high, let first = literal(low), let last = literal(high) else { return nil }
        return .between(name, first, last)
      }
      return parts.count == 1 ? parts[0] : .or(parts)
    }
  }
}
