internal import BoxEngine
internal import BoxReport
internal import BoxTool

extension Workspace {
  /// The working directory, with notices and the progress of reading on standard error.
  static var console: Workspace { Workspace(observer: Progress(.auto)) }
}

/// Prints the warnings from opening a store on standard error.
func tellWarnings(_ warnings: [Finding], of path: String) {
  Progress(.none).warn(warnings, of: path)
}

/// Prints on standard error that a store is damaged, with the first findings.
func tellDamage(_ findings: [Finding], of path: String) {
  let error = StoreError.damaged(Array(findings.prefix(3)))
  StandardError.writeLine(
    "boxjoint: \(path): warning: \(error.description)\(error.damageAdvice)".escapedForDisplay)
}
