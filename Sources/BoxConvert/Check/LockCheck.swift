internal import BoxJSON
internal import BoxModel
internal import BoxReport

extension CatalogueCheck {
  /// Adds the findings of a comparison with the locked state.
  mutating func check(against lock: ConverterLock) {
    for property in lock.properties {
      guard let binding = catalogue.binding(named: property.name)
      else {
        add(
          ConverterRule.converterRemoved,
          "\(property.name) is in the lock and no longer has a converter",
          "if that is meant, run `boxjoint converters lock`", at: nil)
        continue
      }
      compare(
        property.content, ConverterLock.Content(binding.definition), binding.definition, binding)
    }
  }

  /// Adds the findings about what the lock does not have: nothing protects it yet.
  mutating func checkIsLocked(in lock: ConverterLock) {
    let positions = lock.positions
    for binding in catalogue.bindings {
      if let position = positions[foldedName(binding.name)] {
        checkIsLocked(binding.definition, in: lock.properties[position].content, binding)
      } else {
        add(
          ConverterRule.notLocked, "\(binding.name) is not in the lock",
          "run `boxjoint converters lock`", at: binding.position)
      }
    }
  }

  private mutating func checkIsLocked(
    _ definition: ConverterDefinition, in content: ConverterLock.Content,
    _ binding: Catalogue.Binding
  ) {
    switch (definition.kind, content) {
    case (.enumeration(let current), .cases(let locked)),
      (.optionSet(let current), .cases(let locked)):
      checkIsLocked(current, in: locked, binding, definition.position ?? binding.position)
    case (.list(_, let element?), .list(let locked)): checkIsLocked(element, in: locked, binding)
    case (.chain(let first, let second), .chain(let left, let right)):
      checkIsLocked(first, in: left, binding)
      checkIsLocked(second, in: right, binding)
    default: break
    }
  }

  private mutating func compare(
    _ old: ConverterLock.Content, _ new: ConverterLock.Content,
    _ definition: ConverterDefinition, _ binding: Catalogue.Binding
  ) {
    switch (old, new) {
    case (.cases(let locked), .cases(let new)) where locked.type == new.type:
      var current = Enumeration([])
      switch definition.kind {
      case .enumeration(let enumeration): current = enumeration
      case .optionSet(let options): current = options
      default: break
      }
      compare(locked, current, definition, binding)
    case (.list(let old), .list(let new)):
      guard case .list(_, let element?) = definition.kind else { return }
      compare(old, new, element, binding)
    case (.chain(let first, let second), .chain(let newFirst, let newSecond)):
      guard case .chain(let left, let right) = definition.kind else { return }
      compare(first, newFirst, left, binding)
      compare(second, newSecond, right, binding)
    default:
      if old.json.text(indent: 0).hasSameBytes(as: new.json.text(indent: 0)) { return }
      add(
        ConverterRule.converterChanged,
        "\(binding.name) was \(old.words) and is \(new.words), so stored values are read in another "
          + "way", "convert the stored values into a property of their own",
        at: definition.position ?? binding.position)
    }
  }

  private mutating func compare(
    _ locked: ConverterLock.Cases, _ current: Enumeration, _ definition: ConverterDefinition,
    _ binding: Catalogue.Binding
  ) {
    let index = CaseIndex(current)
    let place = definition.position ?? binding.position
    for item in locked.cases { compare(item, index, binding, place) }
    for item in locked.aliases { compareAlias(item, index, binding, place) }
    for item in locked.retired {
      if let successor = index.retired(item.raw) {
        if successor.name.hasSameBytes(as: item.name) { continue }
        addRenamedRetirement(item, successor, binding, at: successor.position ?? place)
      } else if let owner = index.inUse(item.raw) {
        // A case that comes back as what it was harms nobody.
        if owner.name.hasSameBytes(as: item.name) { continue }
        add(
          ConverterRule.retiredReused,
          "the raw value \(item.raw) of \(binding.name) was \(item.name), is retired, and is used "
            + "for \(owner.name)", "take a new raw value", at: owner.position ?? place)
      } else {
        add(
          ConverterRule.retirementLost,
          "\(item.name) of \(binding.name) (raw value \(item.raw)) is retired no longer",
          "put it back into retired", at: place)
      }
    }
  }

