/// Reads the fields of a dictionary that is imported, and collects all its errors.
///
/// ```swift
/// convenience init(importing source: [String: Any], in transaction: Transaction) throws {
///   self.init()
///   var fields = ImportFields(source)
///   title = fields.required("title", or: "")
///   price = fields.required("price", or: 0)
///   isbn = fields.optional("isbn")
///   try fields.requireNoFaults()
/// }
/// ```
///
/// Values are converted if nothing is lost: an integer to a number, a number without a fraction to an
/// integer, a text to a date, an enum by its raw value. ``ImportableValue`` has the rules.
public struct ImportFields {
  private let source: [String: Any]
  /// The faults so far, in the order of the calls.
  public private(set) var faults: [String] = []

  /// The names of the fields, sorted.
  var names: [String] { source.keys.sorted() }

  /// Creates a reader of a dictionary.
  public init(_ source: [String: Any]) { self.source = source }

  /// The value of a field that has to be there.
  ///
  /// - Parameters:
  ///   - key: The name of the field.
  ///   - placeholder: The value to return if the field is missing or has another type.
  /// - Returns: The value.
  public mutating func required<V: ImportableValue>(_ key: String, or placeholder: V) -> V {
    guard let value = source[key].flatMap(Self.unwrapped) else {
      faults.append("\(key) is missing")
      return placeholder
    }
    return converted(value, key) ?? placeholder
  }

  /// The value of a field that can be missing or null; nil for such a field, and for another type, which
  /// is a fault.
  public mutating func optional<V: ImportableValue>(_ key: String, as type: V.Type = V.self) -> V? {
    source[key].flatMap(Self.unwrapped).flatMap { converted($0, key) }
  }

  /// Adds a fault that the application found.
  public mutating func addFault(_ fault: String) { faults.append(fault) }

  /// Throws if anything is wrong with the fields that were read.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` with all faults.
  public func requireNoFaults() throws {
    if faults.isEmpty { return }
    let count = faults.count == 1 ? "a fault" : "\(faults.count) faults"
    throw ObjectBoxError.illegalArgument(
      message: "a source has \(count): \(faults.joined(separator: "; "))")
  }

  private mutating func converted<V: ImportableValue>(_ value: Any, _ key: String) -> V? {
    if let converted = V(importing: value) { return converted }
    faults.append("\(key) is \(Self.words(value)) and not a \(V.self)")
    return nil
  }

  /// The value inside of optionals; nil for nil.
  private static func unwrapped(_ value: Any) -> Any? {
    var value = value
    while let optional = value as? any OptionalValue {
      guard let wrapped = optional.anyWrapped else { return nil }
      value = wrapped
    }
    return value
  }

  /// A value in a message, not longer than a line.
  private static func words(_ value: Any) -> String {
    let text = value is String ? "\"\(value)\"" : "\(value)"
    return text.count > 60 ? "\(text.prefix(60))…" : text
  }
}

/// An optional of any type.
private protocol OptionalValue {
  var anyWrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var anyWrapped: Any? { self }
}
