import BoxModel

/// The shape of `MyObjectBox.java`, also decompiled and minified.
///
/// A builder of the model makes builders of entities, and those make builders of properties. Methods that
/// have lost their names are recognized by their arguments.
struct JavaShape {
  /// The part that a builder has.
  enum Role { case model, entity, property, relation, other }

  private let reader: CodeReader
  private var builder: EvidenceBuilder
  /// The roles of types, by the last part of their names.
  private var types: [String: Role]
  /// The roles of variables.
  private var variables: [String: Role] = [:]
  /// The lines of the elements that variables hold: one for each entity and each property.
  private var heldElements: [String: Int] = [:]
  private var entity: JavaPending.Entity?
  private var property: JavaPending.Property?
  /// The number of last pairs without a method name that were read.
  private var unnamedLastPairs = 0
  private var isWhole = true
  /// The methods that build an entity, by name: whether they are declared, and whether they are called.
  private var declaredMethods: Set<String> = []
  private var calledMethods: Set<String> = []

  /// Reads the evidence of code; nil if it has none of the calls.
  static func evidence(in bytes: [UInt8], source: String) -> Evidence? {
    let reader = CodeReader(bytes, .java)
    guard let types = JavaTypes(reader) else { return nil }
    var shape = JavaShape(reader: reader, types: types.roles, source: source)
    return shape.read()
  }

  private init(reader: CodeReader, types: [String: Role], source: String) {
    self.reader = reader
    self.types = types
    builder = EvidenceBuilder(source: source, language: .java, model: EvidenceBuilder.unknownModel)
  }

  private mutating func read() -> Evidence? {
    var position = 0
    while position < reader.tokens.count {
      declare(at: position)
      noteMethod(at: position)
      guard reader.beginsChain(position), let name = reader.word(position),
        let role = variables[name], let (chain, end) = reader.chain(at: position)
      else {
        position += 1
        continue
      }
      requireOpen(name, role, chain)
      let result = read(chain, of: role)
      if let variable = assigned(before: position) { assignRole(result, in: variable) }
      if !chain.calls.isEmpty, reader.word(end) != nil {
        builder.refuse(reader.line(of: end - 1), "a statement does not end; a line may be missing")
      }
      position = end
    }
    endEntity()
    guard builder.hasEntities || !builder.evidence.problems.isEmpty else { return nil }
    if let method = declaredMethods.symmetricDifference(calledMethods).min() {
      builder.refuse(
        nil,
        calledMethods.contains(method)
          ? "the method \(method) is missing" : "the method \(method) belongs to another model")
    }
    return builder.finish(
      isComplete: isWhole && reader.isBalanced,
      code: [(path: builder.file, reader: reader)])
  }

  // MARK: Methods

  /// Notes a method with the builder of the model as its only parameter, or a call of one.
  ///
  /// Of code that was put together from two models, the calls are of one and the methods of the other.
  private mutating func noteMethod(at position: Int) {
    guard let name = reader.word(position), reader.isMark(position + 1, "("),
      let first = reader.word(position + 2)
    else { return }
    // The type of a parameter may be qualified.
    var (word, next) = (first, position + 3)
    while reader.isMark(next, "."), let part = reader.word(next + 1) {
      (word, next) = (part, next + 2)
    }
    if reader.isMark(next, ")") {
      guard variables[word] == .model, reader.beginsChain(position) else { return }
      let before = reader.word(position - 1)
      if before != "new" { calledMethods.insert(name) }
    } else if types[JavaTypes.lastPart(word)] == .model, reader.word(next) != nil,
      reader.isMark(next + 1, ")"), reader.isMark(next + 2, "{")
    {
      declaredMethods.insert(name)
    }
  }

  // MARK: Variables

  /// Notes the role of a variable: `ModelBuilder name`, as a parameter or in front of `=`.
  private mutating func declare(at position: Int) {
    guard let type = reader.word(position), let name = reader.word(position + 1),
      !JavaTypes.keywords.contains(name)
    else { return }
    guard let role = types[JavaTypes.lastPart(type)] else {
      // Minified code has few names: this one is a variable of another type now.
      if reader.isMark(position + 2, "="), type != "final" { variables[name] = nil }
      return
    }
    let follows: [Unicode.Scalar] = ["=", ",", ")", ";"]
    guard follows.contains(where: { reader.isMark(position + 2, $0) }) else { return }
    variables[name] = role
    heldElements[name] = nil
  }

  /// Assigns the role of a value to a variable.
  private mutating func assignRole(_ role: Role, in variable: String) {
    variables[variable] = role
    heldElements[variable] = openElement(role)
  }

