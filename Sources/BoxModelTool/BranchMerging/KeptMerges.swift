internal import BoxSystem

/// The versions of a file that a merge driver got, kept in a directory.
///
/// The driver is started by git, once for each file, and can report only a status. The process that started
/// git merges the kept versions again to learn the decisions.
package struct KeptMerges: Sendable {
  /// The path of the files without their endings.
  private var path: String

  private static let endings = ["base", "ours", "theirs"]
  private static let argumentsEnding = "arguments"

  /// Keeps the versions of a call in a directory.
  ///
  /// - Parameters:
  ///   - arguments: The arguments that git gave to the driver.
  ///   - directory: The directory, in which the earlier calls are.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file cannot be read or written,
  ///   `usage` if there are too few arguments.
  /// - Complexity: O(*n*) in the size of the versions.
  package static func keep(
    _ arguments: [String], in directory: String
  ) throws(CommandFailure) {
    let invocation = try DriverInvocation(arguments: arguments)
    let number = try numbers(in: directory).count
    let path = joinPath(directory, String(number))
    let files = [invocation.base, invocation.ours, invocation.theirs]
    for (file, ending) in zip(files, endings) {
      try AtomicFile.write(try SourceFile.read(file).bytes, to: "\(path).\(ending)")
    }
    let words = arguments.joined(separator: "\0")
    try AtomicFile.write(Array(words.utf8), to: "\(path).\(argumentsEnding)")
  }

  /// The calls in the order in which they were made.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  static func all(in directory: String) throws(CommandFailure) -> [KeptMerges] {
    try numbers(in: directory).sorted()
      .map { KeptMerges(path: joinPath(directory, String($0))) }
  }

  private static func numbers(in directory: String) throws(CommandFailure) -> [Int] {
    do throws(SystemError) {
      return try entryNames(in: directory)
        .filter { $0.hasSuffix("." + argumentsEnding) }
        .compactMap { Int($0.dropLast(argumentsEnding.count + 1)) }
    } catch {
      throw CommandFailure(.inputOutput, "cannot be listed: \(error.reason)", path: directory)
    }
  }

  /// The arguments of the driver, with the kept files.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if they cannot be read.
  func invocation() throws(CommandFailure) -> DriverInvocation {
    let bytes = try SourceFile.read("\(path).\(Self.argumentsEnding)").bytes
    var words = bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    for (index, ending) in Self.endings.enumerated() where index < words.count {
      words[index] = "\(path).\(ending)"
    }
    return try DriverInvocation(arguments: words)
  }
}
