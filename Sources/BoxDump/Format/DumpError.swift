public import BoxJSON

/// The reason why a dump cannot be read or written, with its place.
public struct DumpError: Error, Hashable, Sendable {
  /// The kind of a failure, from which a tool derives its exit status.
  @nonexhaustive public enum Kind: Hashable, Sendable {
    /// The dump is not valid.
    case malformed
    /// The dump is cut off before its end.
    case cutOff
    /// The system refused to read or write.
    case inputOutput
    /// The request is wrong: a name that does not exist, a condition that cannot be parsed.
    case usage
    /// A configuration file is wrong: a converter that does not fit its property.
    case configuration
    /// The input exceeds the limits that the caller gave.
    case limit
    /// The input is valid, but the request cannot be carried out with it.
    case impossible
  }

  /// The kind of failure.
  public var kind: Kind
  /// One sentence without a trailing period.
  public var message: String
  /// The file, as the user named it; nil if only the caller knows it.
  public var path: String?
  /// The place in the file.
  public var position: JSONPosition?
  /// The way out, if it is an option of the caller.
  public var remedy: DumpRemedy?

  /// Creates an error, by default about the content of a dump.
  public init(
    _ message: String, kind: Kind = .malformed, path: String? = nil,
    position: JSONPosition? = nil, remedy: DumpRemedy? = nil
  ) {
    self.kind = kind
    self.message = message
    self.path = path
    self.position = position
    self.remedy = remedy
  }

  /// Creates the error of a text that is not JSON.
  ///
  /// - Parameters:
  ///   - error: The error of the parser.
  ///   - line: The line of the file that the text begins on, from 1.
  public init(_ error: JSONError, line: Int = 1) {
    self.init(
      error.message,
      position: JSONPosition(line: error.position.line + line - 1, column: error.position.column))
  }

  /// The same error in a dump: a premature end means that the dump was cut off.
  func inDump() -> DumpError {
    if kind != .cutOff || message.hasPrefix("the dump is cut off") { return self }
    var error = self
    error.message = "the dump is cut off here: " + message
    return error
  }

  /// The same error in a file.
  public func inFile(_ path: String) -> DumpError {
    var error = self
    if error.path == nil { error.path = path }
    return error
  }
}

extension DumpError: CustomStringConvertible {
  /// File, place and message.
  public var description: String {
    var text = ""
    if let path { text += path + ":" }
    if let position { text += "\(position.line):\(position.column):" }
    return text.isEmpty ? message : text + " " + message
  }
}
