public import BoxJSON
public import BoxModel

/// The bindings of properties to converters and of foreign JSON to entities: the content of
/// `converters.yml`, or of the key `converters` in `.boxjoint.yml`.
public struct Catalogue: ConverterSource, Sendable {
  /// A property and its converter.
  public struct Binding: ConverterBinding, Hashable, Sendable {
    /// The name of the entity.
    public let entity: String
    /// The name of the property.
    public let property: String
    /// The place of the name in the file.
    public let position: JSONPosition?
    /// The converter.
    public let definition: ConverterDefinition

    /// `Entity.property`, with a name in backquotes that has periods of its own.
    public var name: String { Catalogue.name(entity, property) }
  }

  /// The bound properties, in the order of the file.
  public let bindings: [Binding]
  /// The mappings of foreign JSON, in the order of the file.
  public let mappings: [EntityMapping]
  /// The content of the file that the catalogue was read from.
  public let node: CatalogueNode
  /// The converters of the application.
  public var registry: ConverterRegistry

  private let positions: [ExactText: Int]
  private let mappingPositions: [ExactText: Int]

  /// A catalogue that binds nothing.
  public static let empty = Catalogue()

  private init() {
    (bindings, mappings, positions, mappingPositions) = ([], [], [:], [:])
    node = CatalogueNode(.mapping([]))
    registry = ConverterRegistry()
  }

  /// The most cases that the enums of all properties may have together.
  ///
  /// A named type counts for each property that uses it, as each has a converter of its own: without
  /// a limit a small file could ask for the memory of its square.
  public static let maximumCases = 1_000_000

  /// Reads a catalogue from a parsed file.
  ///
  /// - Parameters:
  ///   - node: The content of the file.
  ///   - registry: The converters of the application, for converters of the type `registered`.
  /// - Throws: ``CatalogueError`` with the first thing that is wrong.
  /// - Complexity: O(*n*) in the size of the file.
  public init(
    _ node: CatalogueNode, registry: ConverterRegistry = ConverterRegistry()
  ) throws(CatalogueError) {
    self.node = node
    self.registry = registry
    let members = try node.members(of: "a catalogue", keys: ["types", "properties", "mappings"])
    func value(_ key: String) -> CatalogueNode? { members.first { $0.key == key }?.value }
    let reader = try DefinitionReader(
      types: try value("types")?.members(of: "'types'") ?? [])
    var bindings: [Binding] = []
    var cases = 0
    for member in try value("properties")?.members(of: "'properties'") ?? [] {
      let names = NamePath(reading: member.key).names
      guard names.count == 2, !names.contains("") else {
        let advice = names.count > 2 ? ", with a name in backquotes that has periods" : ""
        throw CatalogueError(
          "'\(member.key)' is not a property; write Entity.property\(advice)", at: member.position)
      }
      var definition = try reader.definition(member.value)
      cases += definition.caseCount
      guard cases <= Self.maximumCases else {
        throw CatalogueError(
          "the properties have more than \(Self.maximumCases) cases together, counting a named type "
            + "once for each property", at: member.position)
      }
      // For a mapping, people look for the name of its member.
      if case .mapping = member.value.content { definition.position = member.position }
      bindings.append(
        Binding(
          entity: names[0], property: names[1], position: member.position,
          definition: definition))
    }
    var mappings: [EntityMapping] = []
    for member in try value("mappings")?.members(of: "'mappings'") ?? [] {
      mappings.append(
        try EntityMapping(entity: member.key, member.value, position: member.position))
    }
    var positions: [ExactText: Int] = [:]
    for (position, binding) in bindings.enumerated() {
      guard positions.updateValue(position, forKey: foldedName(binding.name)) == nil else {
        throw CatalogueError("'\(binding.name)' occurs twice", at: binding.position)
      }
    }
    var mappingPositions: [ExactText: Int] = [:]
    for (position, mapping) in mappings.enumerated() {
      guard mappingPositions.updateValue(position, forKey: foldedName(mapping.entity)) == nil else {
        throw CatalogueError("'\(mapping.entity)' occurs twice", at: mapping.position)
      }
    }
    self.bindings = bindings
    self.mappings = mappings
    self.positions = positions
    self.mappingPositions = mappingPositions
  }

  /// Reads a catalogue from JSON, as ``json`` gives it.
  ///
  /// - Throws: ``CatalogueError`` with the first thing that is wrong.
  public init(
    _ json: JSONValue, registry: ConverterRegistry = ConverterRegistry()
  ) throws(CatalogueError) {
    try self.init(CatalogueNode(json), registry: registry)
  }

  /// The catalogue as JSON, from which it can be read again.
  ///
  /// - Complexity: O(*n*) in the size of the catalogue.
  public var json: JSONValue { node.json }

  /// Whether nothing is bound and nothing mapped.
  public var isEmpty: Bool { bindings.isEmpty && mappings.isEmpty }

  /// The binding of a property; ignores the case of the names.
  public func binding(entity: String, property: String) -> Binding? {
    positions[foldedName(Self.name(entity, property))].map { bindings[$0] }
  }

  /// The binding of a property with a name such as bindings have.
  func binding(named name: String) -> Binding? {
    NamePath(reading: name).member.flatMap { binding(entity: $0.owner, property: $0.name) }
  }

  fileprivate static func name(_ entity: String, _ property: String) -> String {
    NamePath([entity, property]).shortText
  }

  /// The mapping of foreign JSON to an entity, if any.
  public func mapping(entity: String) -> EntityMapping? {
    mappingPositions[foldedName(entity)].map { mappings[$0] }
  }

  /// The converter of a property; nil if none is bound, or if it is one of the application that is
  /// not registered.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - property: The name of the property.
  ///   - type: The type of the property.
  ///   - flags: The flags of the property.
  /// - Returns: The converter with its policies.
  /// - Throws: ``IncompatibleConverter`` if the converter is not one for the type.
  public func converter(
    entity: String, property: String, type: PropertyType, flags: PropertyFlags
  ) throws(IncompatibleConverter) -> BoundConverter? {
    guard let binding = binding(entity: entity, property: property) else { return nil }
    return try converter(of: binding, type: type, flags: flags)
  }

  /// The converter of a binding for a type.
  func converter(
    of binding: Binding, type: PropertyType, flags: PropertyFlags
  ) throws(IncompatibleConverter) -> BoundConverter? {
    guard let stored = StoredType(type, flags), !flags.contains(.id) else {
      let what = flags.contains(.id) ? "an id" : "a property of type \(type)"
      throw IncompatibleConverter(
        binding, .type, "\(what) cannot be converted", at: binding.position)
    }
    let maker = ConverterMaker(binding: binding, registry: registry)
    return try maker.converter(binding.definition, stored)
  }
}
