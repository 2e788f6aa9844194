package import BoxReport
package import BoxSources
internal import SwiftParser
internal import SwiftSyntax

/// The entities that sources declare, and the violations of rules in them.
package struct SourceParsing: Sendable {
  /// The entities, by the names of their types.
  package private(set) var entities: [SourceEntity] = []
  package private(set) var findings: [Finding] = []
  /// The enums whose raw values are stored, by their paths.
  private(set) var enums: [String: StoredEnum] = [:]

  /// Reads the files of a target.
  ///
  /// Only files with the words of an entity are parsed, and those that declare what entities refer to.
  ///
  /// - Complexity: O(*n*) in the size of the files.
  package init(_ files: [SwiftFile], prefix: String = "objectbox") {
    var sources = SourceSet(files, prefix: prefix)
    sources.parseEntities()
    sources.parseReferences()
    findings = sources.findings
    var declarations = sources.declarations
    declarations.findEntityClasses()
    for type in declarations.types where type.isEntity(in: declarations) {
      let reading = EntityReading(type, declarations)
      if let entity = reading.entity { entities.append(entity) }
      findings += reading.findings
    }
    entities.sort { ($0.typeName, $0.place.path) < ($1.typeName, $1.place.path) }
    let resolution = SchemaResolution(entities)
    entities = resolution.entities
    findings += resolution.findings
    collectEnums(declarations)
    findings = findings.uniqued().sorted { Self.order($0) < Self.order($1) }
  }

  private mutating func collectEnums(_ declarations: Declarations) {
    for property in entities.flatMap(\.properties) {
      guard case .rawValue(let type, let raw, _) = property.form,
        let found = declarations.enums[type.withoutBackticks]
      else { continue }
      enums[type] = StoredEnum(found, raw)
    }
  }

  private static func order(_ finding: Finding) -> (String, Int, Int, String) {
    (finding.path, finding.region?.line ?? 0, finding.region?.column ?? 0, finding.rule.id)
  }
}

extension [Finding] {
  /// The findings without repetitions, such as that of an enum that two properties have.
  fileprivate func uniqued() -> [Finding] {
    var known: Set<Finding> = []
    return filter { known.insert($0).inserted }
  }
}

/// The files of a target, parsed as far as needed.
private struct SourceSet {
  private var rest: SourceIndex
  private let prefix: String
  private(set) var declarations = Declarations()
  /// The names in types that were looked at, by position.
  private var namesOfTypes: [Int: Set<String>] = [:]
  private(set) var findings: [Finding] = []

  init(_ files: [SwiftFile], prefix: String) {
    rest = SourceIndex(files.sorted { $0.path < $1.path })
    self.prefix = prefix
  }

  mutating func parseEntities() { parse(rest.takeEntities(prefix: prefix)) }

  /// Parses the files that declare a name which entities refer to, until no name is new.
  mutating func parseReferences() {
    var known: Set<String> = []
    while true {
      let names = unknownNames().subtracting(known)
      if names.isEmpty { return }
      known.formUnion(names)
      parse(rest.take(declaring: names))
    }
  }

  /// The names in types and converters of entities that no parsed file declares.
  private mutating func unknownNames() -> Set<String> {
    var names: Set<String> = []
    for (position, type) in declarations.types.enumerated() where type.isEntity(in: declarations) {
      let known = namesOfTypes[position] ?? Self.names(in: type)
      namesOfTypes[position] = known
      names.formUnion(known)
    }
    // The types that an extension of a parsed file makes entities.
    names.formUnion(declarations.extendedEntities.map(Self.lastName))
    names.formUnion(declarations.aliases.values.flatMap(\.names).map(Self.lastName))
    return names.filter { SwiftValueType(spelling: $0) == nil && !Self.library.contains($0) }
  }

