internal import BoxReport
internal import BoxSources

/// Finds the initializer that the bindings call: one without arguments for a class, and one of all
/// persisted properties for a struct.
struct InitializerReading {
  private(set) var arguments: [InitializerArgument] = []
  private var findings: [Finding] = []
  private let entity: SourceEntity
  private let persisted: Set<String>

  init(
    _ declaration: TypeDeclaration, extensions: [InitializerDeclaration], entity: SourceEntity,
    stored: [StoredMember]
  ) {
    self.entity = entity
    persisted = Set(
      entity.properties.map(\.swiftName.withoutBackticks)
        + entity.collections.map(\.swiftName.withoutBackticks))
    let own = declaration.members.initializers
    let all = (own + extensions).filter(\.isCallable)
    if entity.isStruct {
      findStruct(own.isEmpty ? stored : nil, all)
    } else {
      findClass(hasOwn: !own.isEmpty, all)
    }
  }

  mutating func takeFindings() -> [Finding] {
    defer { findings = [] }
    return findings
  }

  private mutating func findClass(hasOwn: Bool, _ all: [InitializerDeclaration]) {
    if !hasOwn { return }
    let isFound = all.contains { $0.parameters.allSatisfy(\.hasDefault) }
    if isFound { return }
    report(
      "The entity \"\(entity.typeName)\" has no initializer without parameters",
      "Add \"required init() {}\", with values for the properties that have none")
  }

  private mutating func findStruct(_ memberwise: [StoredMember]?, _ all: [InitializerDeclaration]) {
    var candidates = all.map(\.parameters)
    if let memberwise {
      let parameters = memberwise.filter { !($0.isConstant && $0.hasDefault) }
      if !parameters.contains(where: { $0.isPrivate }) {
        candidates.append(
          parameters.map { .init(label: $0.name, name: $0.name, hasDefault: $0.hasDefault) })
      }
    }
    for candidate in candidates {
      if let matched = match(candidate) {
        arguments = matched
        return
      }
    }
    reportStruct(memberwise)
  }

  /// The arguments of a call of an initializer that sets all persisted members and nothing else.
  private func match(_ parameters: [InitializerDeclaration.Parameter]) -> [InitializerArgument]? {
    var result: [InitializerArgument] = []
    for parameter in parameters {
      // The label of `init(_ name: String)` is the second name.
      let names = [parameter.label, parameter.name].compactMap { $0?.withoutBackticks }
      if let member = names.first(where: persisted.contains) {
        result.append(InitializerArgument(label: parameter.label, member: member))
      } else if !parameter.hasDefault {
        return nil
      }
    }
    return Set(result.map(\.member)) == persisted && result.count == persisted.count ? result : nil
  }

  private mutating func reportStruct(_ memberwise: [StoredMember]?) {
    let fixed = memberwise?.first { member in
      member.isConstant && member.hasDefault && member.isPersisted
    }
    if let fixed {
      report(
        "The initializer of the struct \"\(entity.typeName)\" cannot set \"\(fixed.name)\", a constant"
          + " with a value",
        "Declare \"\(fixed.name)\" without a value")
      return
    }
    let members =
      entity.properties.map { ($0.swiftName, $0.place) }
      + entity.collections.map { ($0.swiftName, $0.place) }
    let ordered = members.sorted { ($0.1.line, $0.1.column) < ($1.1.line, $1.1.column) }
    report(
      "The struct \"\(entity.typeName)\" has no initializer of all its persisted properties",
      "Add \"init(\(ordered.map { "\($0.0):" }.joined(separator: " ")))\" with the types of the properties"
    )
  }

  private mutating func report(_ message: String, _ advice: String) {
    findings.append(
      Finding(GeneratorRule.noInitializer, at: entity.place, message, advice: advice))
  }
}
