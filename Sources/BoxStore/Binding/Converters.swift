public import BoxConvert
internal import BoxModel

// Functions that bindings call for properties whose converter is a `ValueConverter`.

extension PropertyCollector {
  /// Takes the value that a converter stores; nil is stored as null.
  ///
  /// A value that the converter refuses ends the put with ``ObjectBoxError/illegalArgument(message:)``.
  public func collect<Converter: ValueConverter>(
    _ value: Converter.Domain?, by converter: Converter, at propertyOffset: UInt16
  ) {
    guard let value else { return }
    do throws(ConversionError) {
      collect(stored: try converter.write(value), at: propertyOffset)
    } catch {
      fail(core.refusedByConverter(error, propertyOffset))
    }
  }

  /// Takes a value of any type.
  private func collect(stored value: Value, at propertyOffset: UInt16) {
    switch value {
    case .null: break
    case .bool(let value): collect(value, at: propertyOffset)
    case .integer(let value): collect(value, at: propertyOffset)
    case .unsigned(let value): collect(value, at: propertyOffset)
    case .float(let value): collect(value, at: propertyOffset)
    case .double(let value): collect(value, at: propertyOffset)
    case .string(let value): collect(value, at: propertyOffset)
    case .bytes(let value): collect(value, at: propertyOffset)
    case .bools(let values): collect(values, at: propertyOffset)
    case .integers(let values): collect(elements: values, at: propertyOffset)
    case .unsignedIntegers(let values): collect(elements: values, at: propertyOffset)
    case .floats(let values): collect(values, at: propertyOffset)
    case .doubles(let values): collect(values, at: propertyOffset)
    case .strings(let values): collect(values, at: propertyOffset)
    }
  }

  /// Takes integers in the width of their property.
  private func collect<Element: FixedWidthInteger>(
    elements: [Element], at propertyOffset: UInt16
  ) {
    func narrowed<Narrow: FixedWidthInteger>(_ type: Narrow.Type) -> [Narrow]? {
      let all = elements.compactMap { Narrow(exactly: $0) }
      if all.count == elements.count { return all }
      fail(core.elementsOutOfRange(propertyOffset, bits: Narrow.bitWidth))
      return nil
    }
    let field = fields[EntityFields.propertyID(at: propertyOffset)]
    switch (field.form, field.isUnsigned) {
    case (.integers16, false): collect(narrowed(Int16.self), at: propertyOffset)
    case (.integers16, true): collect(narrowed(UInt16.self), at: propertyOffset)
    case (.integers32, false): collect(narrowed(Int32.self), at: propertyOffset)
    case (.integers32, true): collect(narrowed(UInt32.self), at: propertyOffset)
    case (_, false): collect(narrowed(Int64.self), at: propertyOffset)
    case (_, true): collect(narrowed(UInt64.self), at: propertyOffset)
    }
  }
}

/// A stored value that the converter of a property has no value for.
struct ConversionFault: Error {
  /// The offset that the binding named.
  var offset: UInt16
  var error: ConversionError
}

extension EntityReader {
  /// The value that a converter has for a stored one, or for null.
  ///
  /// - Throws: An error that ends the call that reads the object, with
  ///   ``ObjectBoxError/illegalState(message:)``.
  public func read<Converter: ValueConverter>(
    at index: UInt16, by converter: Converter
  ) throws -> Converter.Domain {
    try converted(value(at: index), index, converter)
  }

  /// The value that a converter has for a stored one; nil for null.
  ///
  /// - Throws: An error that ends the call that reads the object, with
  ///   ``ObjectBoxError/illegalState(message:)``.
  public func read<Converter: ValueConverter>(
    at index: UInt16, by converter: Converter
  ) throws -> Converter.Domain? {
    let value = value(at: index)
    if case .null = value { return nil }
    return try converted(value, index, converter)
  }