  /// Compares a case that was in use with what its name and its raw value mean now.
  private mutating func compare(
    _ item: EnumerationCase, _ index: CaseIndex, _ binding: Catalogue.Binding,
    _ place: JSONPosition?
  ) {
    if let raw = index.raw(of: item.name) {
      if RawKey(raw) == RawKey(item.raw) { return }
      add(
        ConverterRule.caseRenumbered,
        "\(item.name) of \(binding.name) had the raw value \(item.raw) and has \(raw)",
        "give it back its raw value; stored objects have it",
        at: index.item(named: item.name)?.position ?? place)
      return
    }
    if let owner = index.retired(item.raw) {
      if owner.name.hasSameBytes(as: item.name) { return }
      addRenamedRetirement(item, owner, binding, at: owner.position ?? place)
    } else if let owner = index.inUse(item.raw) {
      add(
        ConverterRule.caseRenamed,
        "the raw value \(item.raw) of \(binding.name) was \(item.name) and is \(owner.name)",
        "name \(item.name) in aliases, so that earlier dumps can be read; if it means something "
          + "else now, take a new raw value", at: owner.position ?? place)
    } else {
      add(
        ConverterRule.caseRemoved,
        "\(item.name) of \(binding.name) (raw value \(item.raw)) was removed and is not retired",
        "name it in retired, so that its raw value never means something else", at: place)
    }
  }

  /// Compares a further name with what it means now.
  private mutating func compareAlias(
    _ item: EnumerationCase, _ index: CaseIndex, _ binding: Catalogue.Binding,
    _ place: JSONPosition?
  ) {
    guard let raw = index.raw(of: item.name) else {
      add(
        ConverterRule.caseRenamed,
        "\(item.name) was an alias for the raw value \(item.raw) of \(binding.name), and was removed",
        "name it in aliases, so that earlier dumps can be read", at: place)
      return
    }
    if RawKey(raw) == RawKey(item.raw) { return }
    add(
      ConverterRule.caseRenumbered,
      "\(item.name) of \(binding.name) was an alias for the raw value \(item.raw) and stands for "
        + "\(raw)", "keep its raw value; earlier dumps contain the name",
      at: index.item(named: item.name)?.position ?? place)
  }

  private mutating func checkIsLocked(
    _ current: Enumeration, in locked: ConverterLock.Cases, _ binding: Catalogue.Binding,
    _ place: JSONPosition?
  ) {
    let index = CaseIndex(locked)
    let cases = (current.cases + current.retired).filter { !index.knows($0) }
    let aliases = current.aliases.filter { index.raw(of: $0.alias) == nil }
    let names = cases.map(\.name) + aliases.map(\.alias)
    if names.isEmpty { return }
    let shown = names.prefix(5).joined(separator: ", ")
    let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
    add(
      ConverterRule.notLocked,
      "\(shown)\(rest) of \(binding.name) \(names.count == 1 ? "is" : "are") not in the lock",
      "run `boxjoint converters lock`", at: cases.first?.position ?? place)
  }

  /// Adds the finding about a raw value that is retired under another name: locked so, it could come
  /// back with that name and its meaning.
  private mutating func addRenamedRetirement(
    _ old: EnumerationCase, _ new: EnumerationCase, _ binding: Catalogue.Binding,
    at position: JSONPosition?
  ) {
    add(
      ConverterRule.retiredReused,
      "the raw value \(old.raw) of \(binding.name) was \(old.name) and is retired as \(new.name)",
      "retire it under the name \(old.name)", at: position)
  }
}

extension ConverterLock.Content {
  /// The converter in a message.
  fileprivate var words: String { json.text(indent: 0) }
}
