internal import BoxConvert
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxSources

/// The stored enums of a target, as the catalogue of converters that the command line reads, and its lock.
struct EnumCatalogue {
  /// The violations of rules: enums that would give stored values another meaning.
  private(set) var findings: [Finding] = []
  /// The catalogue, with positions that are marks of places in the sources; nil after an error.
  private(set) var catalogue: Catalogue?
  private var types: [CatalogueType] = []
  private var bindings: [Binding] = []
  /// The types of the properties with unsigned raw values, which model files may call signed.
  private var storedTypes: [ExactText: StoredType] = [:]
  private var places = PlaceMarks()

  /// An enum with the cases that earlier versions of it had.
  private struct CatalogueType {
    let name: String
    let declared: StoredEnum
    /// Whether the raw values differ from the sources, because properties of the other sign store their bits.
    let hasOtherSign: Bool
    var cases: Enumeration
  }

  private struct Binding {
    let property: String
    let type: Int
    /// Whether the property has a list of the enum.
    let isList: Bool
    let place: SourcePlace
  }

  /// Collects the enums, and compares them with what was locked.
  ///
  /// - Parameters:
  ///   - entities: The entities, with the signs that their properties have in the model file.
  ///   - enums: The enums of the sources, by the spellings of their types.
  ///   - locked: The lock of an earlier run, with the current names of its properties, if any.
  ///   - allowsRenumbering: Whether an enum may give stored values another meaning.
  init(
    _ entities: [SourceEntity], _ enums: [String: StoredEnum], locked: ConverterLock?,
    allowsRenumbering: Bool
  ) {
    collect(entities, enums)
    let locked = locked?.stored(as: storedTypes)
    if let locked { complete(by: locked) }
    do throws(CatalogueError) {
      let catalogue = try Catalogue(node())
      if let locked, !allowsRenumbering { check(catalogue, locked) }
      if findings.contains(where: { $0.severity == .error }) { return }
      self.catalogue = catalogue
    } catch {
      report(GeneratorRule.lock, error.position, error.message, "Store fewer cases")
    }
  }

  private mutating func collect(_ entities: [SourceEntity], _ enums: [String: StoredEnum]) {
    var positions: [PositionKey: Int] = [:]
    for entity in entities {
      for property in entity.properties {
        guard let (type, raw) = property.storedEnum, let found = enums[type],
          !found.cases.isEmpty
        else { continue }
        let label = "\(entity.name).\(property.name)"
        let declared = found.cases.map(\.item)
        var cases = declared
        if raw.isUnsigned, let stored = StoredType(property.storedType, property.flags) {
          storedTypes[ExactText(label)] = stored
          cases = declared.map { $0.stored(as: stored) }
        }
        let key = PositionKey(name: type.withoutBackticks, hasOtherSign: cases != declared)
        let position = positions[key] ?? types.count
        if position == types.count {
          positions[key] = position
          for index in cases.indices {
            cases[index].position = places.mark(found.cases[index].place)
          }
          types.append(
            CatalogueType(
              name: key.name, declared: found, hasOtherSign: key.hasOtherSign,
              cases: Enumeration(cases)))
        }
        bindings.append(
          Binding(
            property: label, type: position, isList: property.listedEnum != nil,
            place: property.place))
      }
    }
    bindings.sort { $0.property < $1.property }
  }

  private struct PositionKey: Hashable {
    let name: String
    let hasOtherSign: Bool
  }

  // MARK: - Earlier cases

  private mutating func complete(by locked: ConverterLock) {
    let known = Set(locked.properties.flatMap(\.aliases))
    for binding in bindings {
      let before = types[binding.type].cases.aliases.count
      let cases = locked.completing(types[binding.type].cases, of: binding.property)
      types[binding.type].cases = cases
      for alias in cases.aliases[before...] where !known.contains(alias.alias) {
        report(
          ConverterRule.caseRenamed,
          cases.cases.first { $0.name.hasSameBytes(as: alias.name) }?.position,
          "\(alias.alias) of \(binding.property) is now \(alias.name)",
          "Stored values and dumps with \(alias.alias) are read as \(alias.name); if it means something "
            + "else, give it a raw value of its own")
      }
    }
  }

