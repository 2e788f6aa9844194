internal import BoxJSON

/// The options that decide what an import does with an element: an interrupted import continues only
/// with the same.
public struct ImportSettings: Hashable, Sendable {
  /// The treatment of existing and missing objects.
  public var mode: ImportMode
  /// The property that identifies objects, as `Entity.property`; nil for the id.
  public var match: String?
  /// The source of ids.
  public var ids: ImportIDs
  /// The treatment of relations to objects that do not exist.
  public var dangling: DanglingPolicy
  /// The entity of input that does not name one.
  public var entity: String?
  /// The relation to many of input that does not name one.
  public var relation: String?
}

extension ImportOptions {
  /// The options that an import which is continued must have had.
  public var settings: ImportSettings {
    ImportSettings(
      mode: mode, match: match, ids: ids, dangling: dangling, entity: entity, relation: relation)
  }
}

extension ImportSettings {
  /// The settings as a checkpoint has them.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("mode", .string(mode.rawValue)), .init("ids", .string(ids.rawValue)),
      .init("dangling", .string(dangling.rawValue)),
    ]
    if let match { members.append(.init("match", .string(match))) }
    if let entity { members.append(.init("entity", .string(entity))) }
    if let relation { members.append(.init("relation", .string(relation))) }
    return .object(members)
  }

  /// Reads the settings of a checkpoint.
  ///
  /// - Throws: ``DumpError`` if they are not those that an import stores.
  init(_ reader: MemberReader) throws(DumpError) {
    mode = try reader.word(reader.required("mode"), "mode")
    ids = try reader.word(reader.required("ids"), "ids")
    dangling = try reader.word(reader.required("dangling"), "dangling")
    match = reader.node("match") == nil ? nil : try reader.string("match")
    entity = reader.node("entity") == nil ? nil : try reader.string("entity")
    relation = reader.node("relation") == nil ? nil : try reader.string("relation")
  }
}

extension ImportSettings: CustomStringConvertible {
  /// The settings that have a value, by the names of the options.
  public var description: String {
    let values: [(name: String, value: String?)] = [
      ("mode", mode.rawValue), ("match", match), ("ids", ids.rawValue),
      ("dangling", dangling.rawValue), ("entity", entity), ("relation", relation),
    ]
    return values.compactMap { item in item.value.map { "\(item.name): \($0)" } }
      .joined(separator: ", ")
  }
}
