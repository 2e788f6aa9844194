internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Throws if an output of a command is also an input, under whatever name: writing it would destroy
/// the input.
///
/// - Parameters:
///   - outputs: The paths to be written, which need not exist yet.
///   - inputs: The inputs of the command, as the user named them: files, directories, `REF:PATH`,
///     `store:DIR`, or `-`.
/// - Throws: ``CommandFailure`` of the kind `usage`.
/// - Complexity: O(*n* · *m*) in the numbers of both.
package func requireOutputs(_ outputs: [String], notAmong inputs: [String]) throws(CommandFailure) {
  if outputs.isEmpty { return }
  let places = inputs.compactMap { GuardedInput($0) }
  for output in outputs where places.contains(where: { $0.has(output) }) {
    throw CommandFailure(
      .usage, "this is an input of the command, and is not overwritten; name another file",
      path: output)
  }
}

/// Throws if two outputs of a command are one file, under whatever names: one would replace the other.
///
/// - Parameter outputs: The paths to be written, which need not exist yet.
/// - Throws: ``CommandFailure`` of the kind `usage`.
/// - Complexity: O(*n*²) in the number of outputs.
package func requireDifferent(_ outputs: [String]) throws(CommandFailure) {
  let places = outputs.map { OutputPlace($0) }
  for (position, place) in places.enumerated() where places[..<position].contains(place) {
    throw CommandFailure(
      .usage, "two outputs of the command would be this file; name another one",
      path: outputs[position])
  }
}

/// Throws if an output could not be written now, as far as that is known; writes nothing.
///
/// A command that changes something calls it before the change, so that repeating it after a failure does not
/// make the change twice.
///
/// - Throws: ``CommandFailure`` of the kind `inputOutput`.
/// - Complexity: O(*n*) in the number of outputs.
package func requireWritable(_ outputs: [String]) throws(CommandFailure) {
  for output in outputs { try AtomicFile.requireWritable(output) }
}

/// The place of an output: its directory, and its name in there.
private struct OutputPlace: Equatable {
  private let directory: stat?
  private let path: String

  init(_ output: String) {
    path = absolutePath((try? resolvingLinks(output)) ?? output)
    directory = (try? fileAttributes(at: parentDirectory(of: path))) ?? nil
  }

  static func == (a: OutputPlace, b: OutputPlace) -> Bool {
    guard let one = a.directory, let other = b.directory else { return a.path == b.path }
    return one.isSameFile(as: other) && lastComponent(of: a.path) == lastComponent(of: b.path)
  }
}

/// The place of an input.
private enum GuardedInput {
  case file(stat)
  case directory(String)

  /// Finds the place of an input; nil for one that no output can overwrite.
  init?(_ input: String) {
    let found: stat?
    switch SourceReference(input) {
    case .standardInput: found = standardInputAttributes()
    case .file(let path): found = (try? fileAttributes(at: path)) ?? nil
    case .revision: found = nil
    case .store(let directory):
      self = .directory(directory)
      return
    }
    guard let found else { return nil }
    if found.isDirectory {
      self = .directory(input)
    } else if found.isRegularFile {
      self = .file(found)
    } else {
      return nil
    }
  }

  func has(_ output: String) -> Bool {
    switch self {
    case .file(let input):
      ((try? fileAttributes(at: output)) ?? nil)?.isSameFile(as: input) ?? false
    case .directory(let input): isInside(output, directory: input)
    }
  }
}
