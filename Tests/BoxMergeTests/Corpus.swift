import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Real model files beside the repository, which tests look at where they are.
enum Corpus {
  /// `../shared/corpus`, seen from the top of the package, or what `BOXJOINT_CORPUS` names.
  static let path: String = {
    if let named = getenv("BOXJOINT_CORPUS") { return String(cString: named) }
    return "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
      + "/shared/corpus"
  }()

  static let isThere = access(path, R_OK) == 0

  static func names(in folder: String) throws -> [String] {
    try TemporaryFolder().names(in: path + "/" + folder)
  }

  static func bytes(of file: String) throws -> [UInt8] {
    try TemporaryFolder().bytes(of: file)
  }

  /// The rows of a table, by the names of its columns; no value that is used has a comma in it.
  static func rows(_ name: String) throws -> [[String: String]] {
    let text = String(decoding: try bytes(of: path + "/" + name), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }
}
