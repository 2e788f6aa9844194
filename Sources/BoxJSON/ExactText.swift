/// A text by its bytes: a name or a key, wherever two of them are compared.
///
/// `String` compares canonical equivalence: it takes `é` in one scalar for `e` with an accent, and the
/// Kelvin sign for `K`. Files, stores and generators do not, so the names of theirs are compared so:
///
///     var positions: [ExactText: Int] = [:]
///     positions[ExactText(name)] = 3
///
/// As a wrapper of a property it makes a value differ where the bytes of a text do.
@propertyWrapper
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text.
  public var wrappedValue: String

  /// The text.
  public var text: String { wrappedValue }

  /// Creates a text for the value of a property.
  public init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  /// Creates a text.
  public init(_ text: String) { wrappedValue = text }

  /// Creates a text from a literal.
  public init(stringLiteral value: String) { wrappedValue = value }

  /// Whether two texts have the same bytes in UTF-8.
  public static func == (a: ExactText, b: ExactText) -> Bool {
    a.wrappedValue.hasSameBytes(as: b.wrappedValue)
  }

  /// The order of the UTF-8 bytes, which equals the order of the scalars.
  public static func < (a: ExactText, b: ExactText) -> Bool {
    a.wrappedValue.utf8.lexicographicallyPrecedes(b.wrappedValue.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = wrappedValue
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // So that two texts beside each other do not pass for one.
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  /// Whether two texts have the same bytes in UTF-8, which `==` does not say: it compares canonical
  /// equivalence.
  ///
  /// - Complexity: O(*n*) in the length of the shorter text.
  package func hasSameBytes(as other: String) -> Bool {
    // Most names that are compared differ, and most of those in their length.
    if utf8.count != other.utf8.count { return false }
    var (text, other) = (self, other)
    return text.withUTF8 { a in
      other.withUTF8 { b in unsafe a.elementsEqual(b) }
    }
  }

  /// The parts of a text between its periods, such as `Entity` and `property` of `Entity.property`.
  ///
  /// A period counts also in front of an accent, with which it is one character.
  ///
  /// - Parameter maxSplits: The most periods that count.
  /// - Returns: The parts, one of which at least, and which may be empty.
  /// - Complexity: O(*n*) in the length of the text.
  package func splitAtPeriods(maxSplits: Int = .max) -> [String] {
    utf8.split(separator: .period, maxSplits: maxSplits, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  /// The rest of a text after a prefix; nil if its bytes begin otherwise.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func withoutPrefix(_ prefix: String) -> String? {
    utf8.starts(with: prefix.utf8) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
  }
}
