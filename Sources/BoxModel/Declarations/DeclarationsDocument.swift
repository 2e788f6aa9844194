public import BoxJSON
public import BoxReport

/// A file of declarations, with the places of its parts.
public struct DeclarationsDocument: Sendable {
  /// The content.
  public let declarations: Declarations
  private let json: JSONDocument
  /// The place of each declaration, in their order.
  private let places: [JSONNode]

  /// Reads a file.
  ///
  /// A relation may have a declaration for each side.
  ///
  /// - Throws: ``DeclarationsError`` about the first thing that is wrong.
  /// - Complexity: O(*n* log *n*) in the number of declarations, O(*n*) if they are sorted.
  public init(parsing bytes: [UInt8]) throws(DeclarationsError) {
    do throws(JSONError) {
      json = try JSONDocument(parsing: bytes, options: .file)
    } catch {
      throw DeclarationsError(error)
    }
    let parser = DeclarationsParser(json: json)
    var found: [(declaration: RelationDeclaration, place: JSONNode)] = []
    for node in try parser.list() { found.append((try parser.declaration(node), node)) }
    if !found.indices.dropFirst().allSatisfy({
      found[$0 - 1].declaration.relation <= found[$0].declaration.relation
    }) {
      // Of one relation the first in the file stays the first.
      found = found.enumerated().sorted {
        ($0.element.declaration.relation, $0.offset) < ($1.element.declaration.relation, $1.offset)
      }.map(\.element)
    }
    var declarations: [RelationDeclaration] = []
    var places: [JSONNode] = []
    for (declaration, place) in found {
      if let last = declarations.last, last.relation == declaration.relation,
        let first = places.last
      {
        declarations[declarations.count - 1] = try parser.joined(last, first, declaration, place)
      } else {
        declarations.append(declaration)
        places.append(place)
      }
    }
    self.declarations = Declarations(relations: declarations)
    self.places = places
  }

  /// Checks that the declarations are about relations of a model, and that stores open with both.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - modelPath: The path of its file, for messages.
  ///   - path: The path of this file in findings.
  /// - Returns: An error for each declaration about another element, or without the index that it needs, and a warning
  ///   for each about none.
  /// - Complexity: O(*n*) in the number of declarations and elements.
  public func check(against model: Model, _ modelPath: String, path: String) -> [Finding] {
    if declarations.isEmpty { return [] }
    let kinds = model.declarable
    return zip(declarations.relations, places).compactMap { declaration, place in
      let role = kinds[declaration.relation]
      if let mismatch = declaration.mismatch(with: role) {
        return finding(
          DeclarationRule.rule(of: mismatch), mismatch.message, mismatch.advice, path, place)
      }
      if role != nil { return nil }
      return finding(
        DeclarationRule.unknown, "\(declaration.label) is not in \(modelPath)", "generate again",
        path, place)
    }
  }

  private func finding(
    _ rule: Rule, _ message: String, _ advice: String, _ path: String, _ place: JSONNode
  ) -> Finding {
    let range = json.range(of: place)
    let start = json.position(at: range.lowerBound)
    let end = json.position(at: range.upperBound)
    return Finding(
      rule: rule, message: message, advice: advice, path: path,
      region: SourceRegion(
        line: start.line, column: start.column, endLine: end.line, endColumn: end.column),
      sourceLine: json.sourceLine(at: range.lowerBound))
  }
}

extension RelationDeclaration {
  /// The name and the UID, for messages.
  package var label: String { name.isEmpty ? "\(relation)" : "\(name) (\(relation))" }
}

/// The reason why a file of declarations cannot be read.
public struct DeclarationsError: Error, Hashable, Sendable {
  /// The reason, in one sentence without a trailing period.
  public let message: String
  /// The advice on what to do next; nil if the message says it.
  public let advice: String?
  /// The place in the text.
  public let position: JSONPosition
  /// Whether the text has conflict markers.
  package let isConflict: Bool
  let rule: Rule

  init(
    _ message: String, _ advice: String?, _ position: JSONPosition,
    rule: Rule = DeclarationRule.unreadable, isConflict: Bool = false
  ) {
    self.isConflict = isConflict
    self.message = message
    self.advice = advice
    self.position = position
    self.rule = rule
  }

  fileprivate init(_ error: JSONError) {
    let isConflict = error.code == .conflictMarkers
    self.init(
      isConflict ? "has conflict markers" : error.message,
      isConflict ? "take either side and generate again" : "generate again", error.position,
      isConflict: isConflict)
  }

  /// The error as a finding that printers take.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - bytes: The text that could not be read.
  /// - Returns: A finding at the place of the error, with its line.
  /// - Complexity: O(*n*) in the size of the text.
  public func finding(path: String, bytes: [UInt8]) -> Finding {
    Finding(
      rule: rule, message: message, advice: advice, path: path,
      region: SourceRegion(
        line: position.line, column: position.column, endLine: position.line,
        endColumn: position.column + 1),
      sourceLine: SourceLine(at: position, in: bytes))
  }
}