  private func converted<Converter: ValueConverter>(
    _ value: Value, _ index: UInt16, _ converter: Converter
  ) throws -> Converter.Domain {
    do throws(ConversionError) {
      // Model files of ObjectBox's generator for Swift do not say the sign of optional integers.
      if case .integer(let number) = value, number < 0, Converter.Stored(storedValue: value) == nil,
        let bits = integerBits(index)
      {
        return try converter.read(.unsigned(bits))
      }
      return try converter.read(value)
    } catch {
      throw ConversionFault(offset: index, error: error)
    }
  }

  /// The bits of an integer in the width of its property; nil for a property of another type.
  private func integerBits(_ index: UInt16) -> UInt64? {
    switch field(index, .integer64).form {
    case .integer8: (read(at: index) as UInt8?).map { UInt64($0) }
    case .integer16: (read(at: index) as UInt16?).map { UInt64($0) }
    case .integer32: (read(at: index) as UInt32?).map { UInt64($0) }
    case .integer64: read(at: index) as UInt64?
    default: nil
    }
  }

  /// The value of a property of any type.
  private func value(at index: UInt16) -> Value {
    let field = field(index, .absent)
    let value: Value? =
      switch field.form {
      case .absent: nil
      case .id: .unsigned(id)
      case .bool: (read(at: index) as Bool?).map { .bool($0) }
      case .integer8, .integer16, .integer32, .integer64:
        field.isUnsigned
          ? (read(at: index) as UInt64?).map { .unsigned($0) }
          : (read(at: index) as Int64?).map { .integer($0) }
      case .float: (read(at: index) as Float?).map { .float($0) }
      case .double: (read(at: index) as Double?).map { .double($0) }
      case .string: (read(at: index) as String?).map { .string($0) }
      case .bytes: (read(at: index) as [UInt8]?).map { .bytes($0) }
      case .bools: (read(at: index) as [Bool]?).map { .bools($0) }
      case .integers16, .integers32, .integers64: integers(at: index, field)
      case .floats: (read(at: index) as [Float]?).map { .floats($0) }
      case .doubles: (read(at: index) as [Double]?).map { .doubles($0) }
      case .strings: (read(at: index) as [String]?).map { .strings($0) }
      }
    return value ?? .null
  }

  private func integers(at index: UInt16, _ field: FieldAccess) -> Value? {
    func signed(_ elements: [some SignedInteger]?) -> Value? {
      elements.map { .integers($0.map { Int64($0) }) }
    }
    func unsigned(_ elements: [some UnsignedInteger]?) -> Value? {
      elements.map { .unsignedIntegers($0.map { UInt64($0) }) }
    }
    return switch (field.form, field.isUnsigned) {
    case (.integers16, false): signed(read(at: index) as [Int16]?)
    case (.integers16, true): unsigned(read(at: index) as [UInt16]?)
    case (.integers32, false): signed(read(at: index) as [Int32]?)
    case (.integers32, true): unsigned(read(at: index) as [UInt32]?)
    case (_, false): signed(read(at: index) as [Int64]?)
    case (_, true): unsigned(read(at: index) as [UInt64]?)
    }
  }
}

extension __EntityCore {
  fileprivate func refusedByConverter(
    _ error: ConversionError, _ offset: UInt16
  ) -> ObjectBoxError {
    .illegalArgument(message: "the converter of \(name(offset)) stores no such value: \(error)")
  }

  fileprivate func elementsOutOfRange(_ offset: UInt16, bits: Int) -> ObjectBoxError {
    .illegalArgument(
      message: "the elements of \(name(offset)) have \(bits) bits, and one does not fit; "
        + "store smaller numbers, or give the property another type")
  }

  /// The error of reading a value that the converter of the property refuses.
  func refusedByConverter(_ fault: ConversionFault, _ id: UInt64) -> ObjectBoxError {
    .illegalState(
      message:
        "\(name(fault.offset)) of object \(id) cannot be read by its converter: \(fault.error); "
        + "give the converter a value for it")
  }
}
