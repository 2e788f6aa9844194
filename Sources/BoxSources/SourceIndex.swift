#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of a target that were not looked into yet, and what they may declare.
///
/// Entities of a large target have thousands of names. So each file is searched for declarations once, when the first
/// name is asked for, and not once for each name.
package struct SourceIndex {
  /// The files in their order; nil for those that were taken.
  private var files: [SwiftFile?]
  /// The positions of the files that declare a name; nil until a name is asked for.
  private var declaring: [String: [Int]]?

  /// Creates the index of files.
  package init(_ files: [SwiftFile]) { self.files = files }

  /// Takes the files that may declare an entity.
  ///
  /// - Complexity: O(*n*) in the size of the files.
  package mutating func takeEntities(prefix: String) -> [SwiftFile] {
    takeFiles(files.indices.filter { files[$0]?.mayHoldEntity(prefix: prefix) ?? false })
  }

  /// Takes the files that may declare, or extend, a type of one of some names.
  ///
  /// - Complexity: O(*n*) in the size of the files the first time, then O(*m*) in the number of names.
  package mutating func takeFiles(declaring names: Set<String>) -> [SwiftFile] {
    let declaring = declaring ?? positions()
    self.declaring = declaring
    return takeFiles(Set(names.flatMap { declaring[$0] ?? [] }).sorted())
  }

  private mutating func takeFiles(_ positions: [Int]) -> [SwiftFile] {
    positions.compactMap { position in
      defer { files[position] = nil }
      return files[position]
    }
  }

  private func positions() -> [String: [Int]] {
    var positions: [String: [Int]] = [:]
    for (position, file) in files.enumerated() {
      for name in file?.declaredNames ?? [] { positions[name, default: []].append(position) }
    }
    return positions
  }
}

extension SwiftFile {
  /// Whether the file is text at all.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Whether the file may declare an entity: it has the word, or an annotation.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package func mayHoldEntity(prefix: String) -> Bool {
    contains("Entity") || contains(prefix + ":")
  }

  /// Whether the bytes of a text occur.
  package func contains(_ text: String) -> Bool {
    var isFound = false
    visitOccurrences(of: text) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  private static let keywords = [
    "enum", "typealias", "class", "struct", "extension", "actor", "protocol",
  ]

  /// The offsets of the keywords of types, ascending: those in comments, strings and longer words too.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package var typeKeywords: [Int] {
    var offsets: [Int] = []
    for keyword in Self.keywords {
      visitOccurrences(of: keyword) { start in
        offsets.append(start)
        return true
      }
    }
    return offsets.sorted()
  }

  /// The names after the keywords of types, those in comments and strings too.
  var declaredNames: Set<String> {
    var names: Set<String> = []
    for keyword in Self.keywords {
      visitOccurrences(of: keyword) { start in
        names.formUnion(self.names(at: start + keyword.utf8.count))
        return true
      }
    }
    return names
  }

  /// The names of a path such as `Library.Book` after white space; none if there is no white space.
  private func names(at start: Int) -> [String] {
    var end = start
    while end < bytes.count, bytes[end] <= 32 { end += 1 }
    if end == start { return [] }
    let first = end
    while end < bytes.count,
      bytes[end].isPartOfWord
        || [UInt8(ascii: "."), UInt8(ascii: "`")].contains(bytes[end])
    {
      end += 1
    }
    return String(decoding: bytes[first..<end], as: UTF8.self).split(separator: ".").map {
      String($0).withoutBackticks
    }
  }

  /// Visits the places of a text in the bytes, until the visitor returns false.
  ///
  /// The functions of the system are as fast in a build without optimisation.
  private func visitOccurrences(of text: String, _ visit: (Int) -> Bool) {
    var text = text
    text.withUTF8 { wanted in
      bytes.withUnsafeBytes { all in
        guard let base = all.baseAddress, let word = wanted.baseAddress else { return }
        var start = base
        let end = base + all.count
        while end - start >= wanted.count {
          guard let found = memchr(start, Int32(wanted[0]), end - start - wanted.count + 1) else {
            return
          }
          if memcmp(found, word, wanted.count) == 0, !visit(UnsafeRawPointer(found) - base) {
            return
          }
          start = UnsafeRawPointer(found) + 1
        }
      }
    }
  }
}
