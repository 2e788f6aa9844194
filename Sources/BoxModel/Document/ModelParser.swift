import BoxJSON
import BoxReport

/// Reads the values of a model out of a JSON document, and notes what has the wrong form.
struct ModelParser {
  let document: JSONDocument
  let fields: FieldTable
  let decoder = JSONValueDecoder()
  var model = Model()
  var nodes = ModelNodes()
  var issues: ModelIssues
  /// Whether a UID was found that only the generator for Rust makes.
  var hasWideUID = false

  init(_ document: JSONDocument, _ fields: FieldTable, issueLimit: Int) throws(ModelError) {
    issues = ModelIssues(limit: issueLimit)
    self.document = document
    self.fields = fields
    let root = document.root
    func notAModel(_ reason: String, _ node: JSONNode) -> ModelError {
      .notAModel(
        "this is JSON, but no model file: \(reason)",
        at: document.position(at: document.range(of: node).lowerBound))
    }
    guard document.kind(of: root) == .object else { throw notAModel("it is not an object", root) }
    // The first keys of a dump, in each of its shapes; the model of the store is inside.
    for key in ["boxjoint", "@boxjoint"] {
      guard let header = document.value(forKey: key, in: root),
        document.kind(of: header) == .object, document.value(forKey: "dump", in: header) != nil
      else { continue }
      throw .notAModel(
        "this is not a model file: it is a dump of a store, or the manifest of one",
        at: document.position(at: document.range(of: root).lowerBound))
    }
    guard let entities = document.value(forKey: "entities", in: root) else {
      throw notAModel("it has no \"entities\"", root)
    }
    guard document.kind(of: entities) == .array else {
      throw notAModel("its \"entities\" is not an array", entities)
    }
  }

  mutating func parse() {
    model.lastEntityID = nil
    model.lastIndexID = nil
    model.lastRelationID = nil
    model.lastSequenceID = nil
    model.modelVersion = nil
    model.modelVersionParserMinimum = nil
    model.version = nil
    for kind in ElementKind.allCases { model[retired: kind] = nil }
    if document.hasByteOrderMark {
      report(
        ModelRule.byteOrderMark, 0..<JSONDocument.byteOrderMark.count,
        "the file begins with a byte order mark",
        advice: "save it as UTF-8 without one: some readers refuse the file", fix: .removeMark)
    }
    for offset in document.rawTabs {
      report(
        ModelRule.rawTab, offset..<offset + 1, "a tab inside a string is not escaped",
        advice: "write it as \\t: some readers refuse the file", fix: .escapeTabs)
    }
    for member in document.memberNodes(of: document.root) {
      parseRootMember(member.key, member.value)
    }
    checkVersion()
  }

  private mutating func parseRootMember(_ key: JSONNode, _ value: JSONNode) {
    switch document.key(key) {
    case "entities":
      for node in document.elementNodes(of: value) { parseEntity(node) }
    case "lastEntityId": model.lastEntityID = lastPair(value)
    case "lastIndexId": model.lastIndexID = lastPair(value)
    case "lastRelationId": model.lastRelationID = lastPair(value)
    case "lastSequenceId": model.lastSequenceID = lastPair(value)
    case "modelVersion": model.modelVersion = integer(value)
    case "modelVersionParserMinimum": model.modelVersionParserMinimum = integer(value)
    case "version": model.version = integer(value)
    case "newUidPool": model.newUIDPool = uids(value)
    case "retiredEntityUids": model.retiredEntityUIDs = uids(value)
    case "retiredIndexUids": model.retiredIndexUIDs = uids(value)
    case "retiredPropertyUids": model.retiredPropertyUIDs = uids(value)
    case "retiredRelationUids": model.retiredRelationUIDs = uids(value)
    case let other: model.otherMembers.append(otherMember(other, value))
    }
  }

  private mutating func checkVersion() {
    let supported = ModelDocument.supportedVersion
    let minimum = model.modelVersionParserMinimum ?? model.modelVersion ?? 0
    if minimum > supported,
      let range = rootValueRange("modelVersionParserMinimum") ?? rootValueRange("modelVersion")
    {
      report(
        ModelRule.versionTooNew, range,
        "the file asks for a program that knows version \(minimum) of the format; "
          + "this one knows version \(supported)",
        advice: "use a newer version of boxjoint")
    } else if let version = model.modelVersion, version < supported,
      let range = rootValueRange("modelVersion")
    {
      report(
        ModelRule.versionOld, range,
        "the file is in version \(version) of the format; the current one is \(supported)",
        advice: "build once with a current generator, which upgrades the file")
    }
  }

