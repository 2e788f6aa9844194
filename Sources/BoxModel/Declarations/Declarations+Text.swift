package import BoxJSON

extension Declarations {
  /// The version of the form of the file.
  static let formatVersion = 1

  /// The ending of the file, in place of the ending of the model file.
  package static let fileEnding = ".rules.json"

  /// The path of the file beside a model file: `model-App.rules.json` beside `model-App.json`.
  ///
  /// - Parameter model: The path of the model file.
  /// - Returns: The path.
  package static func path(beside model: String) -> String {
    let end = ".json"
    return (model.hasSuffix(end) ? String(model.dropLast(end.count)) : model) + fileEnding
  }

  /// The text of the file: one declaration a line, so that git merges most changes by itself.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public var text: [UInt8] {
    var writer = JSONTextWriter()
    writer.append(raw: "{\"rules\":\(Self.formatVersion),\"declarations\":[\n")
    for (position, declaration) in relations.enumerated() {
      writer.append(
        value: .object(declaration.members(uid: .string("\(declaration.relation)"))), indent: 0)
      writer.append(raw: position + 1 < relations.count ? ",\n" : "\n")
    }
    writer.append(raw: "]}\n")
    return writer.bytes
  }
}

extension RelationDeclaration {
  /// The keys of a declaration, in the order in which they are written.
  package enum Key: String {
    case relation, name, sourceRemoved, targetRemoved
  }

  /// The members of the object that stands for it.
  ///
  /// - Parameter uid: The UID, in the form of the place.
  /// - Returns: The members.
  package func members(uid: JSONValue) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init(Key.relation.rawValue, uid), .init(Key.name.rawValue, .string(name)),
    ]
    if let rule = sourceRemoved {
      members.append(.init(Key.sourceRemoved.rawValue, .string(rule.rawValue)))
    }
    if let rule = targetRemoved {
      members.append(.init(Key.targetRemoved.rawValue, .string(rule.rawValue)))
    }
    return members
  }
}
