internal import BoxModel

/// A Swift type that the bindings store.
package enum SwiftValueType: String, Hashable, Sendable, CaseIterable {
  case bool = "Bool"
  case int8 = "Int8"
  case uint8 = "UInt8"
  case int16 = "Int16"
  case uint16 = "UInt16"
  case int32 = "Int32"
  case uint32 = "UInt32"
  case int64 = "Int64"
  case uint64 = "UInt64"
  case int = "Int"
  case uint = "UInt"
  case float = "Float"
  case double = "Double"
  case string = "String"
  case date = "Date"
  case data = "Data"
  case strings = "[String]"
  case id = "Id"

  /// The type that a Swift type name means, if it can be stored.
  init?(spelling: String) {
    let spelling = spelling.filter { $0 != " " }
    for module in ["Swift.", "Foundation.", "ObjectBox."] where spelling.hasPrefix(module) {
      self.init(rawValue: String(spelling.dropFirst(module.count)))
      return
    }
    switch spelling {
    case "TimeInterval": self = .double
    case "Array<String>": self = .strings
    default: self.init(rawValue: spelling)
    }
  }

  /// The type in the model file.
  var storedType: PropertyType {
    switch self {
    case .bool: .bool
    case .int8, .uint8: .byte
    case .int16, .uint16: .short
    case .int32, .uint32: .int
    case .int64, .uint64, .int, .uint, .id: .long
    case .float: .float
    case .double: .double
    case .string: .string
    case .date: .date
    case .data: .byteVector
    case .strings: .stringVector
    }
  }

  /// Whether the model file marks the values as unsigned.
  var isUnsigned: Bool {
    switch self {
    case .uint8, .uint16, .uint32, .uint64, .uint: true
    default: false
    }
  }

  /// Whether the type comes from Foundation.
  var needsFoundation: Bool { self == .date || self == .data }

  /// The bytes of a value in the table of a record; 0 for a value outside of it.
  var width: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16: 2
    case .int32, .uint32, .float: 4
    case .int64, .uint64, .int, .uint, .id, .double, .date: 8
    case .string, .data, .strings: 0
    }
  }

  /// The type of the values in conditions of queries.
  func conditionType(isOptional: Bool) -> String {
    if self == .strings { return "StringArrayPropertyType" }
    return isOptional ? rawValue + "?" : rawValue
  }
}
