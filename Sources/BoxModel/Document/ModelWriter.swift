import BoxJSON

extension ModelDocument {
  /// The file with the changes that `edited` makes to its model; all other bytes stay the same.
  ///
  /// Elements are identified by their UIDs. New ones are written in the style of the file's
  /// generator, at their places in `edited`.
  ///
  /// - Parameters:
  ///   - edited: The model to write.
  ///   - dialect: The style of new elements; defaults to the style of this file.
  /// - Returns: The bytes of the edited file.
  /// - Complexity: O(*n*) in the size of the file and of the model.
  package func rendered(_ edited: Model, in dialect: Dialect? = nil) -> [UInt8] {
    if edited == model { return bytes }
    let dialect = dialect ?? self.dialect()
    var writer = LayoutWriter(json, dialect)
    let root = json.range(of: json.root)
    writer.copy(0..<root.lowerBound)
    ModelWriter(original: self, edited: edited, dialect: dialect).writeRoot(&writer)
    writer.copy(root.upperBound..<bytes.count)
    return writer.output
  }
}

/// Writes, key by key, the changes of an edited model to its file.
private struct ModelWriter {
  typealias Edit = LayoutWriter.Edit
  typealias Edits = [(key: String, edit: Edit)]

  let original: ModelDocument
  let edited: Model
  let dialect: Dialect

  private var profile: GeneratorProfile { dialect.profile }

  func writeRoot(_ writer: inout LayoutWriter) {
    let old = original.model
    let json = original.json
    var edits: Edits = [
      ("lastEntityId", pair(edited.lastEntityID, old.lastEntityID)),
      ("lastIndexId", pair(edited.lastIndexID, old.lastIndexID)),
      ("lastRelationId", pair(edited.lastRelationID, old.lastRelationID)),
      ("lastSequenceId", pair(edited.lastSequenceID, old.lastSequenceID)),
      ("modelVersion", number(edited.modelVersion, old.modelVersion)),
      (
        "modelVersionParserMinimum",
        number(edited.modelVersionParserMinimum, old.modelVersionParserMinimum)
      ),
      ("newUidPool", list(edited.newUIDPool, old.newUIDPool, "newUidPool")),
      ("version", number(edited.version, old.version)),
    ]
    for kind in ElementKind.allCases {
      let key = kind.retiredListKey
      edits.append((key, list(edited[retired: kind], old[retired: kind], key)))
    }
    edits += others(edited.otherMembers, old.otherMembers)
    let entities = json.value(forKey: "entities", in: json.root)
    edits.append(
      (
        "entities",
        edited.entities == old.entities
          ? .keep : .write { writer, depth in writeEntities(entities, &writer, depth) }
      ))
    writer.patchObject(json.root, depth: 0, order: profile.top, edits: edits)
  }

  private func writeEntities(_ node: JSONNode?, _ writer: inout LayoutWriter, _ depth: Int) {
    let old = original.model.entities
    var matcher = Matcher(old.map(\.pair.uid))
    writer.patchArray(
      node, depth: depth,
      items: edited.entities.enumerated().map { position, entity in
        guard let match = matcher.claim(entity.pair.uid, near: position) else {
          return (nil, { writeNew(entity, &$0, depth + 1) })
        }
        let nodes = original.nodes.entities[match]
        if entity == old[match] {
          let range = original.json.range(of: nodes.object)
          return (match, { $0.copy(range) })
        }
        return (match, { patch(nodes, old[match], entity, &$0, depth + 1) })
      })
  }

  private func patch(
    _ nodes: ModelNodes.EntityNodes, _ old: Entity, _ new: Entity,
    _ writer: inout LayoutWriter, _ depth: Int
  ) {
    let json = original.json
    var edits = fields(of: new, old)
    let properties = json.value(forKey: ElementField.properties.key, in: nodes.object)
    edits.append(
      (
        ElementField.properties.key,
        new.properties == old.properties
          ? .keep
          : .write { writer, depth in
            var matcher = Matcher(old.properties.map(\.pair.uid))
            writer.patchArray(
              properties, depth: depth,
              items: new.properties.enumerated().map { position, property in
                guard let match = matcher.claim(property.pair.uid, near: position) else {
                  return (nil, { writeNew(property, &$0, depth + 1) })
                }
                return (
                  match,
                  {
                    patch(
                      nodes.properties[match], property == old.properties[match],
                      fields(of: property, old.properties[match]), profile.property, &$0, depth + 1)
                  }
                )
              })
          }
      ))
    let relations = json.value(forKey: ElementField.relations.key, in: nodes.object)
    edits.append(
      (
        ElementField.relations.key,
        new.relations == old.relations
          ? .keep
          : new.relations?.isEmpty ?? true
            && (new.relations == nil || !dialect.writesEmptyRelations)
            ? .remove
            : .write { writer, depth in
              let oldRelations = old.relations ?? []
              var matcher = Matcher(oldRelations.map(\.pair.uid))
              writer.patchArray(
                relations, depth: depth,
                items: (new.relations ?? []).enumerated().map { position, relation in
                  guard let match = matcher.claim(relation.pair.uid, near: position) else {
                    return (nil, { writeNew(relation, &$0, depth + 1) })
                  }
                  return (
                    match,
                    {
                      patch(
                        nodes.relations[match], relation == oldRelations[match],
                        fields(of: relation, oldRelations[match]), profile.relation, &$0, depth + 1)
                    }
                  )
                })
            }
      ))
    writer.patchObject(nodes.object, depth: depth, order: profile.entity, edits: edits)
  }

