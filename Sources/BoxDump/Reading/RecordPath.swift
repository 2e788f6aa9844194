internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// The place of the records in a document of JSON: `.results` for an array in a member, `.data.items` for one
/// deeper, and `.*` for the values of the members of an object.
///
/// Names that are no words are in backticks, as in conditions.
public struct RecordPath: Hashable, Sendable {
  /// The names of the members on the path to the records.
  public let members: [String]
  /// Whether the records are the values of members, and not the elements of an array.
  public let areMembers: Bool

  init(_ members: [String], areMembers: Bool = false) {
    self.members = members
    self.areMembers = areMembers
  }

  /// Reads a path; nil for any other text.
  public init?(_ text: String) {
    guard let path = Condition.path(text) else { return nil }
    self.init(path.names, areMembers: path.endsInStar)
  }
}

extension RecordPath: CustomStringConvertible {
  /// The path as it is read.
  public var description: String {
    members.map { "." + NamePath.quoted($0) }.joined() + (areMembers ? ".*" : "")
  }
}

extension RecordPath {
  /// The path to the records of a document that is not one itself; nil if nothing in it looks like records.
  ///
  /// - Complexity: O(*n*) in the size of the document.
  init?(guessing document: [UInt8]) {
    guard let parsed = try? JSONDocument(parsing: document),
      case .object = parsed.kind(of: parsed.root)
    else { return nil }
    self.init(in: parsed.exactValue(of: parsed.root), below: [])
  }

  private init?(in json: JSONValue, below path: [String]) {
    guard case .object(let members) = json, path.count < 4 else { return nil }
    for member in members {
      if case .array(let elements) = member.value, !elements.isEmpty,
        elements.allSatisfy(\.isRecord)
      {
        self.init(path + [member.key])
        return
      }
    }
    if members.count > 1, members.allSatisfy({ $0.value.isRecord }) {
      self.init(path, areMembers: true)
      return
    }
    for member in members {
      if let found = Self(in: member.value, below: path + [member.key]) {
        self = found
        return
      }
    }
    return nil
  }
}

extension JSONValue {
  fileprivate var isRecord: Bool {
    if case .object = self { ExtendedJSON(self) == nil } else { false }
  }
}
