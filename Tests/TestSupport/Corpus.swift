public import BoxModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Real model files, in `../shared/corpus` beside the package; they are not part of it.
public struct Corpus: Sendable {
  /// The directory of the files.
  public let root: String

  /// The files, or nil where they are not there, so that a test is skipped.
  public static let shared: Corpus? = {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let root = "/\(package)/../shared/corpus"
    return CorpusDirectory.names(in: root).isEmpty ? nil : Corpus(root: root)
  }()

  /// Whether the files are there: the condition of a test that needs them.
  public static var isAvailable: Bool { shared != nil }

  /// Files for the tests, which are in every clone.
  private static let fixtures: String = {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(package)/Tests/Fixtures"
  }()

  /// A file for the tests, by its path in their directory.
  public static func fixture(_ path: String) -> File { File(path: path, root: fixtures) }

  /// Model files that were written for the tests, one for each dialect; they are in every clone.
  public static let written: [File] = CorpusDirectory.names(in: fixtures + "/models")
    .filter { $0.hasSuffix(".json") }.map { fixture("models/\($0)") }

  /// A file that is read and parsed each time that it is asked for, so that a list of all is small.
  public struct File: Sendable, Hashable, CustomStringConvertible {
    /// The path in the corpus.
    public let path: String
    let root: String

    /// The last part of the path.
    public var name: String { String(path.split(separator: "/").last ?? "") }
    /// The bytes; nothing if the file is not there.
    public var bytes: [UInt8] { CorpusDirectory.read("\(root)/\(path)") ?? [] }
    /// The file as a model; nil if it is none.
    public var document: ModelDocument? { try? ModelDocument(parsing: bytes) }
    /// The path in the corpus.
    public var description: String { path }
  }

  /// A change of a file in the history of a repository.
  public struct Step: Sendable {
    /// The repository, as a directory is called.
    public let repository: String
    /// The commit that made the change.
    public let commit: String
    /// The file before.
    public let old: File
    /// The file after.
    public let new: File
  }

  /// The versions of a file on two sides.
  public struct Triple: Sendable, CustomStringConvertible {
    /// The directory of the files.
    public let name: String
    /// The common ancestor; nil where both sides added the file.
    public let base: File?
    /// Our side.
    public let ours: File
    /// Their side.
    public let theirs: File
    /// The merge by people; nil if it is not known.
    public let merged: File?
    /// The directory of the files.
    public var description: String { name }
  }

  /// Every file, whatever is in it.
  public var files: [File] { files(in: "") }

  /// Distinct model files of many tools.
  public var snapshots: [File] { files(in: "snapshots") }

  /// Files that were committed with conflict markers in them.
  public var conflicted: [File] {
    CorpusDirectory.names(in: "\(root)/conflicted")
      .filter { !$0.hasSuffix(".before.json") && !$0.hasSuffix(".fixed.json") }
      .map { file("conflicted/\($0)") }
  }

  /// The steps of histories in which both files are JSON.
  public var evolutions: [Step] {
    rows(of: "evolutions.csv").compactMap { row in
      guard row["old_ok"] == "True", row["new_ok"] == "True" else { return nil }
      return step(row)
    }
  }

  /// The number of changes of each kind in each step: the columns of a table that another program
  /// counted.
  public var evolutionKinds: [(step: Step, counts: [String: Int])] {
    rows(of: "evolution_kinds.csv").compactMap { row in
      step(row).map { ($0, row.compactMapValues { Int($0) }) }
    }
  }

  /// Merges by people.
  public var merges: [Triple] { triples(in: "merges") }

  /// Branches that were edited at the same time, and were not merged.
  public var divergences: [Triple] { triples(in: "divergences") }

  /// The rows of a table by the names of its columns.
  public func rows(of table: String) -> [[String: String]] {
    CorpusTable.rows(String(decoding: file(table).bytes, as: UTF8.self))
  }

  private func file(_ path: String) -> File { File(path: path, root: root) }

  private func step(_ row: [String: String]) -> Step? {
    guard let repository = row["repo"], let old = row["old_file"], let new = row["new_file"],
      let commit = row["commit"], !old.isEmpty, !new.isEmpty
    else { return nil }
    return Step(
      repository: repository, commit: commit, old: file("evolutions/\(repository)/\(old)"),
      new: file("evolutions/\(repository)/\(new)"))
  }

  private func files(in directory: String) -> [File] {
    CorpusDirectory.names(in: directory.isEmpty ? root : "\(root)/\(directory)").flatMap { name in
      let path = directory.isEmpty ? name : "\(directory)/\(name)"
      if name.hasSuffix(".json") && !CorpusDirectory.isDirectory(at: "\(root)/\(path)") {
        return [file(path)]
      }
      return files(in: path)
    }
  }

  private func triples(in directory: String) -> [Triple] {
    CorpusDirectory.names(in: "\(root)/\(directory)").compactMap { name in
      let found = Set(CorpusDirectory.names(in: "\(root)/\(directory)/\(name)"))
      guard found.isSuperset(of: ["ours.json", "theirs.json"]) else { return nil }
      func part(_ part: String) -> File? {
        found.contains(part) ? file("\(directory)/\(name)/\(part)") : nil
      }
      return Triple(
        name: name, base: part("base.json"), ours: file("\(directory)/\(name)/ours.json"),
        theirs: file("\(directory)/\(name)/theirs.json"), merged: part("merged.json"))
    }
  }
}

/// The access of the corpus to the file system.
enum CorpusDirectory {
  /// The names in a directory, sorted; none if it is not a directory.
  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { result.append(name) }
    }
    return result.sorted()
  }

  static func isDirectory(at path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    closedir(directory)
    return true
  }

  static func read(_ path: String) -> [UInt8]? { try? TemporaryDirectory.bytes(ofFile: path) }
}

/// Tables with one line of column names; cells with a comma stand in quotes.
enum CorpusTable {
  static func rows(_ text: String) -> [[String: String]] {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let names = lines.first.map({ cells($0) }) else { return [] }
    return lines.dropFirst().map { line in
      Dictionary(zip(names, cells(line)), uniquingKeysWith: { first, _ in first })
    }
  }

  private static func cells(_ line: Substring) -> [String] {
    var cells = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells
  }
}
