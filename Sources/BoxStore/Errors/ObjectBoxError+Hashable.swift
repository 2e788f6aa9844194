extension ObjectBoxError: Hashable {
  /// The case, the code and the message; of an error of another library its text.
  private var identity: [String] {
    let name = Mirror(reflecting: self).children.first?.label ?? ""
    if case .unknown(let code, let message) = self { return [name, "\(code)", message] }
    return [name, message]
  }

  /// Whether two errors have the same case and message.
  ///
  /// Errors of other libraries are equal if their texts are.
  public static func == (a: ObjectBoxError, b: ObjectBoxError) -> Bool { a.identity == b.identity }

  /// Adds the case and the message to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
