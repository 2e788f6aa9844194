internal import BoxJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Transaction {
  /// Imports the objects of a JSON text, as ``importObjects(_:from:)``.
  ///
  /// The text is one source or an array of them, as the type of the sources decodes it.
  ///
  /// - Parameters:
  ///   - type: The entity type.
  ///   - json: The text.
  ///   - decoder: The decoder, with its strategies for dates and keys.
  /// - Returns: The objects.
  /// - Throws: As ``importObjects(_:from:)``, and ``ObjectBoxError/illegalArgument(message:)`` with the place
  ///   of what the text lacks.
  /// - Complexity: As ``importObjects(_:from:)``.
  @discardableResult
  public func importObjects<T: Importable>(
    _ type: T.Type = T.self, fromJSON json: Data, decoder: JSONDecoder = JSONDecoder()
  ) throws -> [T] where T == T.EntityBindingType.EntityType, T.ImportSource: Decodable {
    try importObjects(type, from: try JSONSources<T.ImportSource>(json, decoder).sources)
  }

  /// Imports the objects of a JSON text whose sources are dictionaries, as ``importObjects(_:from:)``.
  ///
  /// ```swift
  /// try store.runInTransaction { transaction in
  ///   try transaction.importObjects(Book.self, fromJSON: json)
  /// }
  /// ```
  ///
  /// Integers are `Int64`, or `UInt64` where they do not fit, and other numbers `Double`: the nearest one to a
  /// fraction. A member that is null is left out.
  ///
  /// - Throws: As ``importObjects(_:from:)``, and ``ObjectBoxError/illegalArgument(message:)`` for a text that
  ///   is not an object or an array of objects, has a key twice, or a number that a `Double` lacks, such as an integer
  ///   of 70 bits, with the place.
  /// - Complexity: As ``importObjects(_:from:)``.
  @discardableResult
  public func importObjects<T: Importable>(
    _ type: T.Type = T.self, fromJSON json: Data
  ) throws -> [T] where T == T.EntityBindingType.EntityType, T.ImportSource == [String: Any] {
    try importObjects(type, from: try JSONDocument(importing: json).dictionaries())
  }

  /// Imports the unique objects of a JSON text, as ``importUniqueObjects(_:from:preprocess:)`` and
  /// ``importObjects(_:fromJSON:decoder:)``.
  ///
  /// - Throws: As there.
  /// - Complexity: As there.
  @discardableResult
  public func importUniqueObjects<T: UniquelyImportable>(
    _ type: T.Type = T.self, fromJSON json: Data, decoder: JSONDecoder = JSONDecoder(),
    preprocess: (inout [T.UniqueID: T.ImportSource]) throws -> Void = { _ in }
  ) throws -> [T]
  where T == T.EntityBindingType.EntityType, T == T.EntityType, T.ImportSource: Decodable {
    try importUniqueObjects(
      type, from: try JSONSources<T.ImportSource>(json, decoder).sources, preprocess: preprocess)
  }

  /// Imports the unique objects of a JSON text whose sources are dictionaries, as
  /// ``importUniqueObjects(_:from:preprocess:)`` and ``importObjects(_:fromJSON:)``.
  ///
  /// - Throws: As there.
  /// - Complexity: As there.
  @discardableResult
  public func importUniqueObjects<T: UniquelyImportable>(
    _ type: T.Type = T.self, fromJSON json: Data,
    preprocess: (inout [T.UniqueID: T.ImportSource]) throws -> Void = { _ in }
  ) throws -> [T]
  where T == T.EntityBindingType.EntityType, T == T.EntityType, T.ImportSource == [String: Any] {
    try importUniqueObjects(
      type, from: try JSONDocument(importing: json).dictionaries(),
      preprocess: preprocess)
  }
}

/// The sources in a JSON text: one, or an array of them.
private struct JSONSources<Source: Decodable>: Decodable {
  let sources: [Source]

  init(_ json: Data, _ decoder: JSONDecoder) throws {
    // A decoder accepts some texts that are not JSON, and its errors have no position.
    _ = try JSONDocument(importing: json)
    do {
      self = try decoder.decode(Self.self, from: json)
    } catch let error as DecodingError {
      throw ObjectBoxError.illegalArgument(
        message: "the JSON cannot be imported: \(error.words)")
    }
  }

  init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      sources = try [Source](from: decoder)
    } else {
      sources = [try Source(from: decoder)]
    }
  }
}

extension JSONDocument {
  /// Reads a text that is imported.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` with the line and the column of the syntax error.
  fileprivate init(importing json: Data) throws {
    do throws(JSONError) {
      try self.init(parsing: Array(json))
    } catch {
      throw Self.refusal(error.message, at: error.position)
    }
  }

  private static func refusal(_ words: String, at position: JSONPosition) -> ObjectBoxError {
    .illegalArgument(
      message:
        "the JSON cannot be imported: \(words), at line \(position.line), column \(position.column)"
    )
  }

  /// The sources that are dictionaries: the object, or the objects of the array.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for anything else, and a number that no plain value has.
  fileprivate func dictionaries() throws -> [[String: Any]] {
    try (kind(of: root) == .array ? elements(of: root) : [root]).map { node in
      guard kind(of: node) == .object else {
        throw Self.refusal("a source is an object", at: position(of: node))
      }
      return try members(node)
    }
  }

  private func members(_ object: JSONNode) throws -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in members(of: object) {
      if let value = try plain(value) { result[self.key(key)] = value }
    }
    return result
  }

  /// A value as a plain one; nil for null.
  private func plain(_ node: JSONNode) throws -> Any? {
    switch value(of: node) {
    case .null: return nil
    case .bool(let value): return value
    case .string(let text): return text
    case .int(let integer): return Int64(integer)
    case .uint(let integer): return integer
    // Null is an element too.
    case .array: return try elements(of: node).map { try plain($0) as Any }
    case .object: return try members(node)
    case .double, .number:
      let digits = text(of: node)
      guard let number = Double(digits), Self.holds(digits, number) else {
        throw Self.refusal("no number of 64 bits is \(digits.prefix(40))", at: position(of: node))
      }
      return number
    }
  }

  /// Whether a number stands for digits: it is the nearest one to a fraction, and equal to what has none.
  private static func holds(_ digits: String, _ number: Double) -> Bool {
    guard number.isFinite, let exact = JSONDecimal(digits) else { return false }
    if JSONDecimal(number.description) == exact { return true }
    return number.rounded() != number
  }

  private func position(of node: JSONNode) -> JSONPosition {
    position(at: range(of: node).lowerBound)
  }
}

extension DecodingError {
  /// The place and the reason.
  fileprivate var words: String {
    let (context, reason): (Context, String)
    switch self {
    case .keyNotFound(let key, let found):
      (context, reason) = (found, "\(key.stringValue) is missing")
    case .typeMismatch(let type, let found): (context, reason) = (found, "a value is not a \(type)")
    case .valueNotFound(let type, let found): (context, reason) = (found, "a \(type) is null")
    case .dataCorrupted(let found):
      let cause = found.underlyingError.map { ": \($0)" } ?? ""
      (context, reason) = (found, found.debugDescription + cause)
    @unknown default: return "\(self)"
    }
    let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
    return path.isEmpty ? reason : "\(reason), at \(path.joined(separator: "."))"
  }
}