  private mutating func check(_ catalogue: Catalogue, _ locked: ConverterLock) {
    for finding in catalogue.check(model: nil, lock: locked, path: "")
    where finding.severity == .error {
      let position = finding.region.map { JSONPosition(line: $0.line, column: $0.column) }
      report(
        finding.rule, position, finding.message,
        "Stored objects have its earlier raw value: give it back, and new cases a new one; if no object "
          + "has been stored, pass --allow-renumbering")
    }
  }

  private mutating func report(
    _ rule: Rule, _ position: JSONPosition?, _ message: String, _ advice: String
  ) {
    guard let place = position.flatMap({ places[$0] }) ?? bindings.first?.place else { return }
    findings.append(Finding(rule, at: place, message, advice: advice))
  }

  // MARK: - Content

  private mutating func node() -> CatalogueNode {
    func definition(_ type: CatalogueType) -> CatalogueNode.Content {
      .mapping(
        [.init(key: "type", position: nil, value: CatalogueNode(.text("enum")))]
          + type.cases.members)
    }
    var members: [CatalogueNode.Member] = []
    let named = types.filter { !$0.hasOtherSign }.sorted { $0.name < $1.name }
    if !named.isEmpty {
      let types = named.map { type in
        CatalogueNode.Member(
          key: type.name, position: places.mark(type.declared.place),
          value: CatalogueNode(definition(type)))
      }
      members.append(.init(key: "types", position: nil, value: CatalogueNode(.mapping(types))))
    }
    let properties = bindings.map { binding in
      let position = places.mark(binding.place)
      let type = types[binding.type]
      // The sources name the enum by its raw values.
      let element = type.hasOtherSign ? definition(type) : .text(type.name)
      let value = binding.isList ? Self.list(of: element) : element
      return CatalogueNode.Member(
        key: binding.property, position: position,
        value: CatalogueNode(value, position: position))
    }
    members.append(
      .init(key: "properties", position: nil, value: CatalogueNode(.mapping(properties))))
    return CatalogueNode(.mapping(members))
  }
}

extension EnumCatalogue {
  /// A list of elements.
  private static func list(of element: CatalogueNode.Content) -> CatalogueNode.Content {
    .mapping([
      .init(key: "type", position: nil, value: CatalogueNode(.text("list"))),
      .init(key: "of", position: nil, value: CatalogueNode(element)),
    ])
  }
}

/// Numbers that stand for places in several files where a catalogue has positions in one.
private struct PlaceMarks {
  private var places: [SourcePlace] = []

  mutating func mark(_ place: SourcePlace) -> JSONPosition {
    places.append(place)
    return JSONPosition(line: places.count, column: 1)
  }

  subscript(position: JSONPosition) -> SourcePlace? {
    places.indices.contains(position.line - 1) ? places[position.line - 1] : nil
  }
}

extension Enumeration {
  /// The settings of the enum in a catalogue, those that it has.
  fileprivate var members: [CatalogueNode.Member] {
    func entry(_ item: EnumerationCase) -> CatalogueNode.Member {
      let raw: CatalogueNode.Content =
        switch item.raw {
        case .integer(let integer): .integer(integer)
        case .text(let text): .text(text)
        }
      return .init(key: item.name, position: item.position, value: CatalogueNode(raw))
    }
    let parts = [
      ("values", cases.map(entry)), ("retired", retired.map(entry)),
      (
        "aliases",
        aliases.map {
          .init(key: $0.alias, position: nil, value: CatalogueNode(.text($0.name)))
        }
      ),
    ]
    return parts.filter { !$0.1.isEmpty }.map {
      .init(key: $0.0, position: nil, value: CatalogueNode(.mapping($0.1)))
    }
  }
}

extension ConverterLock.Property {
  /// The earlier names that are locked.
  fileprivate var aliases: [String] {
    cases?.aliases.map(\.name) ?? []
  }
}
