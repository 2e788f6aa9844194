internal import BoxRecovery
internal import BoxSystem

/// The files below a directory that may hold a model or a part of one.
struct DirectoryWalk {
  /// Files of code.
  private(set) var code: [String] = []
  /// Files with the end `.json`.
  private(set) var models: [String] = []
  /// Files with the end `.bak`.
  private(set) var backups: [String] = []
  /// Directories with the data file of a database, which may be a store.
  private(set) var databases: [String] = []
  /// Whether there was more than is looked at.
  private(set) var isCutOff = false

  /// The number of entries that are looked at.
  private static let maximumEntries = 1_000_000
  private static let maximumDepth = 64

  /// Walks over a directory, or looks at one file.
  ///
  /// Links are not followed, and the directory of git is not entered. Directories of builds are read: they
  /// have most generated code.
  ///
  /// - Complexity: O(*n*) in the number of entries.
  init(_ path: String) {
    var count = 0
    var waiting: [(path: String, depth: Int)] = [(path, 0)]
    while let (directory, depth) = waiting.popLast() {
      if StoredModel.hasData(directory) { databases.append(directory) }
      let names = namesInDirectory(directory, limit: Self.maximumEntries)
      for name in names.sorted(by: >) {
        count += 1
        guard count <= Self.maximumEntries else {
          isCutOff = true
          return
        }
        let entry = directory == "." ? name : joinPath(directory, name)
        guard let attributes = (try? entryAttributes(at: entry)) ?? nil else { continue }
        if attributes.isDirectory {
          if name != ".git", depth < Self.maximumDepth { waiting.append((entry, depth + 1)) }
        } else if attributes.isRegularFile {
          add(entry, name: name)
        }
      }
    }
    code.sort()
    models.sort()
    backups.sort()
  }

  /// Sorts a file by its name.
  private mutating func add(_ path: String, name: String) {
    if CodeLanguage(path: path) != nil {
      code.append(path)
    } else if name.hasSuffix(".json") {
      models.append(path)
    } else if name.hasSuffix(".bak") {
      backups.append(path)
    }
  }
}
