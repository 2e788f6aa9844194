internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// A vector whose nearest neighbours are asked for, and the property that they are near by.
package struct NearestVector: Hashable, Sendable {
  /// The name of the property, between backquotes or as it is.
  package var property: String
  /// The elements.
  package var elements: [Float]

  /// Creates a vector.
  package init(_ property: String, _ elements: [Float]) {
    self.property = property
    self.elements = elements
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
