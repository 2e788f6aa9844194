public import BoxJSON

/// A place in one of the inputs of an inference.
public struct InferencePlace: Hashable, Sendable, Comparable {
  /// The number of the input.
  var input: Int
  /// The file, as the user named it.
  public var file: String
  /// The place in the file.
  public var position: JSONPosition

  /// Orders by input, line and column.
  public static func < (a: InferencePlace, b: InferencePlace) -> Bool {
    (a.input, a.position.line, a.position.column) < (b.input, b.position.line, b.position.column)
  }
}

extension InferencePlace: CustomStringConvertible {
  /// `file:line:column`.
  public var description: String { "\(file):\(position.line):\(position.column)" }
}
