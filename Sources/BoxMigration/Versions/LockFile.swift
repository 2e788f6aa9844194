internal import BoxJSON
package import BoxModel

/// The content of a file of locks; `Schemas/lock.schema.json` describes it.
package struct LockFile: Hashable, Sendable {
  /// The name of the file, beside the configuration.
  package static let fileName = ".boxjoint-lock.json"

  /// A version that must not be edited.
  package struct Locked: Hashable, Sendable {
    /// The file, or `REF:PATH`.
    package var source: String
    /// The fingerprints.
    package var lock: ModelLock

    /// Creates a locked version.
    package init(source: String, lock: ModelLock) {
      self.source = source
      self.lock = lock
    }
  }

  /// The versions, in the order of the file.
  package var versions: [Locked]

  /// Creates a file.
  package init(_ versions: [Locked] = []) { self.versions = versions }

  /// Reads a file.
  ///
  /// - Throws: ``PlanFileError`` with the place of what is wrong.
  /// - Complexity: O(*n*) in the size of the text.
  package init(parsing bytes: [UInt8]) throws(PlanFileError) {
    let file = try PlanFile(bytes, "a file of locks")
    versions = []
    for node in try file.elements("versions") {
      var entries: [ModelLock.Entry] = []
      guard let list = file.document.value(forKey: "entities", in: node),
        file.document.kind(of: list) == .array
      else { throw file.failure("'entities' must be a list", "entities", node) }
      for element in file.document.elements(of: list) {
        let text = try file.text("uid", in: element)
        guard let uid = UID(text), uid > 0 else {
          throw file.failure("a UID is a number in quotes", "uid", element)
        }
        entries.append(
          ModelLock.Entry(
            uid: uid, name: try file.text("name", in: element),
            fingerprint: try file.text("fingerprint", in: element)))
      }
      let source = try file.text("source", in: node)
      if versions.contains(where: { $0.source == source }) {
        throw file.failure("'\(source)' is locked twice", "source", node)
      }
      versions.append(Locked(source: source, lock: ModelLock(entries)))
    }
  }

  /// The content of the file, ending with a line feed.
  package var text: String {
    let value: JSONValue = [
      "schemaVersion": 1,
      "versions": .array(
        versions.map { version in
          [
            "source": .string(version.source),
            "entities": .array(
              version.lock.entries.map { entry in
                [
                  "uid": .string(String(entry.uid)), "name": .string(entry.name),
                  "fingerprint": .string(entry.fingerprint),
                ]
              }),
          ]
        }),
    ]
    return value.text() + "\n"
  }
}