  /// The line of the open entity or property; nil for another builder.
  private func openElement(_ role: Role) -> Int? {
    switch role {
    case .entity: entity?.line
    case .property: property?.line
    case .model, .relation, .other: nil
    }
  }

  /// Refuses a call on the builder of an element that has ended: its line was moved, or another is missing.
  private mutating func requireOpen(_ name: String, _ role: Role, _ chain: CodeChain) {
    guard let first = chain.calls.first, let held = heldElements[name], held != openElement(role)
    else { return }
    builder.refuse(reader.line(of: first.token), "\(name) is called after its element has ended")
  }

  /// The variable that gets the value of the expression at a token.
  private func assigned(before position: Int) -> String? {
    guard reader.isMark(position - 1, "=") else { return nil }
    return reader.word(position - 2)
  }

  // MARK: Calls

  /// Reads the calls of a chain on a variable, and returns the role of its value.
  private mutating func read(_ chain: CodeChain, of start: Role) -> Role {
    var role = start
    for link in chain.links.dropFirst() {
      guard let arguments = link.arguments else { return .other }
      let line = reader.line(of: link.token)
      let values = arguments.map(\.value)
      switch role {
      case .model: role = readModel(link.name, values, line)
      case .entity: role = readEntity(link.name, values, line)
      case .property: role = readProperty(link.name, values, line)
      case .relation: role = readRelation(values, line)
      case .other: return .other
      }
    }
    return role
  }

  private mutating func readModel(
    _ method: String, _ values: [CodeExpression], _ line: Int
  ) -> Role {
    let name = JavaTypes.method(method)
    if let text = values.first?.text, values.count == 1 || name == "entity" {
      endEntity()
      entity = JavaPending.Entity(name: text, line: line)
      return .entity
    }
    let counters: [String: Counter] = [
      "lastEntityId": .entity, "lastIndexId": .index, "lastRelationId": .relation,
    ]
    if values.count == 2, let pair = CodeExpression.pair(values[0], values[1]) {
      let order: [Counter] = [.entity, .index, .relation]
      guard
        let counter = counters[name]
          ?? (name == method && unnamedLastPairs < 3 ? order[unnamedLastPairs] : nil)
      else { return .model }
      if counters[name] == nil { unnamedLastPairs += 1 }
      builder.setLast(counter, pair, line: line)
    } else if values.count == 2 || counters[name] != nil || name == "entity" {
      refuseConstant(line)
    }
    return values.isEmpty ? .other : .model
  }

  private mutating func readEntity(
    _ method: String, _ values: [CodeExpression], _ line: Int
  ) -> Role {
    let name = JavaTypes.method(method)
    switch values.count {
    case 0:
      // `entityDone()`
      endProperty()
      entity?.isDone = true
      return .model
    case 1:
      if let text = values[0].text {
        entity?.externalName = text
      } else if let flags = FlagWords.entity(values[0]) {
        // The constructor flag is not in the file; 3 becomes 2.
        entity?.flags = flags.subtracting(.useNoArgConstructor)
      } else {
        refuseConstant(line)
      }
    case 2 where values[0].text == nil:
      guard let pair = CodeExpression.pair(values[0], values[1]) else {
        refuseConstant(line)
        return .entity
      }
      if name == "id" || (name != "lastPropertyId" && entity?.pair == nil) {
        entity?.pair = pair
      } else {
        entity?.last = pair
      }
    case 2...4:
      return openProperty(values, line)
    case 5:
      return addRelation(values, line)
    default: refuseConstant(line)
    }
    return .entity
  }

  private mutating func openProperty(_ values: [CodeExpression], _ line: Int) -> Role {
    guard let name = values[0].text, let type = values.last.flatMap(FlagWords.type),
      values.count == 2 || values[1].text != nil
    else {
      refuseConstant(line)
      return .other
    }
    endProperty()
    if entity?.hasRelations ?? false {
      builder.refuse(line, "the property \(name) follows a relation; a line may have been moved")
    }
    property = JavaPending.Property(
      name: name, target: values.count > 2 ? values[1].text : nil, type: type, line: line)
    return .property
  }

  private mutating func addRelation(_ values: [CodeExpression], _ line: Int) -> Role {
    endProperty()
    guard let name = values[0].text, let pair = CodeExpression.pair(values[1], values[2]),
      let target = CodeExpression.pair(values[3], values[4]), addEntity(line)
    else {
      refuseConstant(line)
      return .other
    }
    builder.add(Relation(pair: pair, name: name, target: target), line: line)
    entity?.hasRelations = true
    return .relation
  }

