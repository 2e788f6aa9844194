package import BoxModel

/// A value of a property in an operation; references have the id of their target.
package enum SyncValue<ID: Hashable & Sendable>: Hashable, Sendable {
  case value(Value)
  case reference(ID)

  /// The value of a property without one.
  package static var null: SyncValue { .value(.null) }

  /// Whether two values are the same to the bit, as in the engine: é in one scalar differs from é in two.
  package static func == (a: SyncValue, b: SyncValue) -> Bool {
    switch (a, b) {
    case (.value(let a), .value(let b)): a.isIdentical(to: b)
    case (.reference(let a), .reference(let b)): a == b
    default: false
    }
  }

  /// Whether there is no value.
  package var isNull: Bool {
    if case .value(.null) = self { true } else { false }
  }

  /// The value as an unsigned number, as clocks and precedences are compared; 0 if it is not an integer.
  var unsigned: UInt64 {
    switch self {
    case .value(.integer(let value)): UInt64(bitPattern: value)
    case .value(.unsigned(let value)): value
    default: 0
    }
  }
}

/// The values of some properties of an object, in the order of their UIDs.
///
/// A property that is named with null is another thing than one that is not named: an operation sets the
/// former and keeps the latter.
package struct Fields<ID: Hashable & Sendable>: Hashable, Sendable {
  /// A property and its value.
  package struct Field: Hashable, Sendable {
    /// The UID of the property.
    package var property: UID
    /// The value.
    package var value: SyncValue<ID>

    /// Creates a field.
    package init(_ property: UID, _ value: SyncValue<ID>) {
      self.property = property
      self.value = value
    }
  }

  /// The fields, each property once, in ascending order of their UIDs.
  package private(set) var list: [Field]

  /// Creates fields in any order; of two with one property the later counts.
  package init(_ fields: [Field] = []) {
    list = []
    list.reserveCapacity(fields.count)
    for field in fields { self[field.property] = field.value }
  }

  private func index(of property: UID) -> (index: Int, isFound: Bool) {
    // Arrivals and captures are in order: the end is the usual place.
    guard let last = list.last, last.property >= property else { return (list.count, false) }
    var index = 0
    while list[index].property < property { index += 1 }
    return (index, list[index].property == property)
  }

  /// The value of a property; nil if the property is not named.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  package subscript(property: UID) -> SyncValue<ID>? {
    get {
      let place = index(of: property)
      return place.isFound ? list[place.index].value : nil
    }
    set {
      let place = index(of: property)
      switch (newValue, place.isFound) {
      case (let value?, true): list[place.index].value = value
      case (let value?, false): list.insert(Field(property, value), at: place.index)
      case (nil, true): list.remove(at: place.index)
      case (nil, false): break
      }
    }
  }

  /// Whether no property is named.
  package var isEmpty: Bool { list.isEmpty }

  /// Sets every property that other fields name.
  mutating func merge(_ fields: Fields) {
    if list.isEmpty {
      list = fields.list
    } else {
      for field in fields.list { self[field.property] = field.value }
    }
  }

  /// Gives an object's properties the values of an operation or effect, of which null takes a value away.
  mutating func assign(_ fields: Fields) {
    for field in fields.list { self[field.property] = field.value.isNull ? nil : field.value }
  }

  /// The fields without nulls.
  var withoutNulls: Fields {
    let nulls = list.count { $0.value.isNull }
    if nulls == 0 { return self }
    var result = Fields()
    // Objects keep them: no more room than they need.
    result.list.reserveCapacity(list.count - nulls)
    for field in list where !field.value.isNull { result.list.append(field) }
    return result
  }

  /// The fields whose property satisfies a condition.
  func filter(_ isIncluded: (UID) -> Bool) -> Fields {
    // Usually all are included, and nothing is allocated.
    if list.allSatisfy({ isIncluded($0.property) }) { return self }
    var result = Fields()
    result.list = list.filter { isIncluded($0.property) }
    return result
  }

  /// The fields with other values, such as local ids of references; without those that get none.
  func compactMap<Other>(
    _ transform: (UID, SyncValue<ID>) throws -> SyncValue<Other>?
  ) rethrows -> Fields<Other> {
    var result = Fields<Other>()
    result.list.reserveCapacity(list.count)
    for field in list {
      guard let value = try transform(field.property, field.value) else { continue }
      result.list.append(.init(field.property, value))
    }
    return result
  }
}