extension DeclarationsError: CustomStringConvertible {
  /// The line, the reason and the advice.
  public var description: String {
    "line \(position.line): \(message)" + (advice.map { "; \($0)" } ?? "")
  }
}

/// Reads the parts of a file of declarations.
private struct DeclarationsParser {
  let json: JSONDocument

  private func failure(
    _ message: String, _ node: JSONNode, advice: String? = nil,
    rule: Rule = DeclarationRule.unreadable
  ) -> DeclarationsError {
    DeclarationsError(
      message, advice, json.position(at: json.range(of: node).lowerBound), rule: rule)
  }

  private func newer(_ key: JSONNode) -> DeclarationsError {
    failure("'\(json.key(key))' was written by a newer version", key)
  }

  /// The objects that stand for declarations.
  func list() throws(DeclarationsError) -> JSONElementNodes {
    let root = json.root
    guard json.kind(of: root) == .object, let version = json.value(forKey: "rules", in: root) else {
      throw failure("this is no file of rules: it has no \"rules\"", root)
    }
    guard json.isInteger(version) else {
      throw failure("'rules' must be the number of the format", version)
    }
    let format = json.text(of: version)
    let known = Declarations.formatVersion
    guard format == "\(known)" else {
      let isNewer = UInt64(format).map { $0 > known } ?? false
      throw failure(
        isNewer
          ? "format \(format) was written by a newer version; this one reads \(known)"
          : "there is no format \(format); 'rules' is \(known)", version)
    }
    var list: JSONNode?
    for (key, value) in json.memberNodes(of: root) where !json.key(key, equals: "rules") {
      guard json.key(key, equals: "declarations") else { throw newer(key) }
      list = value
    }
    guard let list, json.kind(of: list) == .array else {
      throw failure("'declarations' must be a list", list ?? root)
    }
    return json.elementNodes(of: list)
  }

  func declaration(_ node: JSONNode) throws(DeclarationsError) -> RelationDeclaration {
    guard json.kind(of: node) == .object else { throw failure("a declaration is an object", node) }
    var uid: UID?
    var result = RelationDeclaration(relation: 0, name: "")
    for (key, value) in json.memberNodes(of: node) {
      switch RelationDeclaration.Key(rawValue: json.key(key)) {
      case .relation: uid = try self.uid(value)
      case .name: result.name = try text(value, "'name' must be a text")
      case .sourceRemoved: result.sourceRemoved = try rule(value)
      case .targetRemoved: result.targetRemoved = try rule(value)
      case nil: throw newer(key)
      }
    }
    guard let uid else { throw failure("a declaration lacks its 'relation'", node) }
    result.relation = uid
    if result.sourceRemoved == nil, result.targetRemoved == nil {
      throw failure("\(result.label) has neither 'sourceRemoved' nor 'targetRemoved'", node)
    }
    return result
  }

  private func text(_ node: JSONNode, _ message: String) throws(DeclarationsError) -> String {
    guard json.kind(of: node) == .string else { throw failure(message, node) }
    return json.key(node)
  }

  private func uid(_ node: JSONNode) throws(DeclarationsError) -> UID {
    let text = try text(
      node, "a UID is a text, as many programs do not read large numbers exactly")
    guard let uid = UID(text), uid > 0, "\(uid)".hasSameBytes(as: text) else {
      throw failure("'\(text)' is no UID", node)
    }
    return uid
  }

  private func rule(_ node: JSONNode) throws(DeclarationsError) -> DeleteRule {
    let rules = DeleteRule.allCases.map(\.rawValue).joined(separator: ", ")
    let text = try text(node, "a rule is one of \(rules)")
    guard let rule = DeleteRule(rawValue: text) else {
      throw failure("'\(text)' is no rule", node, advice: "write one of \(rules)")
    }
    return rule
  }

  /// The declarations of the two sides of a relation in one.
  func joined(
    _ first: RelationDeclaration, _ firstPlace: JSONNode, _ second: RelationDeclaration,
    _ place: JSONNode
  ) throws(DeclarationsError) -> RelationDeclaration {
    func side(
      _ key: RelationDeclaration.Key, _ rule: KeyPath<RelationDeclaration, DeleteRule?>
    ) throws(DeclarationsError) -> DeleteRule? {
      if first[keyPath: rule] != nil, second[keyPath: rule] != nil {
        let line = json.position(at: json.range(of: firstPlace).lowerBound).line
        throw failure(
          "\(second.label) has a rule for '\(key.rawValue)' in line \(line) already", place,
          advice: "keep one of them", rule: DeclarationRule.repeated)
      }
      return first[keyPath: rule] ?? second[keyPath: rule]
    }
    var result = first
    result.sourceRemoved = try side(.sourceRemoved, \.sourceRemoved)
    result.targetRemoved = try side(.targetRemoved, \.targetRemoved)
    return result
  }
}
