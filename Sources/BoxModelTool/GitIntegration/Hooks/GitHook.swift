internal import BoxReport

/// A hook of git that starts the tool.
///
/// Git often takes a file without the merge driver: if only one side changed it, in a fast-forward, and
/// in the revert of the last commit. The hooks check the result.
package enum GitHook: String, Hashable, Sendable, CaseIterable {
  /// Called after a merge or a fast-forward, but not after a merge that ended with `git commit`.
  case postMerge = "post-merge"
  /// Called after each commit; only reverts are checked.
  case postCommit = "post-commit"
  /// Called before a push, which it can stop.
  case prePush = "pre-push"

  /// The line for a hook that belongs to another tool.
  func line(program: String) -> String {
    let end = self == .prePush ? " || exit 1" : ""
    return "\(scriptQuoted(program)) git hook \(rawValue) \"$@\"\(end)"
  }

  /// Whether the script of another tool has such a line.
  ///
  /// - Complexity: O(*n*) in the size of the script.
  func isCalled(in script: [UInt8]) -> Bool {
    script.split(separator: 0x0A).contains { line in
      let text = String(decoding: line, as: UTF8.self).drop(while: \.isWhitespace)
      return !text.hasPrefix("#") && text.hasPart(" git hook \(rawValue)")
    }
  }
}
