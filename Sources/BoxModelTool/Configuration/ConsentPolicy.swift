internal import BoxJSON
internal import BoxReport
internal import BoxSystem

/// The consent that a user asks for before a command loses stored values: the setting `safety.confirm`.
///
/// It is read from the file of the user and from the environment, never from a repository: who may write to a repository
/// must not be able to switch it off.
package enum ConsentPolicy: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Nobody is asked, and no warning is printed.
  case never
  /// The code of the loss, or an answer at a terminal.
  case code
  /// An answer at a terminal.
  case terminal

  /// The key of the setting.
  static let key = "safety.confirm"
  /// The environment variable.
  static let variable = "BOXJOINT_CONFIRM"
  /// The file of the user, for messages.
  static let file = "~/.config/boxjoint.yml"

  /// The stricter one is greater.
  package static func < (left: ConsentPolicy, right: ConsentPolicy) -> Bool {
    left.strictness < right.strictness
  }

  private var strictness: Int {
    switch self {
    case .never: 0
    case .code: 1
    case .terminal: 2
    }
  }

  /// The policy in force: the stricter one of the file and of the environment; nil if neither has one.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` for a value that is not a policy and for a file that is
  ///   not YAML, `inputOutput` for one that cannot be read.
  package static func load(in place: Workspace) throws(CommandFailure) -> ConsentPolicy? {
    var policies: [ConsentPolicy] = []
    if let text = place.variable(variable) {
      guard let policy = ConsentPolicy(rawValue: text) else {
        throw CommandFailure(
          .badConfiguration, "environment variable \(variable): \(problem(of: text))")
      }
      policies.append(policy)
    }
    if let home = place.variable("HOME") {
      let path = joinPath(home, ".config/boxjoint.yml")
      if (try? entryExists(at: path)) ?? true, let policy = try read(path) {
        policies.append(policy)
      }
    }
    return policies.max()
  }

  /// The policy of a file of the user; nil if it has none.
  private static func read(_ path: String) throws(CommandFailure) -> ConsentPolicy? {
    let root: YAMLNode?
    let bytes = try SourceFile.read(path).bytes
    do throws(YAMLError) {
      root = try YAMLReader.read(bytes)
    } catch {
      throw CommandFailure(.badConfiguration, error.message, path: path, position: error.position)
    }
    guard let root, !root.isNull else { return nil }
    func member(_ node: YAMLNode, _ key: String, _ name: String) throws(CommandFailure) -> YAMLNode?
    {
      guard case .mapping(let members) = node.content else {
        throw CommandFailure(
          .badConfiguration, "\(name) must be a mapping of keys to values", path: path,
          position: node.position)
      }
      if let other = members.first(where: { $0.key != key }) {
        throw CommandFailure(
          .badConfiguration, "there is no setting '\(other.key)' here; there is: \(Self.key)",
          path: path, position: other.keyPosition)
      }
      return members.first?.value
    }
    guard let safety = try member(root, "safety", "the file"), !safety.isNull,
      let value = try member(safety, "confirm", "'safety'"), !value.isNull
    else { return nil }
    guard case .scalar(let text, _) = value.content, let policy = ConsentPolicy(rawValue: text)
    else {
      let text = if case .scalar(let text, _) = value.content { text } else { "a list" }
      throw CommandFailure(
        .badConfiguration, "'\(key)': \(problem(of: text))", path: path, position: value.position)
    }
    return policy
  }

  private static func problem(of text: String) -> String {
    let words = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return "'\(text)' is not one of \(words)"
  }

  /// The refusal of the setting in a file of a repository.
  static let refusal =
    "'\(key)' is read from \(file) and \(variable) only, so that a repository cannot switch it off"
}
