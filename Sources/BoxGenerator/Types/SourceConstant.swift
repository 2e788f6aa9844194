package import BoxModel

/// The value of a property that is not optional in objects without one, as the bindings state it.
package enum SourceConstant: Hashable, Sendable {
  /// Zero, false, or what has no elements.
  case zero
  /// An expression of a `PropertyConstant`.
  case expression(String)
}

/// The initial value of a variable, as far as its text says that it is always the same.
enum InitialValue: Hashable, Sendable {
  /// A literal, or an array of these: its text.
  case constant(String)
  /// A member such as `.other` or `Int.max`: the type before the period, if any, and its name.
  case member(String, String)
  /// A call that makes what is empty or zero, such as `[Int]()` and `Data()`.
  case empty
  /// Anything else, such as `Date()`.
  case computed
}

/// The values of the properties of a target that are not optional, by UID.
package struct SourceConstants: Hashable, Sendable {
  /// A value other than zero.
  package struct Value: Hashable, Sendable {
    package var uid: UID
    /// An expression of a `PropertyConstant`.
    package var expression: String

    package init(uid: UID, expression: String) {
      self.uid = uid
      self.expression = expression
    }
  }

  /// The values, in the order of the sources.
  package var values: [Value] = []
  /// The properties with the value zero, false or empty.
  package var zeros: [UID] = []

  package init() {}

  init(_ constants: [(uid: UID, constant: SourceConstant)]) {
    for (uid, constant) in constants {
      switch constant {
      case .zero: zeros.append(uid)
      case .expression(let text): values.append(Value(uid: uid, expression: text))
      }
    }
  }
}

extension SourceProperty {
  /// Whether objects without a value of the property have a constant: it is neither optional nor unique, nor an id or a
  /// relation, nor has it a typed converter.
  var hasConstant: Bool {
    if case .toOne = form { return false }
    // A typed converter has the value of what is missing.
    if case .converted(let converter, _, _) = form, converter.isTyped { return false }
    return !isNullable && flags.isDisjoint(with: [.id, .unique])
  }

  /// The literals of zero in all types that have it.
  static let zeros: Set<String> = ["0", "0.0", "false", "\"\""]

  /// The constant; nil for a property without one.
  var constant: SourceConstant? {
    if !hasConstant { return nil }
    if let declaredConstant { return declaredConstant }
    guard let text = initialText else { return .zero }
    switch form {
    case .value(.date), .value(.id), .id, .toOne, .converted(_, .date, _), .converted(_, .id, _):
      return .zero
    case .value where Self.zeros.contains(text): return .zero
    case .value(let type): return .expression("PropertyConstant(\(text) as \(type.rawValue))")
    case .rawValue(let type, _, _):
      return .expression("PropertyConstant((\(text) as \(type)).rawValue)")
    case .converted(let converter, let type, _):
      return .expression(
        "(\(converter.type).convert(\(text) as \(swiftType)) as \(type.rawValue)?)"
          + ".map { PropertyConstant($0) } ?? .zero")
    }
  }

  /// The text of the constant in the type of the property; nil for zero.
  var initialText: String? {
    switch initialValue {
    case .constant(let text) where text != "[]": return text
    // Members of other types may be private, or change.
    case .member(let base, let name) where base.isEmpty || base == swiftType:
      // An enum inside of a type has another name in the bindings, which give the case its type.
      if case .rawValue(let type, _, _) = form, type != base { return "." + name }
      return base + "." + name
    default: break
    }
    // Bindings read the default where a value is missing.
    if case .rawValue(_, _, let fallback) = form { return fallback }
    return nil
  }

  /// Whether objects without a value cannot have the initial value.
  var isConstantUnknown: Bool {
    guard hasConstant, declaredConstant == nil, let initialValue else { return false }
    switch form {
    // Dates have no literals.
    case .value(.date), .converted(_, .date, _): return initialValue != .empty
    default: break
    }
    if case .member(let base, _) = initialValue { return !base.isEmpty && base != swiftType }
    return initialValue == .computed
  }
}
