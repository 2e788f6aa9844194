internal import BoxJSON
internal import BoxModel

/// A raw value of an enum: an integer or a text.
public enum RawValue: Hashable, Sendable {
  case integer(Int128)
  case text(String)
}

extension RawValue: CustomStringConvertible {
  /// The value as in a catalogue.
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .text(let text): "\"\(text)\""
    }
  }
}

extension RawValue {
  /// The stored value; nil if it does not fit the type.
  func value(_ type: StoredType) -> Value? {
    switch self {
    case .integer(let integer): type.value(integer)
    case .text(let text): type.kind == .string ? .string(text) : nil
    }
  }
}

/// A raw value as a key that compares texts by their bytes.
enum RawKey: Hashable, Sendable {
  case integer(Int128)
  case text(ExactText)

  init(_ raw: RawValue) {
    switch raw {
    case .integer(let value): self = .integer(value)
    case .text(let text): self = .text(ExactText(text))
    }
  }

  init?(_ value: Value) {
    if let integer = value.wideInteger {
      self = .integer(integer)
    } else if case .string(let text) = value {
      self = .text(ExactText(text))
    } else {
      return nil
    }
  }
}

/// An enum: names for raw values.
struct EnumerationForm: StrictForm {
  let kinds: Set<JSONKind> = [.string]
  let result = StoredType(.string)
  private let nameOfRaw: [RawKey: JSONValue]
  private let values: [ExactText: Value]
  private let isText: Bool
  private let expected: String
  let names: [String]

  init(_ enumeration: Enumeration, _ type: StoredType) {
    var nameOfRaw: [RawKey: JSONValue] = [:]
    var values: [ExactText: Value] = [:]
    // A retired value is still read where it is stored, and written back.
    for item in enumeration.cases + enumeration.retired {
      guard let value = item.raw.value(type) else { continue }
      let name = ExactText(item.name)
      // A name that another raw value has would bring that one back.
      guard values[name] == nil else { continue }
      values[name] = value
      if nameOfRaw[RawKey(item.raw)] == nil { nameOfRaw[RawKey(item.raw)] = .string(item.name) }
    }
    for alias in enumeration.aliases where values[ExactText(alias.alias)] == nil {
      values[ExactText(alias.alias)] = values[ExactText(alias.name)]
    }
    self.nameOfRaw = nameOfRaw
    self.values = values
    isText = type.kind == .string
    let listed = enumeration.cases.map(\.name)
    names = listed + enumeration.retired.map(\.name) + enumeration.aliases.map(\.alias)
    expected =
      "one of " + listed.prefix(8).joined(separator: ", ")
      + (listed.count > 8 ? " and \(listed.count - 8) more" : "")
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let key = RawKey(stored), isText == key.isText else { throw .malformed(expected) }
    guard let name = nameOfRaw[key] else { throw ConversionError(.unknown, expected: expected) }
    return name
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard case .string(let name) = json else { throw .malformed(expected) }
    guard let value = values[ExactText(name)] else {
      throw ConversionError(.unknown, expected: expected)
    }
    return value
  }
}

extension RawKey {
  fileprivate var isText: Bool {
    if case .text = self { return true }
    return false
  }
}
