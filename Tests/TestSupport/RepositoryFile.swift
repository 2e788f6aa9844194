public import Testing

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file of the repository that the tests are in.
public enum RepositoryFile {
  /// The path of the repository.
  public static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The text of a file, by its path in the repository.
  public static func text(of path: String) throws -> String {
    let file = try #require(fopen("\(root)/\(path)", "r"), "\(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
