package import BoxJSON
internal import BoxModel

/// The lock of a catalogue that is made from the sources of a program.
extension ConverterLock {
  /// An enum of source code together with the cases that it had earlier.
  ///
  /// Source code states the current cases. A case that it no longer has is retired, and one whose raw value
  /// has another name becomes an alias of that name. A case whose change would give stored values another
  /// meaning is left out, so that a check of the catalogue reports it.
  ///
  /// - Parameters:
  ///   - enumeration: The enum as the sources have it, or as the lock of another property has completed it.
  ///   - property: The locked property, as `Entity.property`.
  /// - Returns: The enum with retired cases and aliases.
  /// - Complexity: O(*n*) in the number of cases, and in the number of locked properties.
  package func completing(_ enumeration: Enumeration, of property: String) -> Enumeration {
    let name = foldedName(property)
    guard let locked = properties.first(where: { foldedName($0.name) == name }),
      let earlier = locked.cases
    else { return enumeration }
    var completion = EnumerationCompletion(enumeration)
    for item in earlier.cases { completion.add(item, as: .inUse) }
    for item in earlier.retired { completion.add(item, as: .retired) }
    for item in earlier.aliases { completion.add(item, as: .alias) }
    return completion.enumeration
  }

  /// The lock with the raw values of enums as their properties store them, with the same bits.
  ///
  /// - Parameter types: The types of the properties, by `Entity.property`.
  /// - Returns: The lock, whose other properties are as they were.
  /// - Complexity: O(*n*) in the size of the lock and the number of types.
  package func stored(as types: [ExactText: StoredType]) -> ConverterLock {
    if types.isEmpty { return self }
    let types = Dictionary(types.map { (foldedName($0.key.text), $0.value) }) { first, _ in first }
    var result = self
    result.properties = properties.map { locked in
      guard case .cases(var cases) = locked.content, let type = types[foldedName(locked.name)]
      else { return locked }
      cases.cases = cases.cases.map { $0.stored(as: type) }
      cases.retired = cases.retired.map { $0.stored(as: type) }
      cases.aliases = cases.aliases.map { $0.stored(as: type) }
      return Property(name: locked.name, content: .cases(cases))
    }
    return result
  }

  /// The path of the lock of a catalogue: beside it, with its name and the ending `lock`.
  ///
  /// For a catalogue in a configuration file, whose name begins with a dot, it is `converters.lock`.
  package static func path(beside catalogue: String) -> String {
    let name = catalogue.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let directory = catalogue.dropLast(name.count)
    guard let first = name.first, first != "." else { return directory + "converters.lock" }
    for ending in [".yml", ".yaml", ".json"] where name.hasSuffix(ending) {
      return catalogue.dropLast(ending.count) + ".lock"
    }
    return catalogue + ".lock"
  }
}

extension ConverterLock.Property {
  /// The cases of an enum, or of the elements of a list; nil for another converter.
  package var cases: ConverterLock.Cases? {
    switch content {
    case .cases(let cases), .list(.cases(let cases)): cases
    default: nil
    }
  }
}

extension EnumerationCase {
  /// The case with the raw value that a property stores for it, with the same bits.
  package func stored(as type: StoredType) -> EnumerationCase {
    guard case .integer(let integer) = raw else { return self }
    var result = self
    result.raw = .integer(type.sameBits(integer))
    return result
  }
}

/// An enum to which earlier cases are added.
private struct EnumerationCompletion {
  enum Role { case inUse, retired, alias }

  private(set) var enumeration: Enumeration
  private var names: Set<ExactText>
  private var owners: [RawKey: String]
  private var retired: Set<RawKey>

  init(_ enumeration: Enumeration) {
    self.enumeration = enumeration
    names = Set((enumeration.cases + enumeration.retired).map { ExactText($0.name) })
    names.formUnion(enumeration.aliases.map { ExactText($0.alias) })
    owners = Dictionary(enumeration.cases.map { (RawKey($0.raw), $0.name) }) { first, _ in first }
    retired = Set(enumeration.retired.map { RawKey($0.raw) })
  }

  mutating func add(_ item: EnumerationCase, as role: Role) {
    let (name, raw) = (ExactText(item.name), RawKey(item.raw))
    if names.contains(name) { return }
    if let owner = owners[raw] {
      // A retired value that is used again is not a case under another name.
      if role == .retired { return }
      enumeration.aliases.append(Enumeration.Alias(item.name, for: owner))
    } else {
      // The case of an alias is retired under its own name.
      guard role != .alias, retired.insert(raw).inserted else { return }
      enumeration.retired.append(EnumerationCase(item.name, item.raw))
    }
    names.insert(name)
  }
}
