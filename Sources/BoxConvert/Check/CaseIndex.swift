internal import BoxJSON

/// The cases of an enum or of a set of options by name and by raw value.
struct CaseIndex {
  private var named: [ExactText: EnumerationCase] = [:]
  private var inUse: [RawKey: EnumerationCase] = [:]
  private var retired: [RawKey: EnumerationCase] = [:]
  private var aliases: [ExactText: RawValue] = [:]

  /// - Complexity: O(*n*) in the number of names.
  init(_ enumeration: Enumeration) {
    for item in enumeration.cases { add(item, to: \.inUse) }
    for item in enumeration.retired { add(item, to: \.retired) }
    for alias in enumeration.aliases {
      aliases[ExactText(alias.alias)] = named[ExactText(alias.name)]?.raw
    }
  }

  /// - Complexity: O(*n*) in the number of names.
  init(_ locked: ConverterLock.Cases) {
    for item in locked.cases { add(item, to: \.inUse) }
    for item in locked.retired { add(item, to: \.retired) }
    for alias in locked.aliases { aliases[ExactText(alias.name)] = alias.raw }
  }

  /// Of two cases with one name or one raw value the first counts.
  private mutating func add(
    _ item: EnumerationCase, to list: WritableKeyPath<CaseIndex, [RawKey: EnumerationCase]>
  ) {
    let name = ExactText(item.name)
    if named[name] == nil { named[name] = item }
    let raw = RawKey(item.raw)
    if self[keyPath: list][raw] == nil { self[keyPath: list][raw] = item }
  }

  /// The case of a name, in use or retired.
  func item(named name: String) -> EnumerationCase? { named[ExactText(name)] }

  /// The case in use of a raw value.
  func inUse(_ raw: RawValue) -> EnumerationCase? { inUse[RawKey(raw)] }

  /// The retired case of a raw value.
  func retired(_ raw: RawValue) -> EnumerationCase? { retired[RawKey(raw)] }

  /// The raw value of a case or an alias.
  func raw(of name: String) -> RawValue? {
    item(named: name)?.raw ?? aliases[ExactText(name)]
  }

  /// Whether something has the name or the raw value.
  func knows(_ item: EnumerationCase) -> Bool {
    raw(of: item.name) != nil || inUse(item.raw) != nil || retired(item.raw) != nil
  }
}
