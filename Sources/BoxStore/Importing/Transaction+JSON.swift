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
  /// Integers are `Int64`, or `UInt64` where they do not fit, and other numbers `Double`. A member that is
  /// null is left out.
  ///
  /// - Throws: As ``importObjects(_:from:)``, and ``ObjectBoxError/illegalArgument(message:)`` for a text that
  ///   is not an object or an array of objects.
  /// - Complexity: As ``importObjects(_:from:)``.
  @discardableResult
  public func importObjects<T: Importable>(
    _ type: T.Type = T.self, fromJSON json: Data
  ) throws -> [T] where T == T.EntityBindingType.EntityType, T.ImportSource == [String: Any] {
    try importObjects(type, from: try JSONSources<JSONMembers>(json, JSONDecoder()).dictionaries)
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
      type, from: try JSONSources<JSONMembers>(json, JSONDecoder()).dictionaries,
      preprocess: preprocess)
  }
}

/// The sources in a JSON text: one, or an array of them.
private struct JSONSources<Source: Decodable>: Decodable {
  let sources: [Source]

  init(_ json: Data, _ decoder: JSONDecoder) throws {
    do {
      self = try decoder.decode(Self.self, from: json)
    } catch let error as DecodingError {
      // A decoder does not say where a text is no JSON.
      let words = Self.fault(in: json) ?? error.words
      throw ObjectBoxError.illegalArgument(message: "the JSON cannot be imported: \(words)")
    }
  }

  /// The first error of a text that is no JSON, with its line and column; nil for JSON.
  private static func fault(in json: Data) -> String? {
    do throws(JSONError) {
      _ = try JSONDocument(parsing: Array(json))
      return nil
    } catch {
      // A decoder takes one of them.
      if error.code == .duplicateKey { return nil }
      return "\(error.message), at line \(error.position.line), column \(error.position.column)"
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

extension JSONSources where Source == JSONMembers {
  var dictionaries: [[String: Any]] { sources.map(\.members) }
}

/// The members of a JSON object, as plain values.
private struct JSONMembers: Decodable {
  let members: [String: Any]

  init(from decoder: any Decoder) throws {
    members = try [String: JSONMember](from: decoder).compactMapValues(\.value)
  }
}

/// A value of JSON as a plain one; nil for null.
private struct JSONMember: Decodable {
  let value: Any?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = nil
    } else if let truth = try? container.decode(Bool.self) {
      value = truth
    } else if let integer = try? container.decode(Int64.self) {
      value = integer
    } else if let integer = try? container.decode(UInt64.self) {
      value = integer
    } else if let number = try? container.decode(Double.self) {
      value = number
    } else if let text = try? container.decode(String.self) {
      value = text
    } else if (try? decoder.unkeyedContainer()) != nil {
      // Null is an element too.
      value = try [JSONMember](from: decoder).map { $0.value as Any }
    } else {
      value = try JSONMembers(from: decoder).members
    }
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
    case .dataCorrupted(let found): (context, reason) = (found, found.debugDescription)
    @unknown default: return "\(self)"
    }
    let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
    return path.isEmpty ? reason : "\(reason), at \(path.joined(separator: "."))"
  }
}
