internal import BoxJSON
internal import BoxModel

/// Reads converters out of a catalogue.
struct DefinitionReader {
  /// The named converters of the catalogue, to be used by several properties.
  ///
  /// They are read once: a name that is used by each of many properties stands for one list of cases
  /// in memory.
  private var named: [ExactText: ConverterDefinition] = [:]

  /// The greatest depth of converters in each other.
  private static let maximumDepth = 8

  private static let policyKeys = ["missing", "null", "unknown", "malformed"]

  /// The types of converters and the keys of each.
  private static let types: [(name: String, keys: [String])] = [
    ("enum", ["values", "retired", "aliases"]), ("options", ["values", "retired", "aliases"]),
    ("date", ["unit", "as"]),
    ("uuid", ["uppercase"]), ("url", ["relative"]), ("decimal", ["scale"]), ("base64", []),
    ("hex", []), ("text", []), ("json", ["exact"]), ("list", ["of", "separator"]),
    ("boolean", ["true", "false"]), ("unsigned", []), ("chain", ["of"]),
    ("registered", ["name"]),
  ]

  /// Creates a reader with named converters, in whatever order they use each other.
  ///
  /// - Throws: ``CatalogueError``, also for a converter that uses itself.
  init(types: [CatalogueNode.Member]) throws(CatalogueError) {
    let nodes = Dictionary(types.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
    for type in types { try define(ExactText(type.key), nodes, open: [ExactText(type.key)]) }
  }

  /// Reads a named converter after those that it uses; `open` names those that are being read, the
  /// outermost first.
  ///
  /// - Throws: ``CatalogueError``, also for a converter that uses itself.
  private mutating func define(
    _ name: ExactText, _ nodes: [ExactText: CatalogueNode], open: [ExactText]
  ) throws(CatalogueError) {
    guard named[name] == nil, let node = nodes[name] else { return }
    let builtIn = Self.types.map { ExactText($0.name) }
    for use in node.usedNames where !builtIn.contains(use.name) {
      if open.contains(use.name) {
        let loop = (open + [use.name]).map(\.text).joined(separator: " -> ")
        throw CatalogueError("the type '\(use.name.text)' uses itself: \(loop)", at: use.position)
      }
      if open.count > Self.maximumDepth { throw Self.tooDeep(node) }
      try define(use.name, nodes, open: open + [use.name])
    }
    named[name] = try definition(node)
  }

  /// Reads a converter: the name of a type, or a mapping with its settings.
  ///
  /// - Throws: ``CatalogueError``.
  func definition(
    _ node: CatalogueNode, depth: Int = 0
  ) throws(CatalogueError) -> ConverterDefinition {
    if depth > Self.maximumDepth { throw Self.tooDeep(node) }
    let members: [CatalogueNode.Member]
    let type: CatalogueNode
    if case .text = node.content {
      (members, type) = ([], node)
    } else {
      members = try node.members(of: "a converter")
      guard let found = members.first(where: { $0.key == "type" })?.value else {
        throw CatalogueError("a converter needs the key 'type'", at: node.position)
      }
      type = found
    }
    let name = try type.text("'type'")
    var definition: ConverterDefinition
    if let builtIn = Self.types.first(where: { $0.name.hasSameBytes(as: name) }) {
      let keys = ["type"] + builtIn.keys + ["default"] + Self.policyKeys
      let settings = Settings(
        members: try node.settings(of: "a converter of type \(name)", keys: keys), node: node,
        reader: self, depth: depth + 1)
      definition = ConverterDefinition(try settings.kind(name), position: node.position)
    } else if let shared = named[ExactText(name)] {
      let keys = ["type", "default"] + Self.policyKeys
      _ = try node.settings(of: "the use of the converter \(name)", keys: keys)
      if depth + 1 + shared.depth > Self.maximumDepth { throw Self.tooDeep(node) }
      definition = shared
      definition.position = node.position
    } else {
      let names = Self.types.map(\.name) + named.keys.sorted().map(\.text)
      throw CatalogueError(
        "there is no converter '\(name)'; there are: \(names.joined(separator: ", "))",
        at: type.position)
    }
    try readPolicies(members, into: &definition)
    return definition
  }

  private static func tooDeep(_ node: CatalogueNode) -> CatalogueError {
    CatalogueError("converters are nested too deep", at: node.position)
  }

  private func readPolicies(
    _ members: [CatalogueNode.Member], into definition: inout ConverterDefinition
  ) throws(CatalogueError) {
    if let value = members.first(where: { $0.key == "default" }) {
      if case .null = value.value.content {
        throw CatalogueError(
          "a default is a value; for null there is the policy null", at: value.value.position)
      }
      definition.defaultValue = value.value.json
      // A default is for missing values first of all.
      definition.policies.missing = .useDefault
    }
    for member in members {
      guard let kind = ConversionError.Kind(rawValue: member.key) else { continue }
      var value = member.value
      // YAML takes a bare null for no value.
      if case .null = value.content { value.content = .text("null") }
      definition.policies[kind] = try value.choice("'\(member.key)'", ConversionPolicy.self)
      if definition.policies[kind] == .useDefault, definition.defaultValue == nil {
        throw CatalogueError("the policy 'default' needs the key 'default'", at: value.position)
      }
    }
  }

  /// The settings of one converter.
  private struct Settings {
    let members: [CatalogueNode.Member]
    let node: CatalogueNode
    let reader: DefinitionReader
    let depth: Int

    private subscript(key: String) -> CatalogueNode? {
      members.first { $0.key == key }?.value
    }

    private func required(_ key: String, _ type: String) throws(CatalogueError) -> CatalogueNode {
      guard let value = self[key] else {
        throw CatalogueError(
          "a converter of type \(type) needs the key '\(key)'", at: node.position)
      }
      return value
    }

    func kind(_ name: String) throws(CatalogueError) -> ConverterDefinition.Kind {
      switch name {
      case "enum": return .enumeration(try enumeration(name, isBits: false))
      case "options": return .optionSet(try enumeration(name, isBits: true))
      case "date": return try date()
      case "uuid": return .uuid(isUppercase: try self["uppercase"]?.flag("'uppercase'") ?? false)
      case "url": return .url(isRelativeAllowed: try self["relative"]?.flag("'relative'") ?? false)
      case "decimal":
        return .decimal(scale: try self["scale"]?.integer("'scale'", in: 0...18).asInt)
      case "json": return .json(isExact: try self["exact"]?.flag("'exact'") ?? true)
      case "list": return try list()
      case "boolean": return try boolean()
      case "unsigned": return .unsigned
      case "chain": return try chain()
      case "registered": return .registered(try required("name", name).text("'name'"))
      default: return .bytes(BytesEncoding(rawValue: name) ?? .base64)
      }
    }

    private func enumeration(
      _ type: String, isBits: Bool
    ) throws(CatalogueError) -> Enumeration {
      var enumeration = Enumeration(
        try cases(try required("values", type), "'values'", isBits: isBits))
      if let retired = self["retired"] {
        enumeration.retired = try cases(retired, "'retired'", isBits: isBits)
      }
      let names = Set(enumeration.cases.map { ExactText($0.name) })
      for alias in try self["aliases"]?.members(of: "'aliases'") ?? [] {
        let name = try alias.value.text("an alias")
        guard names.contains(ExactText(name)) else {
          throw CatalogueError("there is no case '\(name)'", at: alias.value.position)
        }
        enumeration.aliases.append(
          Enumeration.Alias(alias.key, for: name, position: alias.position))
      }
      return enumeration
    }

    /// The cases of a mapping of names to raw values, or of a list of texts that are both.
    private func cases(
      _ node: CatalogueNode, _ what: String, isBits: Bool
    ) throws(CatalogueError) -> [EnumerationCase] {
      var cases: [EnumerationCase] = []
      if case .list(let names) = node.content, !isBits {
        for name in names {
          guard case .text(let text) = name.content else {
            throw CatalogueError(
              "\(what) as a list is for texts; for integers write name: value", at: name.position)
          }
          cases.append(EnumerationCase(text, .text(text), position: name.position))
        }
      } else {
        for member in try node.members(of: what) {
          let raw =
            isBits
            ? .integer(
              try member.value.integer("the bits of an option", in: 1...Int128(UInt64.max)))
            : try member.value.rawValue()
          cases.append(EnumerationCase(member.key, raw, position: member.position))
        }
      }
      if cases.isEmpty { throw CatalogueError("\(what) is empty", at: node.position) }
      return cases
    }

    private func date() throws(CatalogueError) -> ConverterDefinition.Kind {
      let unit = try self["unit"].map { (node) throws(CatalogueError) in
        try node.choice("'unit'", TimeUnit.self)
      }
      guard let shown = self["as"] else { return .date(unit: unit, shown: nil) }
      if case .text("iso8601") = shown.content { return .date(unit: unit, shown: nil) }
      do throws(CatalogueError) {
        return .date(unit: unit, shown: try shown.choice("'as'", TimeUnit.self))
      } catch {
        throw CatalogueError(error.message + ", iso8601", at: error.position)
      }
    }

    private func boolean() throws(CatalogueError) -> ConverterDefinition.Kind {
      let no = try self["false"]?.rawValue() ?? .integer(0)
      let yes = try self["true"]?.rawValue() ?? .integer(1)
      if RawKey(no) == RawKey(yes) {
        throw CatalogueError("true and false have the same raw value", at: node.position)
      }
      return .boolean(no: no, yes: yes)
    }

    private func list() throws(CatalogueError) -> ConverterDefinition.Kind {
      let separator = try self["separator"]?.text("'separator'")
      if separator?.isEmpty == true {
        throw CatalogueError("'separator' is empty", at: self["separator"]?.position)
      }
      let element = try self["of"].map { (node) throws(CatalogueError) in
        try reader.definition(node, depth: depth)
      }
      if separator != nil, element != nil {
        throw CatalogueError(
          "'of' is for vectors; the elements between separators are texts",
          at: self["of"]?.position)
      }
      return .list(separator: separator, element: element)
    }

    private func chain() throws(CatalogueError) -> ConverterDefinition.Kind {
      let node = try required("of", "chain")
      guard case .list(let parts) = node.content, parts.count == 2 else {
        throw CatalogueError("'of' must be a list of two converters", at: node.position)
      }
      return .chain(
        try reader.definition(parts[0], depth: depth), try reader.definition(parts[1], depth: depth)
      )
    }
  }
}

extension Int128 {
  fileprivate var asInt: Int { Int(truncatingIfNeeded: self) }
}

extension CatalogueNode {
  /// The members of a mapping with these keys; none of a text, which is the name of a type.
  fileprivate func settings(
    of what: String, keys: [String]
  ) throws(CatalogueError) -> [Member] {
    if case .text = content { return [] }
    return try members(of: what, keys: keys)
  }