  private func patch(
    _ node: JSONNode, _ isSame: Bool, _ edits: @autoclosure () -> Edits, _ order: [String],
    _ writer: inout LayoutWriter, _ depth: Int
  ) {
    if isSame {
      writer.copy(original.json.range(of: node))
    } else {
      writer.patchObject(node, depth: depth, order: order, edits: edits())
    }
  }
}

/// New elements.
extension ModelWriter {
  private func writeNew(_ entity: Entity, _ writer: inout LayoutWriter, _ depth: Int) {
    var edits = fields(of: entity, nil)
    edits.append(
      (
        ElementField.properties.key,
        .write { writer, depth in
          writer.patchArray(
            nil, depth: depth,
            items: entity.properties.map { property in
              (nil, { writeNew(property, &$0, depth + 1) })
            })
        }
      ))
    let relations = entity.relations ?? []
    if !relations.isEmpty || dialect.writesEmptyRelations {
      edits.append(
        (
          ElementField.relations.key,
          .write { writer, depth in
            writer.patchArray(
              nil, depth: depth,
              items: relations.map { relation in (nil, { writeNew(relation, &$0, depth + 1) }) })
          }
        ))
    }
    writeNew(edits, profile.entity, &writer, depth)
  }

  private func writeNew(_ property: Property, _ writer: inout LayoutWriter, _ depth: Int) {
    writeNew(fields(of: property, nil), profile.property, &writer, depth)
  }

  private func writeNew(_ relation: Relation, _ writer: inout LayoutWriter, _ depth: Int) {
    writeNew(fields(of: relation, nil), profile.relation, &writer, depth)
  }

  private func writeNew(
    _ edits: Edits, _ order: [String], _ writer: inout LayoutWriter, _ depth: Int
  ) {
    let ranked = edits.enumerated().sorted { a, b in
      let rankA = order.firstIndex(of: a.element.key) ?? order.count
      let rankB = order.firstIndex(of: b.element.key) ?? order.count
      return (rankA, a.offset) < (rankB, b.offset)
    }
    writer.writeObject(
      depth: depth,
      members: ranked.compactMap { _, field in
        guard case .write(let write) = field.edit else { return nil }
        return (field.key, write)
      })
  }
}

/// The members of elements; `old` is nil for a new one.
extension ModelWriter {
  private func fields(of new: Entity, _ old: Entity?) -> Edits {
    edits(new, old) { row -> Edit? in
      switch row.form {
      case .id: pair(new.pair, old?.pair)
      case .lastPropertyID: pair(new.lastPropertyID, old.map(\.lastPropertyID) ?? nil)
      case .name: string(new.name, old?.name)
      case .flags: flags(new.flags.rawValue, old?.flags.rawValue, .entity)
      // Written as elements.
      case .properties, .relations: nil
      case .type, .indexID, .relationTarget, .targetID, .owner, .text, .number, .json: nil
      }
    }
  }

  private func fields(of new: Property, _ old: Property?) -> Edits {
    edits(new, old) { row -> Edit? in
      switch row.form {
      case .id: pair(new.pair, old?.pair)
      case .name: string(new.name, old?.name)
      case .indexID: pair(new.indexID, old?.indexID)
      case .type: number(new.type.map { Int($0.rawValue) }, old?.type.map { Int($0.rawValue) })
      case .flags: flags(new.flags.rawValue, old?.flags.rawValue, .property)
      case .relationTarget: string(new.relationTarget, old?.relationTarget)
      case .lastPropertyID, .targetID, .owner, .properties, .relations, .text, .number, .json: nil
      }
    }
  }

