package import BoxConvert
internal import BoxJSON
internal import BoxReport

/// The content of a `.boxjoint.yml`.
package struct ConfigurationFile: Hashable, Sendable {
  /// The name of the file.
  package static let name = ".boxjoint.yml"

  /// The path under which the file was found.
  package var path: String
  /// The settings of the file; a key that the file does not name is missing.
  package var settings: [SettingKey: Setting]
  /// The catalogue of converters, or the path of its file; nil if the file names none.
  package var converters: CatalogueNode?
  /// The place of ``ConsentPolicy/key``, which only the user may set; in the file of a change under review.
  private(set) var consentPosition: JSONPosition?

  private static let convertersKey = "converters"

  /// Reads and checks a file.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be read, and
  ///   `badConfiguration` with the place if it is not YAML, or has an unknown key or an invalid
  ///   value.
  package static func read(_ path: String) throws(CommandFailure) -> ConfigurationFile {
    try parse(try SourceFile.read(path).bytes, path: path)
  }

  /// Reads the file of a change under review, which can also have a setting that only the user may have.
  ///
  /// - Throws: ``CommandFailure`` as ``read(_:)``.
  static func read(reviewed path: String) throws(CommandFailure) -> ConfigurationFile {
    try parse(try SourceFile.read(path).bytes, path: path, isReviewed: true)
  }

  /// Reads and checks a file that the user named: a path or `REF:PATH`.
  ///
  /// - Throws: ``CommandFailure`` as ``read(_:)``.
  package static func read(
    named argument: String, in place: Workspace
  ) async throws(CommandFailure) -> ConfigurationFile {
    let source = try await SourceReference(argument).read(in: place, decides: true)
    return try parse(source.bytes, path: argument)
  }

  /// Checks the content of a file.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` and the place of what is wrong.
  package static func parse(
    _ bytes: [UInt8], path: String, isReviewed: Bool = false
  ) throws(CommandFailure) -> ConfigurationFile {
    let root: YAMLNode?
    do {
      root = try YAMLReader.read(bytes)
    } catch {
      throw CommandFailure(
        .badConfiguration, error.message, path: path, position: error.position)
    }
    var file = ConfigurationFile(path: path, settings: [:])
    guard let root, !root.isNull else { return file }
    try file.addSettings(root, prefix: "")
    if let position = file.consentPosition, !isReviewed {
      throw file.failure(ConsentPolicy.refusal, position)
    }
    return file
  }

  /// Adds the members of a mapping whose keys continue a prefix, such as `check.`.
  private mutating func addSettings(_ node: YAMLNode, prefix: String) throws(CommandFailure) {
    guard case .mapping(let members) = node.content else {
      let what = prefix.isEmpty ? "the file" : "'\(prefix.dropLast())'"
      throw failure("\(what) must be a mapping of keys to values", node.position)
    }
    for member in members {
      let name = prefix + member.key
      if name == Self.convertersKey {
        // The commands that need the catalogue parse it.
        converters = member.value.isNull ? nil : member.value.catalogueNode
      } else if ConsentPolicy.key.hasPrefix(name + ".") {
        consentPosition = member.keyPosition
      } else if let key = SettingKey(rawValue: name) {
        settings[key] = try list(member.value, key)
      } else if SettingKey.allCases.contains(where: { $0.rawValue.hasPrefix(name + ".") }),
        !member.key.isEmpty
      {
        if !member.value.isNull { try addSettings(member.value, prefix: name + ".") }
      } else {
        throw unknownKey(member, prefix: prefix)
      }
    }
  }

  private func list(_ node: YAMLNode, _ key: SettingKey) throws(CommandFailure) -> Setting {
    if node.isNull { return Setting(entries: [], isDefault: false) }
    let elements: [YAMLNode]
    switch node.content {
    case .sequence(let list): elements = list
    // A list of one may be written without brackets.
    case .scalar: elements = [node]
    case .mapping: throw failure("'\(key.rawValue)' must be a list of texts", node.position)
    }
    var setting = Setting(entries: [], isDefault: false)
    for element in elements {
      guard case .scalar(let text, _) = element.content else {
        throw failure("'\(key.rawValue)' must be a list of texts", element.position)
      }
      if let problem = key.problem(of: text) { throw failure(problem, element.position) }
      setting.entries.append(
        Setting.Entry(text: text, origin: .file(path: path, position: element.position)))
    }
    return setting
  }

  private func unknownKey(_ member: YAMLNode.Member, prefix: String) -> CommandFailure {
    var known: [String] = []
    for key in SettingKey.allCases.map(\.rawValue) + [Self.convertersKey]
    where key.hasPrefix(prefix) {
      guard let name = key.dropFirst(prefix.count).split(separator: ".").first.map(String.init),
        !known.contains(name)
      else { continue }
      known.append(name)
    }
    let name = prefix + member.key
    var message = "there is no setting '\(name)'"
    if let guess = nearestName(to: member.key, among: known) {
      message += "; did you mean '\(prefix + guess)'?"
    } else {
      message += "; there are: " + known.map { prefix + $0 }.joined(separator: ", ")
    }
    return failure(message, member.keyPosition)
  }

  private func failure(_ message: String, _ position: JSONPosition) -> CommandFailure {
    CommandFailure(.badConfiguration, message, path: path, position: position)
  }
}
