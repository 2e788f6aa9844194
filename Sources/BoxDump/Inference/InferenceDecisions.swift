internal import BoxConvert
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Makes a model of the facts about its objects.
struct InferenceDecisions {
  let options: InferenceOptions
  var drafts: [EntityDraft] = []
  var entities: [InferredModel.Entity] = []
  /// The bindings of properties to converters, as a catalogue has them.
  private var bindings: [JSONValue.Member] = []
  private var mappings: [JSONValue.Member] = []
  /// The names that entities have, folded.
  private var entityNames: Set<ExactText> = []
  /// The number to append next to a name that another entity of nested objects has.
  private var entityNumbers: [ExactText: Int] = [:]
  /// The type of the key of each link.
  var keyTypes: [InferenceOptions.Link: PropertyType] = [:]

  init(_ options: InferenceOptions) { self.options = options }

  mutating func model(_ inputs: [EntityFacts]) throws(DumpError) -> InferredModel {
    try requireKnownNames(inputs)
    entityNames = Set((inputs.map(\.name) + options.links.map(\.target)).map { foldedName($0) })
    keyTypes = try keyTypes(inputs)
    for input in inputs { try add(input) }
    for link in options.links { try addTarget(of: link) }
    var catalogue: [JSONValue.Member] = []
    if !bindings.isEmpty { catalogue.append(.init("properties", .object(bindings))) }
    if !mappings.isEmpty { catalogue.append(.init("mappings", .object(mappings))) }
    return InferredModel(
      entities: entities, catalogue: catalogue.isEmpty ? nil : .object(catalogue), drafts: drafts)
  }

  /// Throws if a choice names what no input has.
  private func requireKnownNames(_ inputs: [EntityFacts]) throws(DumpError) {
    let members = Set(inputs.flatMap { $0.objects.members.map { ExactText($0.key) } })
    let isFlattened = options.nesting == .flatten
    let leaves = Set(
      inputs.flatMap {
        Leaf.all(of: $0.objects, flattening: isFlattened).map { ExactText($0.name) }
      })
    let chosen = [options.id].compactMap { $0 } + options.links.map(\.member)
    let unknown =
      chosen.first { !members.contains(ExactText($0)) }
      ?? (options.unique + options.indexed + options.types.keys.sorted().map(\.text))
      .first { !members.contains(ExactText($0)) && !leaves.contains(ExactText($0)) }
    if let unknown {
      throw DumpError(
        "no object has the member \(unknown.quotedForDisplay)"
          + (NamePath.part(unknown, of: members.sorted().map(\.text)).map {
            "; did you mean \($0)?"
          } ?? ""),
        kind: .usage,
        path: inputs.first?.paths.first)
    }
    if inputs.contains(where: \.name.isEmpty) {
      throw DumpError("the name of an entity is not empty", kind: .usage)
    }
  }

  // MARK: - An entity

  private mutating func add(_ input: EntityFacts) throws(DumpError) {
    var entity = InferredModel.Entity(
      name: input.name, inputs: input.paths, nestedIn: input.owner, objects: input.objects.count,
      members: [], notes: notes(on: input))
    var parts: [EntityFacts] = []
    var draft = EntityDraft(input.name, properties: [])
    var names = MemberNames()
    var mapping = InferredMapping()
    let leaves = Leaf.all(of: input.objects, flattening: options.nesting == .flatten)
    mapping.isFlattened = leaves.contains { $0.path.count > 1 }
    let id = try addID(input, to: &entity, &draft, &names)
    if let id, let name = draft.properties.first?.name, !name.hasSameBytes(as: id.key) {
      mapping.properties.append(.init(name, .string(JSONPointer(parts: [id.key]).description)))
    }
    for leaf in leaves where leaf.facts !== id {
      let name = names.name(for: leaf.name)
      if options.nesting == .entities, let found = leaf.facts.parts {
        let part = EntityFacts(
          name: partName(name, of: input.name), objects: found.objects,
          owner: "\(input.name).\(name)")
        addPart(part, leaf, name, isList: found.areInLists, to: &entity, &draft)
        mapping.add(relation: name, from: leaf, to: part.name)
        parts.append(part)
      } else if let link = link(of: leaf, input) {
        add(link, leaf, name, to: &entity, &draft)
        mapping.add(relation: name, from: leaf, to: link.target, key: link.key)
      } else {
        try addProperty(name, leaf, input, to: &entity, &draft, &mapping)
      }
    }
    if let json = mapping.json { mappings.append(.init(input.name, json)) }
    drafts.append(draft)
    entities.append(entity)
    for part in parts { try add(part) }
  }

