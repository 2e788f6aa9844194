package import BoxJSON

/// A small JSON file of version 1, with the places of its parts.
package struct PlanFile {
  package let document: JSONDocument

  /// Reads the text of a file.
  ///
  /// - Throws: ``PlanFileError`` if it is not an object with `"schemaVersion": 1`.
  package init(_ bytes: [UInt8], _ what: String) throws(PlanFileError) {
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes, options: .file)
    } catch {
      throw PlanFileError(message: error.message, position: error.position)
    }
    let root = document.root
    guard document.kind(of: root) == .object,
      let version = document.value(forKey: "schemaVersion", in: root)
    else { throw failure("this is not \(what): it has no schemaVersion", root) }
    guard document.text(of: version) == "1" else {
      throw failure("the schemaVersion is not 1, the one that this version reads", version)
    }
  }

  package func failure(_ message: String, _ node: JSONNode) -> PlanFileError {
    PlanFileError(
      message: message, position: document.position(at: document.range(of: node).lowerBound))
  }

  /// A failure at the value of a key.
  package func failure(_ message: String, _ key: String, _ node: JSONNode) -> PlanFileError {
    failure(message, document.value(forKey: key, in: node) ?? node)
  }

  /// The objects of a list of the root.
  package func elements(_ key: String) throws(PlanFileError) -> [JSONNode] {
    guard let list = document.value(forKey: key, in: document.root),
      document.kind(of: list) == .array
    else { throw failure("'\(key)' must be a list", key, document.root) }
    let elements = document.elements(of: list)
    for element in elements where document.kind(of: element) != .object {
      throw failure("'\(key)' is a list of objects", element)
    }
    return elements
  }

  /// The objects of a list of the root, which may be missing.
  package func optionalElements(_ key: String) throws(PlanFileError) -> [JSONNode] {
    document.value(forKey: key, in: document.root) == nil ? [] : try elements(key)
  }

  package func text(_ key: String, in node: JSONNode) throws(PlanFileError) -> String {
    guard let text = try optionalText(key, in: node) else {
      throw failure("'\(key)' is missing", node)
    }
    return text
  }

  package func optionalText(_ key: String, in node: JSONNode) throws(PlanFileError) -> String? {
    guard let value = document.value(forKey: key, in: node) else { return nil }
    guard document.kind(of: value) == .string else {
      throw failure("'\(key)' must be a text", value)
    }
    return document.key(value)
  }
}
