package import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// A vector whose nearest neighbours are asked for, and the property that they are near by.
package struct NearestVector: Hashable, Sendable {
  /// The name of the property, between backquotes or as it is.
  package var property: String
  /// The elements; empty for the vector of an object until it is read.
  package var elements: [Float]
  /// The object whose vector is meant; nil for a vector that was given.
  package var object: UInt64?

  /// Creates a vector.
  package init(_ property: String, _ elements: [Float]) {
    self.property = property
    self.elements = elements
  }

  /// Creates the vector of an object.
  ///
  /// - Parameters:
  ///   - property: The property, between backquotes or as it is.
  ///   - object: The id of the object.
  package init(_ property: String, of object: UInt64) {
    self.init(property, [])
    self.object = object
  }

  /// The vector with its elements, read from the object that is meant.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if there is no such object, of the kind `usage` if it has
  ///   no vector, `StoreError` if the store cannot be read.
  /// - Complexity: O(log *n*), and O(*n*) in the size of the object.
  package func read(
    from entity: EntitySchema, in transaction: Transaction
  ) throws -> NearestVector {
    guard let id = object else { return self }
    var vector = self
    vector.property = entity.memberName(property)
    let name = NamePath.quoted(entity.name)
    guard let object = try transaction.get(entity, id) else {
      throw CommandFailure(
        .impossible,
        "there is no \(name) with id \(id), so it has no vector; name an object that exists")
    }
    guard entity.property(named: vector.property) != nil else {
      throw entity.unknown("property", vector.property, among: entity.properties.map(\.name))
    }
    guard case .floats(let elements)? = object.value(named: vector.property), !elements.isEmpty
    else {
      throw CommandFailure(
        .usage,
        "\(name) \(id) has no vector of floats in \(NamePath.quoted(vector.property)); name another object"
      )
    }
    vector.elements = elements
    return vector
  }

  /// Reads a vector such as `cover=[0.5,1]`, or `cover=@vector.json` from a file; `@-` is standard input.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for another text, `badInput` for a file without an
  ///   array of numbers, and as ``SourceFile/read(_:)``.
  package init(_ text: String) throws(CommandFailure) {
    let parts = NamePath.parts(of: text, at: "=", maxSplits: 1)
    guard parts.count == 2, !parts[0].isEmpty, parts[1] != "@",
      parts[1].hasPrefix("@") || parts[1].hasPrefix("[")
    else {
      throw CommandFailure(
        .usage,
        "'\(text)' is not a vector; write property=@vector.json or property=[0.5,1]")
    }
    property = parts[0]
    if parts[1].hasPrefix("@") {
      let source = try SourceFile.read(String(parts[1].dropFirst()))
      elements = try Self.elements(source.bytes, .badInput, path: source.path)
    } else {
      elements = try Self.elements(Array(parts[1].utf8), .usage, path: nil)
    }
  }

  private static func elements(
    _ bytes: [UInt8], _ kind: FailureKind, path: String?
  ) throws(CommandFailure) -> [Float] {
    let value: JSONValue
    do throws(JSONError) {
      let document = try JSONDocument(parsing: bytes, options: .file)
      value = document.value(of: document.root)
    } catch {
      throw CommandFailure(
        kind, error.message, path: path, position: path == nil ? nil : error.position)
    }
    guard case .array(let elements) = value else { throw notAVector(kind, path) }
    var result: [Float] = []
    for element in elements {
      guard let number = element.float else { throw notAVector(kind, path) }
      result.append(number)
    }
    return result
  }

  private static func notAVector(_ kind: FailureKind, _ path: String?) -> CommandFailure {
    CommandFailure(kind, "a vector is a JSON array of numbers, such as [0.5, 1]", path: path)
  }
}

extension JSONValue {
  fileprivate var float: Float? {
    switch self {
    case .int(let value): Float(value)
    case .uint(let value): Float(value)
    case .double(let value): Float(value)
    case .number(let digits): Float(digits)
    default: nil
    }
  }
}
