internal import BoxJSON
internal import BoxModel

extension IncompatibleConverter {
  /// Creates the error of a binding.
  init(
    _ binding: Catalogue.Binding, _ reason: Reason, _ message: String, at position: JSONPosition?
  ) {
    self.init(property: binding.name, reason, message, at: position)
  }
}

/// Makes converters for types of properties out of their definitions.
struct ConverterMaker {
  let binding: Catalogue.Binding
  let registry: ConverterRegistry

  func converter(
    _ definition: ConverterDefinition, _ type: StoredType
  ) throws(IncompatibleConverter) -> BoundConverter? {
    guard let form = try form(definition, type) else { return nil }
    let converter = BoundConverter(
      type: type, policies: definition.policies, form: form, defaultValue: nil)
    guard let json = definition.defaultValue else { return converter }
    do throws(ConversionError) {
      let stored = try form.stored(json)
      return BoundConverter(
        type: type, policies: definition.policies, form: form,
        defaultValue: BoundConverter.DefaultValue(json: try form.json(stored), stored: stored))
    } catch {
      throw IncompatibleConverter(
        binding, .defaultValue,
        "the default is not a value of the converter: expected \(error.expected)",
        at: definition.position)
    }
  }

  /// The form of a definition; nil for one of the application that is not registered.
  private func form(
    _ definition: ConverterDefinition, _ type: StoredType
  ) throws(IncompatibleConverter) -> (any StrictForm)? {
    switch definition.kind {
    case .enumeration(let enumeration):
      try require(type.kind == .integer || type.kind == .string, definition, type)
      try requireRange(enumeration.cases + enumeration.retired, definition, type)
      return EnumerationForm(enumeration, type)
    case .optionSet(let options):
      try require(type.kind == .integer, definition, type)
      return try optionSet(options, type)
    case .date(let unit, let shown): return try date(unit, shown, definition, type)
    case .uuid(let isUppercase):
      try require(type.kind == .string || type.kind == .bytes, definition, type)
      return type.kind == .bytes
        ? UUIDBytesForm(isUppercase: isUppercase) : CheckedTextForm.uuid
    case .url(let isRelativeAllowed):
      try require(type.kind == .string, definition, type)
      return CheckedTextForm.url(isRelativeAllowed: isRelativeAllowed)
    case .decimal(let scale):
      try require(type.kind == .string || type.kind == .integer, definition, type)
      if type.kind == .string { return CheckedTextForm.decimal }
      guard let scale else {
        throw IncompatibleConverter(
          binding, .type, "a decimal in an integer needs 'scale', its digits after the point",
          at: definition.position)
      }
      return ScaledDecimalForm(scale: scale, type)
    case .bytes(let encoding):
      try require(type.kind == .bytes, definition, type)
      return BytesForm(encoding: encoding)
    case .json(let isExact):
      try require(type.kind == .string, definition, type)
      return JSONTextForm(isExact: isExact)
    case .list(let separator, let element):
      return try list(separator, element, definition, type)
    case .boolean(let no, let yes):
      try require(type.kind == .integer || type.kind == .string, definition, type)
      guard let form = BooleanForm(no: no, yes: yes, type) else {
        throw IncompatibleConverter(
          binding, .range, "\(no) and \(yes) are not values of type \(type)",
          at: definition.position)
      }
      return form
    case .unsigned:
      let form = UnsignedForm(type)
      try require(form != nil, definition, type)
      return form
    case .chain(let first, let second): return try chain(first, second, type)
    case .registered(let name): return registry[name].map { RegisteredForm(converter: $0) }
    }
  }

  private func require(
    _ fits: Bool, _ definition: ConverterDefinition, _ type: StoredType
  ) throws(IncompatibleConverter) {
    if fits { return }
    throw IncompatibleConverter(
      binding, .type,
      "a converter of type \(definition.typeName) does not fit a property of type "
        + "\(type)", at: definition.position)
  }

  private func requireRange(
    _ cases: [EnumerationCase], _ definition: ConverterDefinition, _ type: StoredType
  ) throws(IncompatibleConverter) {
    for item in cases where item.raw.value(type) == nil {
      throw IncompatibleConverter(
        binding, .range, "the raw value \(item.raw) of \(item.name) is not a value of type \(type)",
        at: item.position ?? definition.position)
    }
  }

  private func optionSet(
    _ options: Enumeration, _ type: StoredType
  ) throws(IncompatibleConverter) -> OptionSetForm {
    var bits: [(name: String, bits: UInt64)] = []
    for option in options.cases + options.retired {
      guard case .integer(let value) = option.raw, let mask = UInt64(exactly: value), mask != 0,
        type.value(bits: mask) != nil
      else {
        throw IncompatibleConverter(
          binding, .range,
          "the bits \(option.raw) of \(option.name) are not values of type \(type)",
          at: option.position)
      }
      bits.append((option.name, mask))
    }
    return OptionSetForm(bits, aliases: options.aliases, type)
  }

  private func date(
    _ unit: TimeUnit?, _ shown: TimeUnit?, _ definition: ConverterDefinition, _ type: StoredType
  ) throws(IncompatibleConverter) -> any StrictForm {
    if type.kind == .string, unit == nil { return DateTextForm(shown: shown) }
    try require(type.kind == .integer, definition, type)
    let own = type.type.traits?.unit
    guard let known = unit ?? own else {
      throw IncompatibleConverter(
        binding, .type, "a date in a property of type \(type) needs 'unit'",
        at: definition.position)
    }
    if let own, own != known {
      throw IncompatibleConverter(
        binding, .type, "a property of type \(type) holds \(own.rawValue), not \(known.rawValue)",
        at: definition.position)
    }
    return TimeForm(unit: known, shown: shown, type)
  }

  private func list(
    _ separator: String?, _ element: ConverterDefinition?, _ definition: ConverterDefinition,
    _ type: StoredType
  ) throws(IncompatibleConverter) -> (any StrictForm)? {
    if type.kind == .string, element == nil { return ListTextForm(separator: separator) }
    guard separator == nil, let inner = type.element else {
      try require(false, definition, type)
      return nil
    }
    guard let element else {
      throw IncompatibleConverter(
        binding, .type,
        "a list in a property of type \(type) needs 'of', the converter of its "
          + "elements; without one it is a list already", at: definition.position)
    }
    var strict = element
    // If the list does not keep such values, its elements must not either.
    for kind in [ConversionError.Kind.unknown, .malformed]
    where element.policies[kind] == .keep && definition.policies[kind] != .keep {
      strict.policies[kind] = .fail
    }
    guard let converter = try converter(strict, inner) else { return nil }
    return VectorForm(type: type, element: converter)
  }

  private func chain(
    _ first: ConverterDefinition, _ second: ConverterDefinition, _ type: StoredType
  ) throws(IncompatibleConverter) -> (any StrictForm)? {
    guard let inner = try form(first, type) else { return nil }
    guard let between = inner.result else {
      throw IncompatibleConverter(
        binding, .type, "nothing can follow a converter of type \(first.typeName) in a chain",
        at: second.position)
    }
    guard let outer = try form(second, between) else { return nil }
    return ChainForm(first: inner, second: outer, between: between)
  }
}
