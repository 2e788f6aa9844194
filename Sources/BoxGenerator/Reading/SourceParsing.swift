package import BoxReport
package import BoxSources
internal import BoxSystem

/// The entities that sources declare, and the violations of rules in them.
package struct SourceParsing: Sendable {
  /// The entities, by the names of their types.
  package private(set) var entities: [SourceEntity] = []
  package private(set) var findings: [Finding] = []
  /// The enums whose raw values are stored, by their paths.
  private(set) var enums: [String: StoredEnum] = [:]

  /// Reads the files of a target.
  ///
  /// Only files with the words of an entity are parsed, and those that declare what entities refer to; on all
  /// processors.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - read: The declarations of those that were read before, by path.
  ///   - prefix: The word before the colon of an annotation.
  ///   - target: The name of the module.
  ///   - parts: The number of parts into which the files are divided between processors.
  /// - Complexity: O(*n*) in the size of the files.
  package init(
    _ files: [SwiftFile], _ read: [String: SourceDeclarations], prefix: String, target: String,
    parts: Int
  ) async {
    var sources = SourceSet(files, read, prefix: prefix, parts: parts)
    await sources.parseEntities()
    await sources.parseReferences()
    findings = sources.findings
    var found = sources.declarations
    found.indexTypes()
    let declarations = found
    let types = declarations.types.filter { $0.isEntity(in: declarations) }
    for reading in await types.mapConcurrently(
      parts: parts, { EntityReading($0, declarations, target: target) })
    {
      if let entity = reading.entity { entities.append(entity) }
      findings += reading.findings
    }
    entities.sort { ($0.typeName, $0.place.path) < ($1.typeName, $1.place.path) }
    let resolution = SchemaResolution(entities, prefix: prefix)
    entities = resolution.entities
    findings += resolution.findings
    collectEnums(declarations)
    findings = findings.uniqued().sorted { Self.order($0) < Self.order($1) }
  }

  private mutating func collectEnums(_ declarations: Declarations) {
    for entity in entities {
      for property in entity.properties {
        guard let (type, raw) = property.storedEnum,
          let found = declarations.enums[type.withoutBackticks]
        else { continue }
        enums[type] = StoredEnum(found, raw)
      }
    }
  }

  private static func order(_ finding: Finding) -> (String, Int, Int, String) {
    (finding.path, finding.region?.line ?? 0, finding.region?.column ?? 0, finding.rule.id)
  }
}

extension [Finding] {
  /// The findings without repetitions, such as a finding about an enum that two properties have.
  fileprivate func uniqued() -> [Finding] {
    var known: Set<Finding> = []
    return filter { known.insert($0).inserted }
  }
}

/// The files of a target, parsed as far as needed.
private struct SourceSet {
  private var rest: SourceIndex
  private let read: [String: SourceDeclarations]
  private let prefix: String
  private let parts: Int
  private(set) var declarations = Declarations()
  /// Whether the names of a type, by its position, were looked for.
  private var isCounted: [Bool] = []
  /// The names of the types that are embedded.
  private var embedded: Set<String> = []
  /// The names that files were looked for by.
  private var known: Set<String> = []
  private(set) var findings: [Finding] = []

  init(
    _ files: [SwiftFile], _ read: [String: SourceDeclarations], prefix: String, parts: Int
  ) {
    rest = SourceIndex(files.sorted { $0.path < $1.path })
    self.read = read
    self.prefix = prefix
    self.parts = parts
  }

  mutating func parseEntities() async { await parse(rest.takeEntities(prefix: prefix)) }

  /// Parses the files that declare a name which entities refer to, until no name is new.
  mutating func parseReferences() async {
    while true {
      let names = newNames()
      if names.isEmpty { return }
      await parse(rest.takeFiles(declaring: names))
    }
  }

  /// The names in entities, embedded types and aliases of the parsed files that no file was looked for by yet.
  private mutating func newNames() -> Set<String> {
    var names: Set<String> = []
    for (position, type) in declarations.types.enumerated()
    where !isCounted[position] && type.isEntity(in: declarations) {
      isCounted[position] = true
      names.formUnion(type.names)
      embedded.formUnion(type.members.embeddedNames)
    }
    names.formUnion(embeddedNames())
    // The types that an extension of a parsed file makes entities.
    names.formUnion(declarations.extendedEntities.map(\.lastName))
    names.formUnion(declarations.aliases.values.flatMap(\.names).map(\.lastName))
    let new = names.subtracting(known).filter {
      SwiftValueType(spelling: $0) == nil && !Self.library.contains($0)
    }
    known.formUnion(new)
    return new
  }

  /// The names in the types that are embedded, and in those that are embedded in them.
  private mutating func embeddedNames() -> Set<String> {
    if embedded.isEmpty { return [] }
    var positions: [String: [Int]] = [:]
    for (position, type) in declarations.types.enumerated() where !isCounted[position] {
      positions[type.path.lastName.withoutBackticks, default: []].append(position)
    }
    let aliases = Dictionary(grouping: declarations.aliases) { $0.key.lastName }
    var names: Set<String> = []
    var open = Array(embedded)
    func embed(_ found: some Sequence<String>) {
      for name in found where embedded.insert(name).inserted { open.append(name) }
    }
    while let name = open.popLast() {
      for alias in aliases[name] ?? [] { embed(alias.value.names.map(\.lastName)) }
      for position in positions[name] ?? [] {
        isCounted[position] = true
        names.formUnion(declarations.types[position].names)
        embed(declarations.types[position].members.embeddedNames)
      }
    }
    return names
  }

  private static let library: Set<String> = [
    "ToOne", "ToMany", "EntityId", "Optional", "Array", "Set",
  ]

  private mutating func parse(_ files: [SwiftFile]) async {
    let parsed = await files.mapConcurrently(parts: parts) { [read, prefix] in
      ParsedFile($0, read[$0.path], prefix: prefix)
    }
    for file in parsed {
      findings += file.findings
      declarations.formUnion(file.declarations)
    }
    isCounted += repeatElement(false, count: declarations.types.count - isCounted.count)
  }
}
