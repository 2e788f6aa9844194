internal import BoxJSON
internal import BoxReport
internal import BoxStorage
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of an input that is not a dump, in the order in which they are read.
struct InputFiles: Sendable {
  /// A file of the list.
  struct File: Hashable, Sendable {
    /// The path as the user named it, or under the directory that the user named; `-` for standard
    /// input.
    var path: String
    /// Whether the file was found in a directory, and must be a plain one.
    var isPart = false
  }

  /// The name of the file that marks a directory of parts as complete.
  static let successName = "_SUCCESS"

  private(set) var files: [File] = []
  /// The bytes of the only file, if it can be read once.
  private let kept: KeptInput?

  /// Creates the list of one file.
  init(_ path: String, kept: KeptInput? = nil) {
    files = [File(path: path)]
    self.kept = kept
  }

  /// Lists files, and the parts of directories.
  ///
  /// - Parameters:
  ///   - paths: Files and directories.
  ///   - allowsPartial: Whether a directory may be incomplete.
  ///   - kept: The bytes of the only path, if it can be read once.
  /// - Throws: ``DumpError`` of the kind `usage` for no path and if standard input is not alone, `impossible` for a dump
  ///   among others, `malformed` for a directory that is incomplete, without parts or with directories in
  ///   it, and `inputOutput` if a directory cannot be read.
  init(_ paths: [String], allowsPartial: Bool, kept: KeptInput? = nil) throws(DumpError) {
    self.kept = kept
    if paths.isEmpty { throw DumpError("there is no file to import", kind: .usage) }
    for path in paths {
      if path == "-", paths.count > 1 {
        throw DumpError(
          "standard input cannot be combined with other files; import it alone", kind: .usage)
      }
      if path != "-", isDirectory(at: path) {
        files += try Self.parts(of: path, isAlone: paths.count == 1, allowsPartial: allowsPartial)
      } else {
        files.append(File(path: path))
      }
    }
  }

  private static func parts(
    of directory: String, isAlone: Bool, allowsPartial: Bool
  ) throws(DumpError) -> [File] {
    if (try? entryExists(at: directory + "/" + DumpManifest.fileName)) == true {
      throw DumpError(
        isAlone
          ? "is a dump, which describes the form of its files itself"
          : "is a dump; import it alone", kind: .impossible, path: directory)
    }
    if StoreFiles(directory).hasData {
      throw DumpError(
        "is a store, not a dump; \(storeAdvice(directory))", path: directory)
    }
    let names: [String]
    do throws(SystemError) {
      names = try entryNames(in: directory)
    } catch {
      throw DumpError("cannot be read", error, directory)
    }
    if !allowsPartial && !names.contains(successName) {
      throw DumpError(
        "has neither \(DumpManifest.fileName) nor \(successName), so it is not a complete dump or a "
          + "complete directory of parts", path: directory, remedy: .allowPartialDirectories)
    }
    let parts = names.filter { !$0.hasPrefix("_") && !$0.hasPrefix(".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if parts.isEmpty {
      throw DumpError("has no parts: all names in it begin with _ or a period", path: directory)
    }
    if !allowsPartial { try requireOneJob(parts, directory) }
    let prefix = directory.hasSuffix("/") ? directory : directory + "/"
    for part in parts where isDirectory(at: prefix + part) {
      throw DumpError(
        "is a directory among the parts; name each directory that has parts", path: prefix + part)
    }
    return parts.map { File(path: prefix + $0, isPart: true) }
  }

  /// Throws if parts are of several jobs of Spark, one of which may have failed or done the work of another again.
  private static func requireOneJob(_ parts: [String], _ directory: String) throws(DumpError) {
    var first: (part: String, job: String)?
    for part in parts {
      guard let job = job(of: part) else { continue }
      if let first, first.job != job {
        throw DumpError(
          "has parts of several jobs, such as \(first.part.quotedForDisplay) and \(part.quotedForDisplay)",
          path: directory, remedy: .allowPartialDirectories)
      }
      first = first ?? (part, job)
    }
  }

  /// The UUID of the job in a name such as `part-00000-8b45c5d1-…-c000.json`; nil for any other name.
  private static func job(of part: String) -> String? {
    guard part.hasPrefix("part-") else { return nil }
    let words = part.dropFirst(5).split(separator: "-", omittingEmptySubsequences: false)
    let lengths = [8, 4, 4, 4, 12]
    guard words.count > 5, words[0].allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    for start in 1...words.count - 5 {
      let isUUID = zip(words[start...], lengths).allSatisfy { word, length in
        let word = length == 12 ? word.prefix(12) : word
        return word.utf8.count == length && word.utf8.allSatisfy { $0.hexadecimalValue != nil }
      }
      if isUUID {
        return words[start..<start + 4].joined(separator: "-") + "-" + words[start + 4].prefix(12)
      }
    }
    return nil
  }

  /// The size of all files in bytes, as they are on disk; nil if it is not known.
  var size: Int? {
    var total = 0
    for file in files {
      let attributes = (try? fileAttributes(at: file.path)) ?? nil
      guard file.path != "-", let attributes, attributes.isRegularFile else { return nil }
      total += Int(attributes.st_size)
    }
    return total
  }

  /// The name of the input, for messages about all of it.
  var displayName: String {
    guard let first = files.first else { return "no files" }
    let name = Self.displayName(first)
    switch files.count {
    case 1: return name
    case 2: return name + " and another file"
    case let count: return "\(name) and \(count - 1) other files"
    }
  }

  /// The name of a file as messages show it.
  static func displayName(_ file: File) -> String {
    file.path == "-" ? "standard input" : file.path
  }

  /// The paths without the directory that all of them have, so that they do not depend on the directory
  /// of the process.
  var relativePaths: [String] {
    let paths = files.map { file in
      file.path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
    }
    guard var common = paths.first?.dropLast() else { return [] }
    for path in paths {
      let directory = path.dropLast()
      common = common.prefix(zip(common, directory).prefix { $0 == $1 }.count)
    }
    return paths.map { $0.dropFirst(common.count).joined(separator: "/") }
  }

  /// Opens a file.
  ///
  /// - Throws: ``DumpError`` of kind `inputOutput`, or `malformed` for a part that is not a plain file.
  func open(_ number: Int) throws(DumpError) -> FileSource {
    let file = files[number]
    if let kept { return try kept.open() }
    if file.path == "-" {
      return try FileSource(descriptor: STDIN_FILENO, path: Self.displayName(file))
    }
    return file.isPart ? try FileSource(inDump: file.path) : try FileSource(path: file.path)
  }
}

/// The advice for a directory that is a store in place of a dump.
func storeAdvice(_ directory: String) -> String {
  "check it with `boxjoint store verify \(shellOperand(directory))`, or export it with "
    + "`boxjoint export --store \(shellQuoted(directory))`"
}
