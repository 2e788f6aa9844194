import BoxJSON
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Real model files are taken and refused as json-c does it; skipped where there are none.
struct CorpusTests {
  /// `../shared/corpus` beside the package.
  private static let root: String = {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(package)/../shared/corpus"
  }()

  private func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var result: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".json") { result.append(path) } else { result += files(in: path) }
    }
    return result
  }

  private func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  @Test func agreesWithJSONCOnEveryFile() throws {
    let oracle = JSONCOracle()
    var taken = 0
    var refused: [JSONError.Code: Int] = [:]
    for path in files(in: Self.root) {
      let bytes = try #require(read(path))
      var document: JSONDocument?
      do throws(JSONError) {
        document = try JSONDocument(parsing: bytes)
        taken += 1
      } catch {
        refused[error.code, default: 0] += 1
      }
      let (isTaken, difference) = oracle.compare(bytes, with: document)
      #expect(isTaken == (document != nil), "\(path)")
      #expect(difference == nil, "\(path)")
    }
    print("files taken: \(taken), refused: \(refused)")
  }

  @Test func conflictedFilesAreReportedAsThat() throws {
    // The file before the conflict and the one that ended it are beside the conflicted one.
    let paths = files(in: Self.root + "/conflicted").filter {
      !$0.hasSuffix(".before.json") && !$0.hasSuffix(".fixed.json")
    }
    for path in paths {
      let bytes = try #require(read(path))
      let error = #expect(throws: JSONError.self, "\(path)") { try JSONDocument(parsing: bytes) }
      guard let error else { continue }
      #expect(error.code == .conflictMarkers, "\(path): \(error)")
      #expect(bytes[error.offset...].starts(with: "<<<<<<<".utf8), "\(path)")
    }
  }
}
