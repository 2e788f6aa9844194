internal import BoxConvert
internal import BoxJSON
internal import BoxModel

/// The type that fits all values of a member, and the reason.
struct InferredType {
  /// The conversion that the values need.
  enum Form: String {
    /// None: the type reads them as they are.
    case plain
    /// The converter for JSON in a text.
    case json
    /// The converter for decimal numbers in a text.
    case decimal
    /// The JSON as a text without a converter, made by a mapping.
    case text
    /// A text, or the digits of a number, made by a mapping.
    case digits

    /// The change of the JSON by a mapping; nil if it needs none.
    var shape: String? {
      switch self {
      case .text: EntityMapping.Shape.json.rawValue
      case .digits: EntityMapping.Shape.text.rawValue
      case .plain, .json, .decimal: nil
      }
    }
  }

  var type: PropertyType
  var flags: PropertyFlags = []
  var form = Form.plain
  var reason: String
  /// The places that show the reason, where the first value does not.
  var places: [InferencePlace] = []
}

extension MemberFacts {
  /// Whether its fields are numbers, and some of them would become one value.
  var areAmbiguousNumbers: Bool {
    isDelimited && !valueKinds.isEmpty && valueKinds.isSubset(of: .numbers)
      && numbers.areAmbiguous(valueKinds)
  }

  /// Whether its fields are numbers with as many decimals each, some of which end in zero.
  var haveFixedDecimals: Bool {
    isDelimited && valueKinds == .fraction && !numbers.areAsDoubles
      && !numbers.areAmbiguous(valueKinds) && numbers.unusual > 0
  }

  /// The type that the user has chosen.
  func chosenType(_ type: PropertyType) -> InferredType {
    let isText = type == .string && !isDelimited && !valueKinds.isSubset(of: .string)
    return InferredType(type: type, form: isText ? .json : .plain, reason: "as --type says")
  }

  /// Decides on the type of the member.
  func inferredType() -> InferredType {
    if areAmbiguousNumbers {
      return InferredType(
        type: .string, reason: "numbers, some with a zero or an exponent at the end, as text")
    }
    var type = typeOfJSON()
    // A field is a text, and needs no converter to come back.
    if isDelimited, type.form != .plain { type.form = .plain }
    return type
  }

  private func typeOfJSON() -> InferredType {
    switch valueKinds {
    case []:
      return InferredType(type: .string, reason: "null in every object: a guess")
    case .bool: return InferredType(type: .bool, reason: "booleans")
    case .integer, .numbers, .fraction: return numberType()
    case .string: return textType()
    case .array: return listType()
    case .object:
      if hasRawForm {
        return InferredType(
          type: .string, form: .text, reason: "objects, some with the key \"raw\", as JSON text")
      }
      return InferredType(
        type: .string, form: .json,
        reason: isMap
          ? "objects with more than \(FactsReader.maximumNestedMembers) different keys, as JSON text"
          : "objects, as JSON text")
    default: return mixedType()
    }
  }

  private func numberType() -> InferredType {
    if valueKinds == .integer, !numbers.exceeds64Bits {
      if !numbers.needsUnsigned {
        return InferredType(type: .long, reason: numbers.range)
      }
      if numbers.minimum >= 0 {
        return InferredType(
          type: .long, flags: .unsigned, reason: "integers of 64 bits without a sign")
      }
    }
    if valueKinds.contains(.fraction), !numbers.exceedsDouble {
      return InferredType(
        type: .double,
        reason: valueKinds.contains(.integer)
          ? "integers, and numbers with a fraction" : "numbers with a fraction")
    }
    if numbers.hasSpecial {
      return InferredType(
        type: .string, form: .json,
        reason: "numbers, some that a double does not hold and some infinite, as JSON text")
    }
    return InferredType(
      type: .string, form: .decimal,
      reason: valueKinds == .integer
        ? "integers that 64 bits do not hold, as text"
        : "numbers with more digits than a double has, as text")
  }

  private func textType() -> InferredType {
    guard dates.areDates else {
      return InferredType(
        type: .string,
        reason: dates.hasOffset
          ? "times with an offset from UTC, which a date would lose" : "texts")
    }
    if !dates.hasTime {
      return InferredType(type: .date, reason: "dates, stored as their midnight in UTC")
    }
    if dates.digits <= 3 { return InferredType(type: .date, reason: "times in UTC") }
    if dates.exceedsNanoseconds {
      return InferredType(
        type: .string, reason: "times that 64 bits of nanoseconds do not hold")
    }
    return InferredType(
      type: .dateNano, reason: "times in UTC with up to \(dates.digits) digits of a fraction")
  }

  private func listType() -> InferredType {
    let counts =
      lists.minimumCount == lists.maximumCount
      ? "lists of \(lists.maximumCount) "
      : "lists of \(lists.minimumCount) to \(lists.maximumCount) "
    switch lists.kinds {
    case []: return InferredType(type: .stringVector, reason: "empty lists: a guess")
    case .string: return InferredType(type: .stringVector, reason: counts + "texts")
    case .bool: return InferredType(type: .boolVector, reason: counts + "booleans")
    case .integer where !lists.numbers.exceeds64Bits && !lists.numbers.needsUnsigned:
      return InferredType(type: .longVector, reason: counts + lists.numbers.range)
    case .integer where !lists.numbers.exceeds64Bits && lists.numbers.minimum >= 0:
      return InferredType(
        type: .longVector, flags: .unsigned, reason: counts + "integers without a sign")
    case .fraction, .numbers:
      if lists.numbers.exceedsDouble { break }
      let isEmbedding = lists.minimumCount == lists.maximumCount && lists.maximumCount >= 16
      if isEmbedding, !lists.numbers.exceedsFloat {
        return InferredType(
          type: .floatVector, reason: counts + "numbers with few digits, as of an embedding")
      }
      return InferredType(type: .doubleVector, reason: counts + "numbers")
    default: break
    }
    return InferredType(
      type: .string, form: .json, reason: "lists of \(lists.kinds.words), as JSON text")
  }

  private func mixedType() -> InferredType {
    let found = ValueKinds.names.filter { valueKinds.contains($0.kind) }
      .compactMap { kind in place(of: kind.kind).map { (kind.one, $0) } }
      .sorted { $0.1 < $1.1 }
    if isDelimited, valueKinds.contains(.string), place(of: .string) == nil {
      return InferredType(
        type: .string, reason: "values in quotes, as text", places: found.map(\.1))
    }
    let places = found.map { "\($0.0) in line \($0.1.position.line)" }
    return InferredType(
      type: .string, form: hasRawForm ? .text : .json,
      reason: (isDelimited ? "mixed, as text: " : "mixed, as JSON text: ")
        + places.joined(separator: ", "), places: found.map(\.1))
  }
}

extension NumberFacts {
  /// The integers in words.
  fileprivate var range: String {
    minimum == maximum ? "integers, all \(minimum)" : "integers from \(minimum) to \(maximum)"
  }
}

extension ValueKinds {
  /// The kinds in words.
  fileprivate var words: String {
    let words = Self.names.filter { contains($0.kind) }.map(\.many)
    guard words.count > 1, let last = words.last else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
