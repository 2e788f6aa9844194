#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Throws where a file that a command is to write is one that it reads, by whatever name: writing it would
/// destroy the input.
///
/// - Parameters:
///   - outputs: The paths of what is to be written; nothing has to be there yet.
///   - inputs: What the command reads, as the user named it: files, directories, `REF:PATH`, `store:DIR`,
///     or `-`.
/// - Throws: ``CommandFailure`` with status 64.
/// - Complexity: O(*n* · *m*) in the numbers of both.
func requireOutputs(_ outputs: [String], notAmong inputs: [String]) throws(CommandFailure) {
  if outputs.isEmpty { return }
  let places = inputs.compactMap { InputPlace($0) }
  for output in outputs where places.contains(where: { $0.has(output) }) {
    throw CommandFailure(
      .usage, "this is an input of the command, and is not overwritten; name another file",
      path: output)
  }
}

/// Where an input is.
private enum InputPlace {
  case file(stat)
  case folder(String)

  /// Nil for what no output can overwrite.
  init?(_ input: String) {
    let found: stat?
    switch SourceReference(input) {
    case .standardInput: found = standardInputAttributes()
    case .file(let path): found = (try? fileAttributes(at: path)) ?? nil
    case .revision: found = nil
    case .store(let directory):
      self = .folder(directory)
      return
    }
    guard let found else { return nil }
    if found.isDirectory {
      self = .folder(input)
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
    case .folder(let input): isInside(output, folder: input)
    }
  }
}