  fileprivate func rawValue() throws(CatalogueError) -> RawValue {
    switch content {
    case .integer(let value) where Int128(Int64.min)...Int128(UInt64.max) ~= value:
      return .integer(value)
    case .text(let text): return .text(text)
    default: throw CatalogueError("a raw value must be an integer or a text", at: position)
    }
  }
}

extension ConverterDefinition {
  /// The nesting depth of converters in this one.
  fileprivate var depth: Int {
    switch kind {
    case .list(_, let element?): element.depth + 1
    case .chain(let first, let second): max(first.depth, second.depth) + 1
    default: 0
    }
  }

  /// The number of cases and options of the converter and of all nested ones.
  var caseCount: Int {
    switch kind {
    case .enumeration(let enumeration), .optionSet(let enumeration):
      enumeration.cases.count + enumeration.retired.count + enumeration.aliases.count
    case .list(_, let element?): element.caseCount
    case .chain(let first, let second): first.caseCount + second.caseCount
    default: 0
    }
  }
}

extension CatalogueNode {
  /// The names in the places where a converter is named, with their places.
  fileprivate var usedNames: [(name: ExactText, position: JSONPosition?)] {
    switch content {
    case .text(let name): [(ExactText(name), position)]
    case .list(let elements): elements.flatMap(\.usedNames)
    case .mapping(let members):
      members.filter { $0.key == "type" || $0.key == "of" }.flatMap(\.value.usedNames)
    default: []
    }
  }
}
