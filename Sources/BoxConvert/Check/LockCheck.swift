internal import BoxJSON
internal import BoxModel
internal import BoxReport

extension CatalogueCheck {
  /// Adds the findings of a comparison with the locked state.
  mutating func check(against lock: ConverterLock) {
    for property in lock.properties {
      let parts = property.name.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2,
        let binding = catalogue.binding(entity: parts[0], property: parts[1])
      else {
        add(
          ConverterRule.converterRemoved,
          "\(property.name) is in the lock and has no converter any more",
          "if that is meant, lock the catalogue again", at: nil)
        continue
      }
      compare(
        property.content, ConverterLock.Content(binding.definition), binding.definition, binding)
    }
    let locked = Set(lock.properties.map { foldedName($0.name) })
    for binding in catalogue.bindings where !locked.contains(foldedName(binding.name)) {
      add(
        ConverterRule.notLocked, "\(binding.name) is not in the lock",
        "run boxjoint converters lock", at: binding.position)
    }
  }

  private mutating func compare(
    _ old: ConverterLock.Content, _ new: ConverterLock.Content,
    _ definition: ConverterDefinition, _ binding: Catalogue.Binding
  ) {
    switch (old, new) {
    case (.cases(let oldType, let cases, let retired), .cases(let newType, _, _))
    where oldType == newType:
      var current = Enumeration([])
      switch definition.kind {
      case .enumeration(let enumeration): current = enumeration
      case .optionSet(let options): current = options
      default: break
      }
      compare(cases, retired, current, definition, binding)
    case (.list(let old), .list(let new)):
      guard case .list(_, let element?) = definition.kind else { return }
      compare(old, new, element, binding)
    case (.chain(let first, let second), .chain(let newFirst, let newSecond)):
      guard case .chain(let left, let right) = definition.kind else { return }
      compare(first, newFirst, left, binding)
      compare(second, newSecond, right, binding)
    default:
      if old.json.text(indent: 0) == new.json.text(indent: 0) { return }
      add(
        ConverterRule.converterChanged,
        "\(binding.name) was \(old.words) and is \(new.words), so stored values are read in another "
          + "way", "convert the stored values into a property of their own",
        at: definition.position ?? binding.position)
    }
  }

  private mutating func compare(
    _ oldCases: [EnumerationCase], _ oldRetired: [EnumerationCase], _ current: Enumeration,
    _ definition: ConverterDefinition, _ binding: Catalogue.Binding
  ) {
    let all = current.cases + current.retired
    let place = definition.position ?? binding.position
    for item in oldCases {
      let named = all.first { $0.name.hasSameBytes(as: item.name) }
      let owner = all.first { RawKey($0.raw) == RawKey(item.raw) }
      if let named {
        if RawKey(named.raw) != RawKey(item.raw) {
          add(
            ConverterRule.caseRenumbered,
            "\(item.name) of \(binding.name) had the raw value \(item.raw) and has \(named.raw)",
            "give it back its raw value; stored objects have it", at: named.position ?? place)
        }
      } else if let owner {
        if current.aliases.contains(where: { $0.alias.hasSameBytes(as: item.name) }) { continue }
        if current.retired.contains(owner) {
          addRenamedRetirement(item, owner, binding, at: owner.position ?? place)
          continue
        }
        add(
          ConverterRule.caseRenamed,
          "the raw value \(item.raw) of \(binding.name) was \(item.name) and is \(owner.name)",
          "name \(item.name) in aliases, so that earlier dumps can be read; if it means something "
            + "else now, take a new raw value", at: owner.position ?? place)
      } else {
        add(
          ConverterRule.caseRemoved,
          "\(item.name) of \(binding.name) (raw value \(item.raw)) is gone and not retired",
          "name it in retired, so that its raw value never means something else", at: place)
      }
    }
    for item in oldRetired {
      let key = RawKey(item.raw)
      if let heir = current.retired.first(where: { RawKey($0.raw) == key }) {
        if heir.name.hasSameBytes(as: item.name) { continue }
        addRenamedRetirement(item, heir, binding, at: heir.position ?? place)
      } else if let owner = current.cases.first(where: { RawKey($0.raw) == key }) {
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