  private mutating func readProperty(
    _ method: String, _ values: [CodeExpression], _ line: Int
  ) -> Role {
    let name = JavaTypes.method(method)
    switch values.count {
    case 1:
      readPropertyValue(name, values[0], line)
    case 2:
      guard let pair = CodeExpression.pair(values[0], values[1]) else {
        refuseConstant(line)
        return .property
      }
      if name == "id" || (name != "indexId" && property?.pair == nil) {
        property?.pair = pair
      } else {
        property?.index = pair
      }
    // The parameters of a vector index, which are not in the file.
    case 7: return .property
    default: refuseConstant(line)
    }
    return .property
  }

  private mutating func readPropertyValue(
    _ name: String, _ value: CodeExpression, _ line: Int
  ) {
    let externalTypes = 100...127
    switch name {
    case "secondaryName", "indexMaxValueLength": return
    case "externalName": property?.externalName = value.text
    case "externalType":
      guard let number = value.number.flatMap({ Int(exactly: $0) }) else {
        return refuseConstant(line)
      }
      property?.externalType = number
    case "flags":
      guard let flags = FlagWords.property(value) else { return refuseConstant(line) }
      property?.flags = flags
    default:
      if value.text != nil {
        builder.remark(line, "a string of a property is an external or a second name")
      } else if let number = value.number.flatMap({ Int(exactly: $0) }),
        externalTypes.contains(number)
      {
        property?.externalType = number
      } else if let flags = FlagWords.property(value) {
        property?.flags = flags
      } else {
        refuseConstant(line)
      }
    }
  }

  private mutating func readRelation(_ values: [CodeExpression], _ line: Int) -> Role {
    switch values.count {
    case 0: return .model
    case 1:
      let (text, number) = (values[0].text, values[0].number.flatMap { Int(exactly: $0) })
      if text == nil, number == nil { refuseConstant(line) }
      builder.changeRelation(line) { relation in
        if let text { relation.externalName = text }
        if let number { relation.externalType = number }
      }
      return .relation
    default: return .other
    }
  }

  private mutating func refuseConstant(_ line: Int) {
    builder.refuse(
      line,
      "an argument of a model is not a literal; decompile without replacing constants (jadx: "
        + "--no-replace-consts)")
  }

  // MARK: Ends

  private mutating func endEntity() {
    guard let ending = entity else { return }
    defer { entity = nil }
    guard ending.isDone else {
      // The code ends here: the last property may be without its flags.
      isWhole = false
      property = nil
      if ending.isAdded { builder.dropLastEntity() }
      return
    }
    guard addEntity(ending.line) else {
      return builder.refuse(ending.line, "the entity \(ending.name) has no id")
    }
    // The last property id may be anywhere among the calls.
    guard let last = ending.last else {
      return builder.refuse(ending.line, "the entity \(ending.name) has no last property id")
    }
    builder.endEntity(last, line: ending.line)
  }

  /// Adds the entity, if it has its id and was not added yet.
  private mutating func addEntity(_ line: Int) -> Bool {
    guard let pending = entity, let pair = pending.pair else { return false }
    if pending.isAdded {
      let flags = pending.flags
      let name = pending.externalName
      builder.changeEntity(line) { entity in
        entity.flags = flags
        entity.externalName = name
      }
      return true
    }
    var added = Entity(pair: pair, name: pending.name)
    added.flags = pending.flags
    added.externalName = pending.externalName
    builder.add(added, line: pending.line)
    entity?.isAdded = true
    return true
  }

  private mutating func endProperty() {
    guard let ending = property else { return }
    property = nil
    guard let pair = ending.pair, addEntity(ending.line) else {
      return builder.refuse(ending.line, "the property \(ending.name) has no id")
    }
    var added = Property(
      pair: pair, name: ending.name, type: ending.type, flags: fileFlags(ending))
    added.indexID = ending.index
    added.relationTarget = ending.target
    added.externalName = ending.externalName
    added.externalType = ending.externalType
    builder.add(added, line: ending.line)
  }

  /// The flags that the generator writes to the file: without Java's own flags, and for an id without
  /// NOT_NULL.
  private mutating func fileFlags(_ property: JavaPending.Property) -> PropertyFlags {
    var flags = property.flags.subtracting([.nonPrimitiveType, .virtual])
    if flags.contains(.id) { flags.remove(.notNull) }
    if property.type == .relation, flags.contains(.notNull) {
      flags.remove(.notNull)
      builder.remark(
        property.line,
        "\(property.name) has NOT_NULL here, which files of current generators do not have")
    }
    return flags
  }
}
