/// Converts a set of options by its bits; those that have no name are kept in the set.
public struct OptionSetConverter<Options: OptionSet & Sendable>: ValueConverter
where Options.RawValue: StoredValue & FixedWidthInteger {
  /// Creates the converter.
  public init() {}

  /// The set of bits; the empty one where they are missing.
  public func domain(_ stored: Options.RawValue?) throws(ConversionError) -> Options {
    Options(rawValue: stored ?? 0)
  }

  /// The bits.
  public func stored(_ domain: Options) throws(ConversionError) -> Options.RawValue? {
    domain.rawValue
  }
}

/// Converts a truth value that is stored as 0 or 1.
///
/// Any other integer is true, and becomes 1 when the object is written again.
public struct BoolConverter<Stored: StoredValue & FixedWidthInteger>: ValueConverter {
  /// Creates the converter.
  public init() {}

  /// Whether the integer is not 0; false where it is missing.
  public func domain(_ stored: Stored?) throws(ConversionError) -> Bool { stored ?? 0 != 0 }

  /// 1 or 0.
  public func stored(_ domain: Bool) throws(ConversionError) -> Stored? { domain ? 1 : 0 }
}

/// Two converters, one after the other.
public struct ChainedConverter<First: ValueConverter, Second: ValueConverter>: ValueConverter
where First.Domain == Second.Stored {
  private let first: First
  private let second: Second

  /// Creates a chain.
  ///
  /// - Parameters:
  ///   - first: The converter next to the store.
  ///   - second: The converter next to the application.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// The second converter's value for the first one's; a missing value stays missing.
  ///
  /// - Throws: ``ConversionError`` of either.
  public func domain(_ stored: First.Stored?) throws(ConversionError) -> Second.Domain {
    guard let stored else { return try second.domain(nil) }
    return try second.domain(try first.domain(stored))
  }

  /// The first converter's stored value for the second one's; nil if either stores nothing.
  ///
  /// - Throws: ``ConversionError`` of either.
  public func stored(_ domain: Second.Domain) throws(ConversionError) -> First.Stored? {
    guard let between = try second.stored(domain) else { return nil }
    return try first.stored(between)
  }
}

/// Converts each element of a list.
public struct ListConverter<Element: ValueConverter>: ValueConverter
where Element.Stored: StoredElement {
  private let element: Element

  /// Creates the converter of lists from the converter of their elements.
  public init(_ element: Element) { self.element = element }

  /// The elements; an empty list if the list is missing.
  ///
  /// - Throws: ``ConversionError`` of an element.
  public func domain(_ stored: [Element.Stored]?) throws(ConversionError) -> [Element.Domain] {
    var result: [Element.Domain] = []
    for value in stored ?? [] { result.append(try element.domain(value)) }
    return result
  }

  /// The stored values of the elements; never nil.
  ///
  /// - Throws: ``ConversionError`` of an element, and for an element that would store nothing.
  public func stored(_ domain: [Element.Domain]) throws(ConversionError) -> [Element.Stored]? {
    var result: [Element.Stored] = []
    for value in domain {
      guard let stored = try element.stored(value) else {
        throw ConversionError(.null, expected: "an element that is not null")
      }
      result.append(stored)
    }
    return result
  }
}

/// Converts a set by the stored values of its elements, in ascending order and each once, so that equal sets are stored
/// alike.
public struct SetConverter<Element: ValueConverter>: ValueConverter
where Element.Domain: Hashable, Element.Stored: StoredElement & Comparable {
  private let list: ListConverter<Element>

  /// Creates the converter of sets from the converter of their elements.
  public init(_ element: Element) { list = ListConverter(element) }

  /// The set of the elements; an empty one if the list is missing.
  ///
  /// - Throws: ``ConversionError`` of an element.
  public func domain(_ stored: [Element.Stored]?) throws(ConversionError) -> Set<Element.Domain> {
    Set(try list.domain(stored))
  }

  /// The stored values of the elements; never nil.
  ///
  /// - Throws: ``ConversionError`` of an element, and for an element that would store nothing.
  public func stored(_ domain: Set<Element.Domain>) throws(ConversionError) -> [Element.Stored]? {
    var result: [Element.Stored] = []
    for value in (try list.stored(Array(domain)) ?? []).sorted() where value != result.last {
      result.append(value)
    }
    return result
  }
}
