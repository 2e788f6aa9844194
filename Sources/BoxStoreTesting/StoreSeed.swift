internal import BoxSystem

/// The objects that a store for tests begins with.
///
/// ```swift
/// @Test(.store(.library, seed: "people.ndjson")) func many() throws { … }
/// @Test(.store(.library, seed: .generated(seed: 7, objects: 100))) func more() throws { … }
/// ```
public struct StoreSeed: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case file(String)
    case generated(seed: UInt64, objects: Int)
  }

  let source: Source

  /// The objects of a file, as `boxjoint import` reads them without further options: a dump, or lines that name
  /// their entity.
  ///
  /// The text that `contents()` returns is such a file.
  ///
  /// - Parameter path: The path; one that is relative begins in the directory of the source file that names the
  ///   seed.
  /// - Returns: The seed.
  public static func file(_ path: String) -> StoreSeed { StoreSeed(source: .file(path)) }

  /// Objects of all entities, which are the same on every machine.
  ///
  /// Each entity gets the objects with the ids from 1 on. Their relations to one and to many have objects too.
  /// Values of unique properties are unique. Few values are null, and all values of the type `flex`.
  ///
  /// - Parameters:
  ///   - seed: The number that decides about the values.
  ///   - objects: The number of objects of each entity; none below 1.
  /// - Returns: The seed.
  public static func generated(seed: UInt64, objects: Int) -> StoreSeed {
    StoreSeed(source: .generated(seed: seed, objects: objects))
  }

  /// The same seed with an absolute path.
  func resolved(beside sourceFile: String) -> StoreSeed {
    guard case .file(let path) = source, !path.hasPrefix("/") else { return self }
    return .file(joinPath(parentDirectory(of: sourceFile), path))
  }
}

extension StoreSeed: ExpressibleByStringLiteral {
  /// The objects of a file, as ``file(_:)``.
  public init(stringLiteral path: String) { self = .file(path) }
}
