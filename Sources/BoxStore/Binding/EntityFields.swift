internal import BoxEngine
internal import BoxModel

/// The form in which a record has the values of a property.
@usableFromInline enum FieldForm: UInt8, BitwiseCopyable, Sendable {
  /// The model has no such property.
  case absent
  /// The id, which is not part of the record.
  case id
  case bool, integer8, integer16, integer32, integer64, float, double, string, bytes
  case bools, integers16, integers32, integers64, floats, doubles, strings

  /// The words for a form in messages.
  var words: String {
    switch self {
    case .absent: "no property"
    case .id: "the id"
    case .bool: "a truth value"
    case .integer8: "an integer of 8 bits"
    case .integer16: "an integer of 16 bits"
    case .integer32: "an integer of 32 bits"
    case .integer64: "an integer of 64 bits or a date"
    case .float: "a number of 32 bits"
    case .double: "a number of 64 bits"
    case .string: "a string"
    case .bytes: "bytes"
    case .bools: "a vector of truth values"
    case .integers16: "a vector of 16-bit integers"
    case .integers32: "a vector of 32-bit integers"
    case .integers64: "a vector of 64-bit integers"
    case .floats: "a vector of 32-bit numbers"
    case .doubles: "a vector of 64-bit numbers"
    case .strings: "a vector of strings"
    }
  }
}

/// The place and the form of a property in the records of its entity.
@usableFromInline struct FieldAccess: BitwiseCopyable, Sendable {
  /// The slot; -1 for the id and for what the model lacks.
  @usableFromInline var slot: Int32
  @usableFromInline var form: FieldForm
  @usableFromInline var isUnsigned: Bool
  /// Whether a date counts nanoseconds and not milliseconds.
  @usableFromInline var isNanoseconds: Bool

  @usableFromInline static let absent = FieldAccess(
    slot: -1, form: .absent, isUnsigned: false, isNanoseconds: false)

  @usableFromInline init(slot: Int32, form: FieldForm, isUnsigned: Bool, isNanoseconds: Bool) {
    self.slot = slot
    self.form = form
    self.isUnsigned = isUnsigned
    self.isNanoseconds = isNanoseconds
  }

  init(_ property: PropertySchema, isID: Bool) {
    self.init(
      slot: isID ? -1 : Int32(property.slot), form: isID ? .id : FieldForm(property.type),
      isUnsigned: property.modelType.traits?.isUnsigned(property.flags) ?? false,
      isNanoseconds: property.modelType.traits?.unit == .nanoseconds)
  }
}

extension FieldForm {
  init(_ type: SlotType) {
    let traits = type.traits
    self =
      switch (traits.form, traits.bits, traits.isVector) {
      case (.bool, _, false): .bool
      case (.bool, _, true): .bools
      case (.integer, 8, _): .integer8
      case (.integer, 16, false): .integer16
      case (.integer, 16, true): .integers16
      case (.integer, 32, false): .integer32
      case (.integer, 32, true): .integers32
      case (.integer, _, false): .integer64
      case (.integer, _, true): .integers64
      case (.float, _, false): .float
      case (.float, _, true): .floats
      case (.double, _, false): .double
      case (.double, _, true): .doubles
      case (.string, _, false): .string
      case (.string, _, true): .strings
      case (.bytes, _, _): .bytes
      }
  }
}

/// The fields of an entity by the ids of their properties, made once when the entity is first used.
///
/// The memory is its own and never written after it was made.
@safe final class EntityFields: @unchecked Sendable {
  let fields: UnsafePointer<FieldAccess>
  /// One more than the highest id of a property.
  let count: Int

  /// Creates the table of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - hidden: The id of a property that looks absent; nil for none.
  init(_ entity: EntitySchema, hiding hidden: obx_schema_id? = nil) {
    count = Int(entity.properties.map(\.id).max() ?? 0) + 1
    let fields = UnsafeMutablePointer<FieldAccess>.allocate(capacity: count)
    unsafe fields.initialize(repeating: .absent, count: count)
    for (position, property) in entity.properties.enumerated()
    where property.id != hidden {
      unsafe fields[Int(property.id)] = FieldAccess(property, isID: position == entity.idPosition)
    }
    unsafe self.fields = unsafe UnsafePointer(fields)
  }

  deinit { unsafe UnsafeMutablePointer(mutating: fields).deallocate() }

  /// The field of a property; absent if the model lacks it.
  @inline(__always)
  subscript(id: Int) -> FieldAccess {
    id >= 0 && id < count ? unsafe fields[id] : .absent
  }

  /// The id of the property that a binding addresses by an offset.
  @inline(__always)
  static func propertyID(at offset: UInt16) -> Int { (Int(offset) - 2) >> 1 }
}
