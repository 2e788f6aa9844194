internal import BoxConvert
internal import BoxJSON
internal import BoxModel

/// A member whose values one property stores: a member of the objects, or of their nested objects.
struct Leaf {
  /// The path of keys to the member.
  let path: [String]
  let facts: MemberFacts

  /// The keys in one name, such as `customer_city`.
  var name: String { path.joined(separator: "_") }

  /// The members of objects; if nested objects are flattened, their members replace them.
  static func all(of objects: ObjectFacts, flattening: Bool, below path: [String] = []) -> [Leaf] {
    objects.members.flatMap { member -> [Leaf] in
      let path = path + [member.key]
      // A mapping takes apart 32 levels.
      guard flattening, path.count < 32, member.valueKinds == .object, let nested = member.nested,
        !nested.members.isEmpty
      else { return [Leaf(path: path, facts: member)] }
      return all(of: nested, flattening: true, below: path)
    }
  }

  func member(_ name: String, _ type: InferredType) -> InferredModel.Member {
    var words = "\(type.type)"
    if type.flags.contains(.unsigned) { words += ", unsigned" }
    if type.flags.contains(.unique) {
      words += ", unique"
    } else if type.flags.isIndexed {
      words += ", indexed"
    }
    let places = type.places.isEmpty ? [facts.firstPlace].compactMap { $0 } : type.places
    return InferredModel.Member(
      name: name, source: JSONPointer(parts: path), type: words,
      converter: type.form == .json || type.form == .decimal ? type.form.rawValue : nil,
      values: facts.values, reason: type.reason, places: places)
  }
}

/// The names of the members of an entity, which differ in more than their case.
struct MemberNames {
  private var used: Set<ExactText> = []
  /// The number to append next to a name that is taken.
  private var numbers: [ExactText: Int] = [:]

  /// Whether a member has the name of an id that an inference adds beside a member `id`.
  static func isAddedID(_ key: String) -> Bool {
    let folded = foldedName(key).text
    guard folded.hasPrefix("objectid") else { return false }
    let rest = folded.dropFirst("objectid".count)
    return rest.isEmpty || rest.hasPrefix("_") && Int(rest.dropFirst()) != nil
  }

  mutating func reserve(_ name: String) { used.insert(foldedName(name)) }
  mutating func release(_ name: String) {
    used.remove(foldedName(name))
    numbers = [:]
  }

  /// A free name: the name in the input if possible.
  mutating func name(for key: String) -> String {
    // Catalogues and conditions separate names with dots, also those in front of an accent.
    let base = key.isEmpty ? "_" : key.splitAtPeriods().joined(separator: "_")
    let folded = foldedName(base)
    if used.insert(folded).inserted { return base }
    var number = numbers[folded] ?? 2
    while !used.insert(foldedName("\(base)_\(number)")).inserted { number += 1 }
    numbers[folded] = number + 1
    return "\(base)_\(number)"
  }
}

extension MemberFacts {
  /// The objects in the values, if each can be an object of another entity, and whether they are in lists;
  /// nil for other values.
  var parts: (objects: ObjectFacts, areInLists: Bool)? {
    if isMap { return nil }
    switch valueKinds {
    case .object: return nested.map { ($0, false) }
    case .array where lists.kinds == .object: return lists.nested.map { ($0, true) }
    default: return nil
    }
  }

  /// The reason why the member cannot be the id; nil if it can.
  func problemAsID(of objects: ObjectFacts) -> String? {
    if kinds.subtracting(.null) != .integer { return "it has \(inferredType().reason)" }
    if values < objects.count { return "\(objects.count - values) objects have no value for it" }
    if numbers.minimum < 1 { return "it has the value \(numbers.minimum)" }
    if numbers.needsUnsigned || numbers.exceeds64Bits { return "a value is above 2^63 - 1" }
    if values > 1, !isDistinct {
      return distinction == .unknown
        ? "there are too many values to compare" : "a value occurs twice"
    }
    return nil
  }
}