  /// The notes on the name of an entity, on its inputs and on their columns.
  private func notes(on input: EntityFacts) -> [InferredModel.Note] {
    var notes: [InferredModel.Note] = []
    if options.entity == nil, input.owner == nil {
      notes.append(
        InferredModel.Note(
          kind: .name, member: nil, message: "the name \(input.name) is derived from the input",
          place: nil))
    }
    notes += input.objects.inputNotes
    for (name, message, place) in input.objects.columnNotes {
      notes.append(InferredModel.Note(kind: .name, member: name, message: message, place: place))
    }
    return notes
  }

  /// The choice by which a member becomes a relation; nil if it does not.
  private func link(of leaf: Leaf, _ input: EntityFacts) -> InferenceOptions.Link? {
    if leaf.path.count > 1 || input.owner != nil { return nil }
    return options.links.first { $0.member == leaf.path[0] && $0.begins(in: input.name) }
  }

  private mutating func addProperty(
    _ name: String, _ leaf: Leaf, _ input: EntityFacts, to entity: inout InferredModel.Entity,
    _ draft: inout EntityDraft, _ mapping: inout InferredMapping
  ) throws(DumpError) {
    var type = type(of: leaf)
    if leaf.path.count == 1, input.owner == nil, isTextKey(leaf.facts, of: input) {
      type = leaf.facts.textKey
    } else {
      noteDecimals(name, leaf, &entity)
    }
    if input.owner == nil { try setIndex(&type, leaf, input) }
    draft.properties.append(PropertyDraft(name, type.type, type.flags))
    entity.members.append(leaf.member(name, type))
    if type.form == .json || type.form == .decimal {
      bindings.append(.init(NamePath([input.name, name]).shortText, .string(type.form.rawValue)))
    }
    mapping.add(
      property: name, from: leaf, shape: type.form.shape, flattens: options.nesting == .flatten)
    if !name.hasSameBytes(as: leaf.name) {
      entity.notes.append(
        InferredModel.Note(
          kind: .name, member: name,
          message:
            "\(JSONPointer(parts: leaf.path)) is named \(name): names differ in more than case, and have no dots",
          place: leaf.facts.firstPlace))
    }
    if input.owner == nil { suggest(name, leaf, type, &entity) }
  }

  /// The type of a property, which the user may have chosen.
  private func type(of leaf: Leaf) -> InferredType {
    if let chosen = options.types[ExactText(leaf.name)] { return leaf.facts.chosenType(chosen) }
    if options.takesTexts, leaf.facts.isDelimited {
      return InferredType(type: .string, reason: "as --types says")
    }
    return leaf.facts.inferredType()
  }

  /// Reports how numbers with trailing zeros are stored.
  private func noteDecimals(_ name: String, _ leaf: Leaf, _ entity: inout InferredModel.Entity) {
    let facts = leaf.facts
    if options.types[ExactText(leaf.name)] != nil || options.takesTexts { return }
    let count = "\(facts.numbers.unusual) of \(facts.values)"
    if facts.areAmbiguousNumbers {
      entity.notes.append(
        InferredModel.Note(
          kind: .text, member: name,
          message:
            "\(name) is a text: \(count) numbers end in a zero or have an exponent, and different "
            + "texts would become one number; --type \(shellOperand(leaf.name))=double makes it one",
          place: facts.firstPlace))
    } else if facts.haveFixedDecimals, let decimals = facts.numbers.decimals {
      entity.notes.append(
        InferredModel.Note(
          kind: .decimals, member: name,
          message:
            "\(name) is a number: all have \(decimals) decimals, \(count) end in a zero, which a "
            + "number does not keep; --type \(shellOperand(leaf.name))=string keeps the texts",
          place: facts.firstPlace))
    }
  }

  // MARK: - Nested objects

  /// A free name for the entity of the nested objects of a member.
  private mutating func partName(_ member: String, of entity: String) -> String {
    let base = EntityName.derived(from: member)
    if entityNames.insert(foldedName(base)).inserted { return base }
    let longer = entity + base
    let folded = foldedName(longer)
    if entityNames.insert(folded).inserted { return longer }
    var number = entityNumbers[folded] ?? 2
    while !entityNames.insert(foldedName("\(longer)\(number)")).inserted { number += 1 }
    entityNumbers[folded] = number + 1
    return "\(longer)\(number)"
  }

  private func addPart(
    _ part: EntityFacts, _ leaf: Leaf, _ name: String, isList: Bool,
    to entity: inout InferredModel.Entity, _ draft: inout EntityDraft
  ) {
    if isList {
      draft.relations.append(RelationDraft(name, to: part.name))
    } else {
      draft.properties.append(.toOne(name, part.name))
    }
    entity.members.append(
      InferredModel.Member(
        name: name, source: JSONPointer(parts: leaf.path), type: "-> \(part.name)", converter: nil,
        values: leaf.facts.values,
        reason: isList ? "relation to many, of lists of objects" : "relation to one, of objects",
        places: [leaf.facts.firstPlace].compactMap { $0 }))
  }

