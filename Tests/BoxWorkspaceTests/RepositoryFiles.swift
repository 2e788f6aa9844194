import BoxSystem

@testable import BoxWorkspace

/// The files of this repository, for tests that compare its pages with them.
enum RepositoryFiles {
  static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The text of a file, by its path in the repository.
  static func text(_ path: String) throws -> String {
    String(decoding: try SourceFile.read(joinPath(root, path)).bytes, as: UTF8.self)
  }

  /// Whether a file or a directory exists, by its path in the repository.
  static func exists(_ path: String) -> Bool {
    ((try? fileAttributes(at: joinPath(root, path))) ?? nil) != nil
  }

  /// The names in a directory, by its path in the repository.
  static func names(in directory: String) -> [String] {
    namesInDirectory(joinPath(root, directory))
  }

  /// The paths of the files below a directory, as paths in the repository.
  static func paths(below directory: String) -> [String] {
    names(in: directory).flatMap { name in
      let path = joinPath(directory, name)
      return isDirectory(at: joinPath(root, path)) ? paths(below: path) : [path]
    }
  }
}
