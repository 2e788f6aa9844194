public import BoxJSON

/// An element of the input that cannot be imported, with the reason.
public struct ImportIssue: Error, Hashable, Sendable {
  /// The file as the user named it.
  public var file: String
  /// The place in the file.
  public var position: JSONPosition?
  /// The entity of the object, or the relation.
  public var entity: String?
  /// The property of the value.
  public var property: String?
  /// The value, shortened.
  public var value: String?
  /// The reason, in one sentence without a trailing period.
  public var message: String
  /// The way out, if it is an option of the caller.
  public var remedy: DumpRemedy?

  /// Creates an issue.
  public init(
    _ message: String, file: String, position: JSONPosition? = nil, entity: String? = nil,
    property: String? = nil, value: String? = nil, remedy: DumpRemedy? = nil
  ) {
    self.remedy = remedy
    self.message = message
    self.file = file
    self.position = position
    self.entity = entity
    self.property = property
    self.value = value
  }

  /// The issue, of a file where it names none.
  func located(_ path: String) -> ImportIssue {
    var issue = self
    if issue.file.isEmpty { issue.file = path }
    return issue
  }

  /// The element as it is in the input, to be written to the rejects.
  var element: RejectedElement?
}

/// An element that was rejected.
struct RejectedElement: Hashable, Sendable {
  /// The name of its entity or relation.
  var name: String?
  /// Its text.
  var text: [UInt8]
  /// Whether the text is a line with the name in it, and not the object alone.
  var isLine: Bool
  /// The header of delimited text, empty for a file without one; nil for JSON.
  var header: [UInt8]?
}

extension ImportIssue: CustomStringConvertible {
  /// Entity, property and message, without the place.
  public var description: String {
    var text = ""
    if let entity { text += entity + (property.map { ".\($0)" } ?? "") + ": " }
    return text + message
  }

  /// The issue as JSON.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [.init("file", .string(file))]
    if let position {
      members.append(.init("line", .int(position.line)))
      members.append(.init("column", .int(position.column)))
    }
    if let entity { members.append(.init("entity", .string(entity))) }
    if let property { members.append(.init("property", .string(property))) }
    if let value { members.append(.init("value", .string(value))) }
    members.append(.init("message", .string(message)))
    return .object(members)
  }
}

extension String {
  /// The text in quotes, cut after forty characters, for messages.
  var quotedForDisplay: String {
    let scalars = unicodeScalars
    var result = "\""
    result.unicodeScalars.append(contentsOf: scalars.prefix(40))
    return result + (scalars.count > 40 ? "…\"" : "\"")
  }
}