  /// Adds the id: a member, or a property that the objects do not have.
  private func addID(
    _ input: EntityFacts, to entity: inout InferredModel.Entity, _ draft: inout EntityDraft,
    _ names: inout MemberNames
  ) throws(DumpError) -> MemberFacts? {
    let objects = input.objects
    let named =
      input.owner != nil
      ? nil : options.id.flatMap { objects.position(of: $0) }.map { objects.members[$0] }
    if let named, isTextKey(named, of: input) {
      throw DumpError(
        "\(named.key.quotedForDisplay) cannot be the id: it is the key of a relation, which has texts",
        kind: .impossible, path: input.paths.first)
    }
    if let named, let problem = named.problemAsID(of: objects) {
      throw DumpError(
        "\(named.key.quotedForDisplay) cannot be the id: \(problem)", kind: .impossible,
        path: named.firstPlace?.file ?? input.paths.first, position: named.firstPlace?.position)
    }
    // An id that an earlier inference added is one again when its export is read.
    let usual =
      objects.members.filter { foldedName($0.key) == "id" }
      + objects.members.filter { MemberNames.isAddedID($0.key) }
    let found =
      named
      ?? usual.first {
        input.owner == nil && $0.problemAsID(of: objects) == nil
          && options.types[ExactText($0.key)] ?? .long == .long && !isTextKey($0, of: input)
      }
    let reason: String
    if input.owner != nil {
      reason = "added: nested objects get ids of their own"
    } else if found != nil {
      reason = "integers above 0, in every object and all different"
    } else if let first = usual.first, let problem = first.problemAsID(of: objects) {
      reason = "added: the member \(first.key) cannot be the id, as \(problem)"
    } else if let first = usual.first, isTextKey(first, of: input) {
      reason = "added: the member \(first.key) is the key of a relation, which has texts"
    } else {
      reason = "added: the objects have no id of their own"
    }
    // Beside an id that is added, a member of this name keeps the name.
    if found == nil { for other in usual { names.reserve(other.key) } }
    let name =
      found.map { names.name(for: $0.key) }
      ?? names.name(
        for: usual.contains { foldedName($0.key) == "id" } ? "objectId" : "id")
    if found == nil { for other in usual { names.release(other.key) } }
    draft.properties.append(.id(name))
    entity.members.append(
      InferredModel.Member(
        name: name, source: found.map { JSONPointer(parts: [$0.key]) }, type: "id", converter: nil,
        values: found?.values ?? 0, reason: reason,
        places: [(found ?? usual.first)?.firstPlace].compactMap { $0 }))
    return found
  }

  /// Adds the indexes that the user asks for.
  private func setIndex(
    _ type: inout InferredType, _ leaf: Leaf, _ input: EntityFacts
  ) throws(DumpError) {
    let key = leaf.path.count == 1 ? leaf.path[0] : leaf.name
    let isUnique = options.unique.contains { $0.hasSameBytes(as: key) }
    guard isUnique || options.indexed.contains(where: { $0.hasSameBytes(as: key) }) else { return }
    if isUnique, leaf.facts.values > 1, leaf.facts.distinction == .repeated {
      throw DumpError(
        "\(key.quotedForDisplay) cannot be unique: two objects have the same value",
        kind: .impossible, path: input.paths.first)
    }
    guard type.form == .plain || type.form == .digits, let traits = type.type.traits,
      !traits.isVector
    else {
      throw DumpError(
        "\(key.quotedForDisplay) cannot have an index: \(type.reason)", kind: .impossible,
        path: leaf.facts.firstPlace?.file, position: leaf.facts.firstPlace?.position)
    }
    type.flags.formUnion(type.type == .string ? .indexHash : .indexed)
    if isUnique { type.flags.insert(.unique) }
  }

  private func suggest(
    _ name: String, _ leaf: Leaf, _ type: InferredType, _ entity: inout InferredModel.Entity
  ) {
    let facts = leaf.facts
    guard facts.values == entity.objects, facts.isDistinct, type.form == .plain,
      type.type == .long || type.type == .string, !type.flags.contains(.unique)
    else { return }
    let isID = type.type == .long && facts.numbers.minimum > 0 && leaf.path.count == 1
    entity.notes.append(
      InferredModel.Note(
        kind: isID ? .possibleID : .possiblyUnique, member: name,
        message: isID
          ? "\(name) could be the id, or unique: all values differ"
          : "\(name) could be unique: all values differ", place: facts.firstPlace))
  }
}
