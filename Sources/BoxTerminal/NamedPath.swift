package import ArgumentParser

/// The path that a word of the command line is: the `transform` of every option and argument for a file, a directory
/// or a version of a file.
///
/// - Throws: `ValidationError` for the empty word. It names nothing, and what looks it up would take it for the
///   working directory in one place and for a missing file in another.
@Sendable package func namedPath(_ word: String) throws -> String {
  if word.isEmpty { throw ValidationError("an empty path names nothing") }
  return word
}
