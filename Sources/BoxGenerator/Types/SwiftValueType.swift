package import BoxModel

/// A Swift type that the bindings store as it is.
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
  case bools = "[Bool]"
  case bytes = "[UInt8]"
  case int16s = "[Int16]"
  case uint16s = "[UInt16]"
  case int32s = "[Int32]"
  case uint32s = "[UInt32]"
  case int64s = "[Int64]"
  case uint64s = "[UInt64]"
  case floats = "[Float]"
  case doubles = "[Double]"
  case strings = "[String]"
  case id = "Id"

  /// The type that has a name, if it can be stored; aliases of the standard library have the type that they
  /// stand for.
  package init?(spelling: String) {
    switch spelling {
    case "TimeInterval", "Float64", "CDouble": self = .double
    case "Float32", "CFloat": self = .float
    case "Byte": self = .uint8
    case "[Byte]": self = .bytes
    case "[TimeInterval]": self = .doubles
    default: self.init(rawValue: spelling)
    }
  }

  /// The type in the model file.
  package var storedType: PropertyType {
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
    case .data, .bytes: .byteVector
    case .bools: .boolVector
    case .int16s, .uint16s: .shortVector
    case .int32s, .uint32s: .intVector
    case .int64s, .uint64s: .longVector
    case .floats: .floatVector
    case .doubles: .doubleVector
    case .strings: .stringVector
    }
  }

  /// Whether the model file marks the values as unsigned.
  package var isUnsigned: Bool {
    switch self {
    case .uint8, .uint16, .uint32, .uint64, .uint: true
    default: false
    }
  }

  /// Whether a text is a literal of the type: a number in its range, a truth value, or any text.
  func holds(_ text: String) -> Bool {
    switch self {
    case .bool: text == "true" || text == "false"
    case .int8: Int8(text) != nil
    case .uint8: UInt8(text) != nil
    case .int16: Int16(text) != nil
    case .uint16: UInt16(text) != nil
    case .int32: Int32(text) != nil
    case .uint32: UInt32(text) != nil
    case .int64, .int: Int64(text) != nil
    case .uint64, .uint: UInt64(text) != nil
    case .float: Float(text)?.isFinite ?? false
    case .double: Double(text)?.isFinite ?? false
    case .string: true
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
    default: 0
    }
  }

  /// The type of the values in conditions of queries.
  func conditionType(isOptional: Bool, hasVectorIndex: Bool) -> String {
    switch self {
    case .strings: "StringArrayPropertyType"
    case .int32s: "Int32ArrayPropertyType"
    case .int64s: "Int64ArrayPropertyType"
    case .floats: hasVectorIndex ? "HnswIndexPropertyType" : "FloatArrayPropertyType"
    case .bools, .int16s, .uint16s, .uint32s, .uint64s, .doubles:
      "ListPropertyType<\(rawValue.dropFirst().dropLast())>"
    default: isOptional ? rawValue + "?" : rawValue
    }
  }
}
