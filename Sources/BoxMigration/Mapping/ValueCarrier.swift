internal import BoxConvert
internal import BoxJSON
internal import BoxModel

/// Converts a value of an old property to a value of a new one.
struct ValueCarrier: Sendable {
  /// The kind of conversion between the two types.
  enum Kind: Sendable {
    /// As it is.
    case same
    /// The same value, with ids of one entity shifted to ids of another.
    case id(of: UID, in: UID)
    /// The single object that a relation may have, with ids of one entity shifted to ids of another.
    case only(of: UID, in: UID)
    /// A conversion that follows from the types.
    case types(TypeConversion, StoredType)
    /// Read and written by converters; nil for the plain form.
    case converters(BoundConverter?, BoundConverter?, StoredType)
    /// There is no old value.
    case none
  }

  /// The position of the old property; nil where no value of the object itself is taken.
  var source: Int?
  /// The origin of a value that is found along relations.
  var related: RelatedOrigin?
  /// The position of the new property.
  var destination: Int
  var kind: Kind
  /// The replacement for null.
  var defaultValue = Value.null
  var unfit = PropertyRule.Unfit.fail
  /// The names of the properties, for an error.
  var names: (source: String, destination: String)

  /// The new value.
  ///
  /// - Throws: ``UnfitValue``.
  func carry(_ value: Value, _ offsets: IDOffsets) throws(UnfitValue) -> Value {
    var lost = 0
    return try carry(value, offsets, lost: &lost)
  }

  /// The new value, and how much of the old one it lacks.
  ///
  /// - Parameters:
  ///   - value: The old value.
  ///   - offsets: The new ids.
  ///   - lost: Set to 1 if the new value replaces the old one or is rounded, and to the number of links that are not
  ///     taken; 0 if nothing is lost.
  /// - Returns: The new value.
  /// - Throws: ``UnfitValue``.
  func carry(
    _ value: Value, _ offsets: IDOffsets, lost: inout Int
  ) throws(UnfitValue) -> Value {
    lost = 0
    if case .null = value { return defaultValue }
    let size = if case .only = kind { value.ids.count } else { 1 }
    do throws(UnfitValue) {
      let result = try carried(value, offsets)
      switch kind {
      case .only: lost = result == .null ? size : size - 1
      case .id: lost = result == .null ? 1 : 0
      case .types(let conversion, _): lost = conversion.keeps(value, as: result) ? 0 : 1
      case .same, .converters, .none: break
      }
      return result
    } catch {
      lost = size
      switch unfit {
      case .fail, .first: throw error
      case .null: return .null
      case .default: return defaultValue
      }
    }
  }

  /// Whether a value that is carried over can lack something.
  var canLose: Bool {
    switch kind {
    case .only: true
    case .types(let conversion, _): conversion.fidelity != .exact
    case .converters: unfit != .fail
    case .same, .id, .none: false
    }
  }

  private func carried(_ value: Value, _ offsets: IDOffsets) throws(UnfitValue) -> Value {
    switch kind {
    case .none: return defaultValue
    case .same: return value
    case .id(let old, let new):
      guard case .unsigned(let id) = value, id != 0 else { return value }
      return try moved(id, old, new, offsets)
    case .only(let old, let new):
      guard case .unsignedIntegers(let ids) = value, let id = ids.first else { return .null }
      if ids.count > 1, unfit != .first {
        throw UnfitValue(
          names, value,
          "a relation to one holds one of the \(ids.count) objects; give 'unfit: first' for the one "
            + "with the lowest id")
      }
      return try moved(id, old, new, offsets)
    case .types(let conversion, let type):
      guard let result = conversion.converted(value, to: type) else {
        throw UnfitValue(names, value, "it is not a value of type \(type)")
      }
      return result
    case .converters(let read, let write, let type):
      do throws(ConversionError) {
        let json = try read?.json(value) ?? PlainForm.json(value)
        if let write { return try write.stored(json) }
        guard let result = PlainForm.stored(json, as: type) else {
          throw ConversionError(.malformed, expected: "a value of type \(type)")
        }
        return result
      } catch {
        throw UnfitValue(names, value, "\(error)")
      }
    }
  }
}

extension ValueCarrier {
  /// The new id of a target; null if it is known to be dropped.
  private func moved(
    _ id: UInt64, _ old: UID, _ new: UID, _ offsets: IDOffsets
  ) throws(UnfitValue) -> Value {
    if let given = offsets.assigned(old, new) { return given[id].map { .unsigned($0) } ?? .null }
    let (moved, overflow) = id.addingReportingOverflow(offsets[old, new])
    if overflow { throw UnfitValue(names, .unsigned(id), "no id is that large") }
    return .unsigned(moved)
  }
}

/// A value that a new property cannot have.
struct UnfitValue: Error {
  var property: String
  var value: Value
  var reason: String

  init(_ names: (source: String, destination: String), _ value: Value, _ reason: String) {
    property =
      names.source == names.destination ? names.source : "\(names.source) -> \(names.destination)"
    self.value = value
    self.reason = reason
  }
}

/// The new ids of objects that move from an old entity to a new one: an offset that is added, or the ids that
/// a rule assigns.
struct IDOffsets {
  private struct Key: Hashable {
    var old: UID
    var new: UID
  }

  private var offsets: [Key: UInt64] = [:]
  private var assignedIDs: [Key: [UInt64: UInt64]] = [:]

  /// The new ids by the old ones, where a rule gives them.
  func assigned(_ old: UID, _ new: UID) -> [UInt64: UInt64]? {
    assignedIDs[Key(old: old, new: new)]
  }

  /// Records an id that a rule assigns.
  mutating func assign(_ id: UInt64, to oldID: UInt64, _ old: UID, _ new: UID) {
    assignedIDs[Key(old: old, new: new), default: [:]][oldID] = id
  }

  /// The new id of an object; nil if it is dropped.
  func moved(_ id: UInt64, _ old: UID, _ new: UID) -> UInt64? {
    if let given = assigned(old, new) { return given[id] }
    let (moved, overflow) = id.addingReportingOverflow(self[old, new])
    return overflow ? nil : moved
  }

  subscript(old: UID, new: UID) -> UInt64 {
    get { offsets[Key(old: old, new: new)] ?? 0 }
    set { offsets[Key(old: old, new: new)] = newValue }
  }
}