  private func rootValueRange(_ key: String) -> Range<Int>? {
    document.value(forKey: key, in: document.root).map { document.range(of: $0) }
  }

  private mutating func parseEntity(_ node: JSONNode) {
    guard document.kind(of: node) == .object else {
      return wrongType(node, "an entity is an object")
    }
    var pair: IDPair?
    var name: String?
    var hasID = false
    var hasName = false
    var hasProperties = false
    var entity = Entity(pair: .unset, name: "")
    entity.lastPropertyID = nil
    entity.relations = nil
    var found = ModelNodes.EntityNodes(object: node)
    for (keyNode, value) in document.memberNodes(of: node) {
      let key = document.key(keyNode)
      let field = fields.field(key, of: .entity)
      switch field?.form {
      case .id: (hasID, pair) = (true, elementPair(value))
      case .name: (hasName, name) = (true, self.name(value))
      case .lastPropertyID: entity.lastPropertyID = lastPair(value)
      case .flags: entity.flags = EntityFlags(rawValue: flags(value))
      case .properties:
        hasProperties = true
        for child in array(value) {
          if let property = parseProperty(child) {
            entity.properties.append(property)
            found.properties.append(child)
          }
        }
      case .relations where document.kind(of: value) != .null:
        entity.relations = []
        for child in array(value) {
          if let relation = parseRelation(child) {
            entity.relations?.append(relation)
            found.relations.append(child)
          }
        }
      case .text, .number, .json, .type, .indexID, .relationTarget, .targetID, .relations, .owner,
        nil:
        addMember(field, key, value, to: &entity)
      }
    }
    if !hasID { missing(.id, "entity", node) }
    if !hasName { missing(.name, "entity", node) }
    if !hasProperties { missing(.properties, "entity", node) }
    guard let pair, let name else { return }
    entity.pair = pair
    entity.name = name
    model.entities.append(entity)
    nodes.entities.append(found)
  }

  private mutating func parseProperty(_ node: JSONNode) -> Property? {
    guard document.kind(of: node) == .object else {
      wrongType(node, "a property is an object")
      return nil
    }
    var pair: IDPair?
    var name: String?
    var hasID = false
    var hasName = false
    var property = Property(pair: .unset, name: "", type: nil)
    for (keyNode, value) in document.memberNodes(of: node) {
      let key = document.key(keyNode)
      let field = fields.field(key, of: .property)
      switch field?.form {
      case .id: (hasID, pair) = (true, elementPair(value))
      case .name: (hasName, name) = (true, self.name(value))
      case .type:
        if let code: Int32 = integer(value) { property.type = PropertyType(rawValue: code) }
      case .flags: property.flags = PropertyFlags(rawValue: flags(value))
      case .indexID: property.indexID = elementPair(value)
      case .relationTarget: property.relationTarget = string(value)
      case .text, .number, .json, .lastPropertyID, .targetID, .owner, .properties, .relations, nil:
        addMember(field, key, value, to: &property)
      }
    }
    if !hasID { missing(.id, "property", node) }
    if !hasName { missing(.name, "property", node) }
    guard let pair, let name else { return nil }
    property.pair = pair
    property.name = name
    return property
  }

  private mutating func parseRelation(_ node: JSONNode) -> Relation? {
    guard document.kind(of: node) == .object else {
      wrongType(node, "a relation is an object")
      return nil
    }
    var pair: IDPair?
    var name: String?
    // Generators of 2018 to 2020 wrote no target: that is not a defect of the form.
    var target: IDPair? = .unset
    var hasID = false
    var hasName = false
    var relation = Relation(pair: .unset, name: "", target: .unset)
    for (keyNode, value) in document.memberNodes(of: node) {
      let key = document.key(keyNode)
      let field = fields.field(key, of: .relation)
      switch field?.form {
      case .id: (hasID, pair) = (true, elementPair(value))
      case .name: (hasName, name) = (true, self.name(value))
      case .targetID: target = targetPair(value)
      case .text, .number, .json, .type, .flags, .indexID, .relationTarget, .lastPropertyID, .owner,
        .properties, .relations, nil:
        addMember(field, key, value, to: &relation)
      }
    }
    if !hasID { missing(.id, "relation", node) }
    if !hasName { missing(.name, "relation", node) }
    guard let pair, let name, let target else { return nil }
    relation.pair = pair
    relation.name = name
    relation.target = target
    return relation
  }
}
