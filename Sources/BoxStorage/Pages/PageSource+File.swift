#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension PageSource {
  /// Calls a function with the pages of a file, which is read and not mapped.
  ///
  /// - Throws: ``StorageError`` if the file cannot be read, and the error of `body`.
  package static func reading<R>(_ path: String, _ body: (PageSource) throws -> R) throws -> R {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw systemError(.notAStore, "open \(path)") }
    defer { close(file) }
    return try body(reading(file, path))
  }

  /// The pages of an open file, which stays open as long as they are read.
  ///
  /// - Parameters:
  ///   - file: A descriptor that is open for reading.
  ///   - path: The name of the file in errors.
  /// - Returns: The pages.
  /// - Throws: ``StorageError`` if the file cannot be inspected.
  static func reading(_ file: Int32, _ path: String) throws(StorageError) -> PageSource {
    var attributes = stat()
    if unsafe fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
    let reader = unsafe ReadAhead { (offset, buffer) throws(StorageError) in
      let count = unsafe pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      if count < 0 { throw systemError(.other, "read \(path)") }
      return count
    }
    return unsafe PageSource(size: UInt64(attributes.st_size)) { offset, buffer in
      try unsafe reader.fill(buffer, from: offset)
    }
  }
}

extension PageReport {
  /// The kinds of the named spaces; nil for one whose flags no kind has.
  package var spaceKinds: [String: SpaceKind?] {
    let named = databases.compactMap { database in
      database.name.map { name in
        let kind = [SpaceKind.records, .integerSets, .byteSets, .bytes].first {
          $0.lmdbFlags == UInt32(database.flags.rawValue)
        }
        return (name, kind)
      }
    }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// The reason why no storage can have made the databases of a file; nil if one can.
  ///
  /// LMDB compares integers without checking their size, so integers of another size than a space has would
  /// be read beyond their end.
  package var spaceProblem: String? {
    if main.flags != [] { return "its names are in another order" }
    let kinds = spaceKinds
    for database in databases {
      let sizes = [database.keySize, database.duplicateSize].compactMap(\.self)
      if let name = database.name, kinds[name] == .some(nil) || sizes.contains(where: { $0 != 8 }) {
        return "the database '\(name)' has keys or values of another kind"
      }
    }
    return nil
  }
}
