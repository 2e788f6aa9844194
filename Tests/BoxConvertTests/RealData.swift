import BoxJSON
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The JSON of `../shared/data` beside the package; it is not part of it.
enum RealData {
  private static let directory =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/../shared/data"

  static var isAvailable: Bool { access("\(directory)/countries.json", R_OK) == 0 }

  /// The elements of the array in a file.
  static func elements(_ name: String) throws -> [JSONValue] {
    guard let file = fopen("\(directory)/\(name).json", "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    let document = try JSONDocument(parsing: bytes)
    guard case .array(let elements) = document.value(of: document.root) else { return [] }
    return elements
  }
}
