import BoxJSON
import BoxModel
import BoxReport

/// The shape of `objectbox-model.h`: a call of the C interface for each element.
///
/// Models are also written by hand with these calls; one that computes a number is refused.
struct CShape {
  private let reader: CodeReader
  private var builder: EvidenceBuilder
  private var vectorParameters: [(key: String, value: JSONValue)] = []

  private static let prefix = "obx_model_"

  /// Reads the evidence of code; nil if it has none of the calls.
  static func evidence(in bytes: [UInt8], source: String) -> Evidence? {
    var shape = CShape(reader: CodeReader(bytes, .c), source: source)
    return shape.read()
  }

  private init(reader: CodeReader, source: String) {
    self.reader = reader
    builder = EvidenceBuilder(source: source, language: .c, model: EvidenceBuilder.unknownModel)
  }

  private mutating func read() -> Evidence? {
    for position in reader.tokens.indices where reader.beginsChain(position) {
      guard let name = reader.word(position), name.hasPrefix(Self.prefix),
        reader.isMark(position + 1, "("), let (chain, end) = reader.chain(at: position),
        let call = chain.first,
        let arguments = call.arguments, arguments.allSatisfy({ $0.label == nil }),
        !arguments.isEmpty
      else { continue }
      if reader.word(end) != nil {
        builder.refuse(reader.line(of: position), "a statement does not end; a line may be missing")
      }
      // The first argument is the model.
      read(
        String(name.dropFirst(Self.prefix.count)), arguments.dropFirst().map(\.value),
        reader.line(of: position))
    }
    guard builder.hasEntities || !builder.evidence.problems.isEmpty else { return nil }
    endVectorParameters()
    let isWhole = builder.evidence.model.lastEntityID != nil
    if isWhole {
      builder.changeModel { model in
        model.lastIndexID = model.lastIndexID ?? .unset
        model.lastRelationID = model.lastRelationID ?? .unset
      }
    }
    return builder.finish(
      isComplete: isWhole && reader.isBalanced,
      code: [(path: builder.file, reader: reader)])
  }

  private mutating func read(_ name: String, _ values: [CodeExpression], _ line: Int) {
    if name == "property" || name == "entity" || name.hasPrefix("last_") { endVectorParameters() }
    let isUnderstood =
      readElement(name, values, line) || readMember(name, values, line)
      || readLast(name, values, line) || readVectorParameter(name, values, line)
    if isUnderstood { return }
    if Self.known.contains(name) {
      builder.refuse(line, "\(Self.prefix)\(name) has arguments that are not literals")
    } else if !values.isEmpty {
      builder.remark(line, "\(Self.prefix)\(name) is not understood")
    }
  }

  private static let known: Set<String> = [
    "entity", "entity_flags", "entity_last_property_id", "property", "property_flags",
    "property_index_id", "property_relation", "relation", "last_entity_id", "last_index_id",
    "last_relation_id",
  ]

  private mutating func readElement(
    _ name: String, _ values: [CodeExpression], _ line: Int
  ) -> Bool {
    switch (name, values.count) {
    case ("entity", 3):
      guard let text = values[0].text, let pair = CodeExpression.pair(values[1], values[2]) else {
        return false
      }
      builder.add(Entity(pair: pair, name: text), line: line)
    case ("property", 4):
      guard let text = values[0].text, let type = FlagWords.type(values[1]),
        let pair = CodeExpression.pair(values[2], values[3])
      else { return false }
      builder.add(Property(pair: pair, name: text, type: type), line: line)
    case ("relation", 4):
      guard let pair = CodeExpression.pair(values[0], values[1]),
        let target = CodeExpression.pair(values[2], values[3])
      else { return false }
      builder.add(Relation(pair: pair, name: "", target: target), line: line)
    case ("property_relation", 3):
      guard let target = values[0].text, let index = CodeExpression.pair(values[1], values[2])
      else { return false }
      builder.changeProperty(line) { property in
        property.relationTarget = target
        property.indexID = index
      }
    default: return false
    }
    return true
  }

  private mutating func readMember(
    _ name: String, _ values: [CodeExpression], _ line: Int
  ) -> Bool {
    guard let value = values.first else { return false }
    switch (name, values.count) {
    case ("entity_flags", 1):
      guard let flags = FlagWords.entity(value) else { return false }
      builder.changeEntity(line) { $0.flags = flags }
    case ("property_flags", 1):
      guard let flags = FlagWords.property(value) else { return false }
      builder.setFlags(flags, line: line)
    case ("property_index_id", 2):
      guard let pair = CodeExpression.pair(values[0], values[1]) else { return false }
      builder.changeProperty(line) { $0.indexID = pair }
    case ("entity_external_name", 1):
      guard let text = value.text else { return false }
      builder.changeEntity(line) { $0.externalName = text }
    case ("property_external_name", 1):
      guard let text = value.text else { return false }
      builder.changeProperty(line) { $0.externalName = text }
    case ("property_external_type", 1):
      guard let number = value.number.flatMap({ Int(exactly: $0) }) else { return false }
      builder.changeProperty(line) { $0.externalType = number }
    case ("relation_name", 1):
      guard let text = value.text else { return false }
      builder.changeRelation(line) { $0.name = text }
    case ("relation_external_name", 1):
      guard let text = value.text else { return false }
      builder.changeRelation(line) { $0.externalName = text }
    case ("relation_external_type", 1):
      guard let number = value.number.flatMap({ Int(exactly: $0) }) else { return false }
      builder.changeRelation(line) { $0.externalType = number }
    default: return false
    }
    return true
  }

  private mutating func readLast(_ name: String, _ values: [CodeExpression], _ line: Int) -> Bool {
    guard values.count == 2, let pair = CodeExpression.pair(values[0], values[1]) else {
      return false
    }
    switch name {
    case "entity_last_property_id": builder.endEntity(pair, line: line)
    case "last_entity_id": builder.setLast(.entity, pair, line: line)
    case "last_index_id": builder.setLast(.index, pair, line: line)
    case "last_relation_id": builder.setLast(.relation, pair, line: line)
    default: return false
    }
    return true
  }

  // MARK: Vector indexes

  private static let vectorPrefix = "property_index_hnsw_"

  private mutating func readVectorParameter(
    _ name: String, _ values: [CodeExpression], _ line: Int
  ) -> Bool {
    guard name.hasPrefix(Self.vectorPrefix), values.count == 1 else { return false }
    let key = name.dropFirst(Self.vectorPrefix.count).map { $0 == "_" ? "-" : String($0) }.joined()
    switch values[0] {
    case .number(let number): vectorParameters.append((key, .uint(number)))
    case .decimal(let text):
      guard Double(text) != nil else { return false }
      vectorParameters.append((key, .number(text)))
    case .chain:
      // `OBXVectorDistanceType_Geo`
      guard let word = values[0].lastName?.split(separator: "_").last else { return false }
      vectorParameters.append((key, .string(String(word))))
    default: return false
    }
    return true
  }

  /// Gives the parameters to the property that they followed.
  private mutating func endVectorParameters() {
    if vectorParameters.isEmpty { return }
    let json = JSONValue.compact(vectorParameters.map { ($0.key, $0.value) })
    vectorParameters = []
    let text = json.text(indent: 0)
    builder.changeProperty(0) { $0.hnswParams = text }
  }
}
