package import BoxJSON
package import BoxModel
internal import BoxSources

/// The versions of the model of a target that were kept for stores of earlier releases, in the order of their
/// releases.
package struct KeptVersions: Sendable {
  /// A version.
  package struct Version: Hashable, Sendable {
    package var name: String
    /// The model file.
    package var model: [UInt8]
    package var constants: SourceConstants

    package init(name: String, model: [UInt8], constants: SourceConstants) {
      self.name = name
      self.model = model
      self.constants = constants
    }
  }

  /// The reason why versions cannot be read, or one cannot be kept.
  package struct Failure: Error, Hashable, Sendable {
    package var message: String
    /// Whether the name is not one that a version can have.
    package var isName = false
  }

  package private(set) var versions: [Version] = []

  /// Creates a list without versions.
  package init() {}

  /// Reads the list.
  ///
  /// - Parameters:
  ///   - list: The list, as ``list`` writes it.
  ///   - model: The model file of a version, by its name.
  /// - Throws: ``Failure`` if it is not such a list, and the error of `model`.
  package init(_ list: [UInt8], model: (String) throws -> [UInt8]) throws {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: list)
    } catch {
      throw Failure(message: "the list of versions is not JSON: \(error.message)")
    }
    func member(_ key: String, _ node: JSONNode) -> JSONNode? {
      document.value(forKey: key, in: node)
    }
    guard let entries = member("versions", document.root), document.kind(of: entries) == .array
    else {
      throw Failure(message: "the list of versions has no array \"versions\"")
    }
    for node in document.elements(of: entries) {
      guard let name = member("name", node).map({ document.key($0) }), Self.isName(name) else {
        throw Failure(message: "the list of versions has one without a valid name")
      }
      guard let members = member("constants", node), let zeros = member("zeros", node) else {
        throw Failure(message: "version \(name) of the list lacks constants or zeros")
      }
      var constants = SourceConstants()
      for (key, value) in document.memberNodes(of: members) {
        let expression = document.key(value)
        // It becomes code: nothing but a value may be in it.
        guard let uid = UID(document.key(key)), ConstantExpression.isOne(expression) else {
          throw Failure(
            message:
              "version \(name) of the list has an invalid constant: \(document.text(of: key))")
        }
        constants.values.append(.init(uid: uid, expression: expression))
      }
      for zero in document.elements(of: zeros) {
        guard let uid = UID(document.key(zero)) else {
          throw Failure(message: "version \(name) of the list has a zero that is not a UID")
        }
        constants.zeros.append(uid)
      }
      let file = try model(name)
      do throws(ModelError) {
        _ = try ModelDocument(parsing: file)
      } catch {
        throw Failure(message: "the model file of version \(name) cannot be read: \(error.message)")
      }
      let count = versions.count
      try keep(Version(name: name, model: file, constants: constants))
      if versions.count == count { throw Failure(message: "version \(name) is listed twice") }
    }
  }

  /// Whether a text can be the name of a version, and of its file.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && name.first != "." && name != "versions"
      // Such a file has the rules about removals of another version.
      && !name.lowercased().hasSuffix(".rules")
      && name.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.properties.isAlphabetic || (48...57).contains(byte)
          || "-._".unicodeScalars.contains(scalar)
      }
  }

  /// Adds a version; one that is kept already must be the same.
  ///
  /// - Throws: ``Failure`` for a name that no file can have, and for one of another version, whatever its case.
  package mutating func keep(_ version: Version) throws(Failure) {
    guard Self.isName(version.name) else {
      throw Failure(
        message:
          "'\(version.name)' is not the name of a version: use letters, digits, '.', '-' and '_'",
        isName: true)
    }
    // Names that differ in case alone are one file on some disks.
    let name = version.name.lowercased()
    guard let old = versions.first(where: { $0.name.lowercased() == name }) else {
      return versions.append(version)
    }
    if old != version {
      throw Failure(
        message:
          "version \(old.name) is kept already with another model or other constants; stores may have it, "
          + "so choose another name")
    }
  }

  /// The list, as JSON; the model files are beside it.
  package var list: [UInt8] {
    let entries = versions.map { version -> JSONValue in
      [
        "name": .string(version.name),
        "constants": .object(
          version.constants.values.map { .init(String($0.uid), .string($0.expression)) }),
        "zeros": .array(version.constants.zeros.map { .string(String($0)) }),
      ]
    }
    var writer = JSONTextWriter(capacity: 1024)
    writer.append(value: ["versions": .array(entries)])
    return writer.bytes + [10]
  }

  /// The Swift file with the versions.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - visibility: The access level.
  /// - Returns: The file, as UTF-8.
  /// - Complexity: O(*n*) in the sizes of the models.
  package func code(of target: String, _ visibility: Visibility) -> [UInt8] {
    let access = visibility == .public ? "public " : ""
    let expressions = versions.flatMap { $0.constants.values.map(\.expression) }
    var result = BindingWriter.bytes(
      [
        SwiftFile.versionsMark + ". Do not edit.", "// swift-format-ignore-file",
        "// swiftlint:disable all", "", "\(access)import BoxStore",
      ])
    if expressions.contains(where: { $0.contains("Data") || $0.contains("Date") }) {
      result += BindingWriter.bytes(BindingWriter.importOfFoundation(access))
    }
    result += BindingWriter.bytes(["", "nonisolated extension StoreModel {"])
    for (number, version) in versions.enumerated() {
      BindingWriter.appendModel(
        "private static let version\(number + 1)", of: "version \(version.name)", version.model,
        version.constants, to: &result)
      result.append(10)
    }
    let name = BindingWriter.modelName(of: target).filter { $0 != "`" } + "Versions"
    result += BindingWriter.bytes(
      [
        "  /// The earlier versions of the model of this target, the oldest first.",
        "  \(visibility.rawValue) static let \(name): [(name: String, model: StoreModel)] = [",
      ]
        + versions.enumerated().map { "    (\"\($1.name)\", version\($0 + 1))," } + ["  ]", "}"])
    return result
  }
}
