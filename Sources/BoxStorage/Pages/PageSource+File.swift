#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension PageSource {
  /// Calls a function with the pages of a file, which is read and not mapped.
  ///
  /// - Throws: ``StorageError`` if the file cannot be read, and what `body` throws.
  package static func reading<R>(_ path: String, _ body: (PageSource) throws -> R) throws -> R {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw systemError(.notAStore, "open \(path)") }
    defer { close(file) }
    var attributes = stat()
    if fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(path)") }
    let source = PageSource(size: UInt64(attributes.st_size)) { offset, buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      if count < 0 { throw systemError(.other, "read \(path)") }
      return count
    }
    return try body(source)
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
}
