internal import BoxConvert
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Relations to objects that are found by a key.
extension InferenceDecisions {
  /// The types of the keys, which those that refer to them have too.
  ///
  /// A key is an integer if it is one in each object and in each reference. Otherwise it is a text, and an integer
  /// refers to the text of its digits.
  ///
  /// - Throws: ``DumpError`` for a link that no object has, and one whose values cannot be keys.
  func keyTypes(
    _ inputs: [EntityFacts]
  ) throws(DumpError) -> [InferenceOptions.Link: PropertyType] {
    var types: [InferenceOptions.Link: PropertyType] = [:]
    for link in options.links {
      let members = options.links.filter {
        $0.target.hasSameBytes(as: link.target) && $0.key.hasSameBytes(as: link.key)
      }
      .flatMap { link in
        inputs.filter { link.begins(in: $0.name) }.compactMap { $0.objects.member(link.member) }
      }
      for member in members where member.keyType(options) == nil {
        throw DumpError(
          "\(member.key.quotedForDisplay) cannot be a relation: it needs texts or integers, or lists of "
            + "them, and has \(member.inferredType().reason)", kind: .impossible,
          path: member.firstPlace?.file, position: member.firstPlace?.position)
      }
      let key = inputs.first { $0.name.hasSameBytes(as: link.target) }?.objects.member(link.key)
      let all = members.map { $0.keyType(options) } + (key.map { [$0.keyType(options)] } ?? [])
      guard !members.isEmpty else {
        throw DumpError(
          "no object of \((link.source ?? "any entity").quotedForDisplay) has the member "
            + link.member.quotedForDisplay, kind: .usage)
      }
      types[link] = options.types[ExactText(link.key)] ?? (all.contains(.string) ? .string : .long)
    }
    return types
  }

  /// Whether a member of the objects of an input is a key that is a text.
  func isTextKey(_ member: MemberFacts, of input: EntityFacts) -> Bool {
    options.types[ExactText(member.key)] == nil && member.keyType(options) != nil
      && member.valueKinds != .array
      && options.links.contains { link in
        link.target.hasSameBytes(as: input.name) && link.key.hasSameBytes(as: member.key)
          && keyTypes[link] == .string
      }
  }

  func add(
    _ link: InferenceOptions.Link, _ leaf: Leaf, _ name: String,
    to entity: inout InferredModel.Entity, _ draft: inout EntityDraft
  ) {
    let facts = leaf.facts
    let isList = facts.valueKinds == .array
    if isList {
      draft.relations.append(RelationDraft(name, to: link.target))
    } else {
      draft.properties.append(.toOne(name, link.target))
    }
    entity.members.append(
      InferredModel.Member(
        name: name, source: JSONPointer(parts: leaf.path), type: "-> \(link.target)",
        converter: nil, values: facts.values,
        reason: "relation to \(isList ? "many" : "one"), by \(link.target).\(link.key)",
        places: [facts.firstPlace].compactMap { $0 }))
  }

  /// Adds the entity that a link refers to, or makes the key of an entity of the inputs unique.
  mutating func addTarget(of link: InferenceOptions.Link) throws(DumpError) {
    let type = keyTypes[link] ?? .string
    let flags: PropertyFlags = type == .string ? [.indexHash, .unique] : [.indexed, .unique]
    guard let position = drafts.firstIndex(where: { $0.name.hasSameBytes(as: link.target) }) else {
      drafts.append(
        EntityDraft(link.target, properties: [.id(), PropertyDraft(link.key, type, flags)]))
      entities.append(
        InferredModel.Entity(
          name: link.target, inputs: [], nestedIn: nil, objects: 0,
          members: [
            InferredModel.Member(
              name: "id", source: nil, type: "id", converter: nil, values: 0,
              reason: "added: the objects have no id of their own", places: []),
            InferredModel.Member(
              name: link.key, source: nil, type: "\(type), unique", converter: nil, values: 0,
              reason: "the key of \(link.member)", places: []),
          ], notes: []))
      return
    }
    guard
      let property = drafts[position].properties.firstIndex(where: {
        $0.name.hasSameBytes(as: link.key)
      }),
      drafts[position].properties[property].type == type
    else {
      throw DumpError(
        "\(link.target) has no property \(link.key.quotedForDisplay) of the type \(type), by which "
          + "\(link.member.quotedForDisplay) finds its objects", kind: .impossible)
    }
    drafts[position].properties[property].flags.formUnion(flags)
  }
}

extension InferenceOptions.Link {
  /// Whether it leads from the objects of an entity: a key does not refer to itself.
  func begins(in entity: String) -> Bool {
    if let source { return source == entity }
    return entity != target || member != key
  }
}

extension ObjectFacts {
  fileprivate func member(_ key: String) -> MemberFacts? { position(of: key).map { members[$0] } }
}

extension MemberFacts {
  /// The type of the key that the values are, or refer to; nil if they cannot.
  fileprivate func keyType(_ options: InferenceOptions) -> PropertyType? {
    let (kinds, numbers) =
      valueKinds == .array ? (lists.kinds, lists.numbers) : (valueKinds, self.numbers)
    let isExact = !numbers.needsUnsigned && !numbers.exceeds64Bits
    if kinds == .integer, isExact, !areAmbiguousNumbers, !(isDelimited && options.takesTexts) {
      return .long
    }
    // A number of JSON with a fraction has many spellings, but a field has exactly one.
    let texts: ValueKinds =
      isDelimited ? [.string, .integer, .fraction, .bool] : [.string, .integer]
    return !kinds.isEmpty && kinds.isSubset(of: texts) ? .string : nil
  }

  /// The type of a key that is a text.
  var textKey: InferredType {
    let isText = isDelimited || valueKinds == .string
    return InferredType(
      type: .string, form: isText ? .plain : .digits,
      reason: isText ? "texts" : "texts and integers, as text")
  }
}