  private func fields(of new: Relation, _ old: Relation?) -> Edits {
    edits(new, old) { row -> Edit? in
      switch row.form {
      case .id: pair(new.pair, old?.pair)
      case .name: string(new.name, old?.name)
      case .targetID:
        edit(target(new), old.flatMap { target($0) }) {
          // Only a last pair can be "0:0".
          $1.append($0.isUnset ? "\"\"" : "\"\($1.dialect.text(of: $0))\"")
        }
      case .lastPropertyID, .type, .flags, .indexID, .relationTarget, .owner, .properties,
        .relations, .text, .number, .json:
        nil
      }
    }
  }

  /// The members of an element: `own` returns those with code of their own.
  private func edits<Element: FieldHolder>(
    _ new: Element, _ old: Element?, _ own: (ElementField) -> Edit?
  ) -> Edits {
    var edits: Edits = []
    for row in original.fields[Element.kind] {
      let edit = row.isPlain ? plain(new.plain[row], old?.plain[row]) : own(row)
      if let edit { edits.append((row.key, edit)) }
    }
    return edits + others(new.otherMembers, old?.otherMembers ?? [])
  }

  private func plain(_ new: FieldValue?, _ old: FieldValue?) -> Edit {
    edit(new, old) { value, writer in
      switch value {
      case .text(let text): writer.appendQuoted(text.text)
      case .number(let number): writer.append(String(number))
      case .json(let text): writer.append(text.text)
      case .isSet, .type, .entity, .index: writer.append("null")
      }
    }
  }

  private func target(_ relation: Relation) -> IDPair? {
    relation.target.isUnset && !dialect.writesUnsetTargets ? nil : relation.target
  }

  private func others(_ new: [OtherMember], _ old: [OtherMember]) -> Edits {
    let before = Dictionary(old.map { (ExactText($0.key), $0.text) }) { first, _ in first }
    return new.map { ($0.key, raw($0.text, before[ExactText($0.key)])) }
  }

  /// Keeps what is equal, so that a value which is not in the file is not put there either.
  private func edit<Value: Equatable>(
    _ new: Value?, _ old: Value?, _ write: @escaping (Value, inout LayoutWriter) -> Void
  ) -> Edit {
    if new == old { return .keep }
    guard let new else { return .remove }
    return .write { writer, _ in write(new, &writer) }
  }

  private func pair(_ new: IDPair?, _ old: IDPair?) -> Edit {
    edit(new, old) { $1.append("\"\($1.dialect.text(of: $0))\"") }
  }

  private func string(_ new: String?, _ old: String?) -> Edit {
    edit(new.map { ExactText($0) }, old.map { ExactText($0) }) { $1.appendQuoted($0.text) }
  }

  private func raw(_ new: String?, _ old: String?) -> Edit {
    edit(new.map { ExactText($0) }, old.map { ExactText($0) }) { $1.append($0.text) }
  }

  private func number(_ new: Int?, _ old: Int?) -> Edit {
    edit(new, old) { $1.append(String($0)) }
  }

  private func flags(_ new: UInt32, _ old: UInt32?, _ kind: ElementKind) -> Edit {
    if new == old { return .keep }
    return new == 0 && !dialect.zeroFlagsOf.contains(kind)
      ? .remove : .write { writer, _ in writer.append(String(new)) }
  }

  private func list(_ new: [UID]?, _ old: [UID]?, _ key: String) -> Edit {
    if new == old { return .keep }
    guard let new else { return .remove }
    let node = original.json.value(forKey: key, in: original.json.root)
    return .write { writer, depth in
      var matcher = Matcher(old ?? [])
      writer.patchArray(
        node, depth: depth,
        items: new.enumerated().map { position, uid in
          (matcher.claim(uid, near: position), { $0.append(String(uid)) })
        })
    }
  }
}

/// Finds each element of an edited list in the original one, every original once.
private struct Matcher {
  private let originals: [UID]
  private var positions: [UID: [Int]] = [:]
  private var used: [Bool]

  init(_ originals: [UID]) {
    self.originals = originals
    used = Array(repeating: false, count: originals.count)
  }

  /// The same position is the usual answer; only when it is not are the others looked up.
  mutating func claim(_ uid: UID, near position: Int) -> Int? {
    if position < originals.count, originals[position] == uid, !used[position] {
      used[position] = true
      return position
    }
    if positions.isEmpty {
      for (position, uid) in originals.enumerated().reversed() {
        positions[uid, default: []].append(position)
      }
    }
    while let candidate = positions[uid]?.popLast() {
      if !used[candidate] {
        used[candidate] = true
        return candidate
      }
    }
    return nil
  }
}