  private static func names(in type: TypeDeclaration) -> Set<String> {
    // Initializers may be in extensions of other files.
    var names: Set<String> = [lastName(type.path)]
    for member in type.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
      for binding in variable.bindings {
        let shape =
          binding.typeAnnotation.map { TypeShape($0.type) }
          ?? binding.initializer.flatMap { TypeShape(of: $0.value) }
        if let shape { names.formUnion(shape.names.map(lastName)) }
      }
      let annotations = type.source.annotations(of: variable, upTo: variable.bindingSpecifier)
      for annotation in annotations {
        guard case .options(let options)? = annotation.value else { continue }
        for option in options where option.key == "converter" {
          names.insert(lastName(option.value))
        }
      }
    }
    return names
  }

  private static let library: Set<String> = ["ToOne", "ToMany", "EntityId", "Optional", "Array"]

  private static func lastName(_ path: String) -> String {
    path.split(separator: ".").last.map(String.init) ?? path
  }

  private mutating func parse(_ files: [SwiftFile]) {
    for file in files {
      guard let text = String(validating: file.bytes, as: UTF8.self) else {
        if file.mayHoldEntity(prefix: prefix) {
          report(
            GeneratorRule.notUTF8, file, 1, "The file is not UTF-8",
            "Save it as UTF-8, or exclude it")
        }
        continue
      }
      if !Generation.isGenerated(file.bytes) { read(file, text) }
    }
  }

  private mutating func read(_ file: SwiftFile, _ text: String) {
    if let line = Self.conflictLine(in: file.bytes) {
      report(
        GeneratorRule.conflictMarkers, file, line, "The file has conflict markers",
        "Resolve the conflict, and generate again")
      return
    }
    if SourceNesting.isTooDeep(file, prefix: prefix) {
      report(
        GeneratorRule.notParsed, file, 1,
        "The file has more than \(SourceNesting.limit) brackets or conditions inside of each other",
        "Take the code apart, or move it to a file without entities")
      return
    }
    let source = FileSource(path: file.path, bytes: file.bytes, prefix: prefix)
    let tree = Parser.parse(source: text)
    // What a mistake hides would be taken for removed, and its UIDs be retired.
    if tree.hasError {
      findings.append(
        Finding(
          GeneratorRule.notParsed, at: source.place(ofErrorIn: tree),
          "The file is not correct Swift from here on",
          advice: "Correct it, as a compiler tells, and generate again"))
      return
    }
    let visitor = DeclarationVisitor(source)
    visitor.walk(tree)
    declarations.formUnion(visitor.found)
  }

  /// The first line of a conflict: one that begins it, with one that ends it further down.
  private static func conflictLine(in bytes: [UInt8]) -> Int? {
    var first: Int?
    for (number, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated()
    {
      if line.starts(with: "<<<<<<< ".utf8) { first = first ?? number + 1 }
      if line.starts(with: ">>>>>>> ".utf8), let first { return first }
    }
    return nil
  }

  private mutating func report(
    _ rule: Rule, _ file: SwiftFile, _ line: Int, _ message: String, _ advice: String
  ) {
    findings.append(
      Finding(
        rule, at: SourcePlace(path: file.path, line: line, column: 1), message, advice: advice))
  }
}

extension TypeShape {
  /// The names in the type.
  fileprivate var names: [String] {
    switch self {
    case .named(let name, let arguments): [name] + arguments.flatMap(\.names)
    case .optional(let shape), .array(let shape): shape.names
    case .other: []
    }
  }
}

extension Declarations {
  fileprivate mutating func formUnion(_ other: Declarations) {
    types += other.types
    enums.merge(other.enums) { first, _ in first }
    converters.merge(other.converters) { first, second in
      ConverterDeclaration(
        parameters: first.parameters + second.parameters,
        isolation: first.isolation ?? second.isolation)
    }
    aliases.merge(other.aliases) { first, _ in first }
    extendedEntities.formUnion(other.extendedEntities)
    initializers.merge(other.initializers) { $0 + $1 }
  }
}
