internal import BoxConvert
internal import BoxModel

/// The change of a property from the type that the model has to the one that the sources declare.
struct TypeChange {
  private let (old, new): (Property, SourceProperty)

  init(_ old: Property, _ new: SourceProperty) { (self.old, self.new) = (old, new) }

  /// Whether stored values are not values of the new type.
  var isOne: Bool { old.type != new.storedType || hasOtherSign }

  /// Whether the raw values of an enum become texts, or numbers.
  ///
  /// No case has the text of a number as its raw value, so a conversion would leave none.
  var losesCases: Bool {
    guard case .rawValue = new.form else { return false }
    return (old.type == .string) != (new.storedType == .string)
  }

  private var hasOtherSign: Bool {
    guard let traits = new.storedType.traits, traits.form == .integer else { return false }
    return old.flags.contains(.unsigned) != new.flags.contains(.unsigned)
  }

  /// The old type for people, such as `int` and `unsigned int`.
  var before: String { words(old.type ?? .unknown, old.flags) }

  /// The new one.
  var after: String { words(new.storedType, new.flags) }

  private func words(_ type: PropertyType, _ flags: PropertyFlags) -> String {
    hasOtherSign && flags.contains(.unsigned) ? "unsigned \(type)" : "\(type)"
  }

  /// The ways to open a store of an earlier version.
  static let opening = "Store.open(history:) and \"boxjoint migrate\""

  /// The advice about the values of stores.
  var advice: String {
    let conversion = TypeConversion(
      from: old.type ?? .unknown, old.flags, to: new.storedType, new.flags, of: new.name)
    let opening = Self.opening
    if conversion.fidelity == .exact {
      return "[Convert] is automatic: \(opening) convert every value without loss"
    }
    if old.type == new.storedType {
      return
        "[Convert] is automatic if the new type holds all values of a store: \(opening) convert them,"
        + " and refuse a store with others unless a mapping converts them"
    }
    return
      "[Convert] wants a mapping that says what a value means in the new type, which \(opening) take"
  }
}
