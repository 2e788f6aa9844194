internal import BoxReport
internal import BoxSources

/// Finds the initializer that the bindings call: one without arguments for a class, and one of all
/// persisted properties for a struct, also one that is embedded.
struct InitializerReading {
  private(set) var arguments: [InitializerArgument] = []
  private var findings: [Finding] = []
  private let declaration: TypeDeclaration
  private let members: [(name: String, place: SourcePlace)]
  private let persisted: Set<String>

  init(
    _ declaration: TypeDeclaration, extensions: [InitializerDeclaration], members: MemberReading
  ) {
    self.declaration = declaration
    self.members = members.persisted
    persisted = Set(self.members.map(\.name.withoutBackticks))
    let own = declaration.members.initializers
    let all = (own + extensions).filter(\.isCallable)
    if members.isStruct {
      findStruct(own.isEmpty ? members.stored : nil, all)
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
      "The entity \"\(declaration.path)\" has no initializer without parameters",
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
        "The initializer of the struct \"\(declaration.path)\" cannot set \"\(fixed.name)\", a constant"
          + " with a value",
        "Declare \"\(fixed.name)\" without a value")
      return
    }
    let ordered = members.sorted {
      ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
    }
    report(
      "The struct \"\(declaration.path)\" has no initializer of all its persisted properties",
      "Add \"init(\(ordered.map { "\($0.name):" }.joined(separator: " ")))\" with the types of the properties"
    )
  }

  private mutating func report(_ message: String, _ advice: String) {
    findings.append(
      Finding(GeneratorRule.noInitializer, at: declaration.place, message, advice: advice))
  }
}
