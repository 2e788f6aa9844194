/// The kind of script that a hook is.
enum HookScript {
  private static let shells: Set<String> = ["sh", "bash", "dash", "zsh"]

  /// Whether a shell runs a script, so that it can contain lines of a shell.
  ///
  /// A script that hands itself to another interpreter is not one, whatever its first line says.
  ///
  /// - Complexity: O(*n*) in the size of the script.
  static func isOfShell(_ content: [UInt8]) -> Bool {
    if content.contains(0) { return false }
    let lines = content.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    guard let first = lines.first, let interpreter = interpreter(first),
      shells.contains(interpreter)
    else { return false }
    return !lines.contains { $0.hasPart("exec") && $0.hasPart("$0") }
  }

  /// The name of the interpreter in the first line of a script; nil if that names none.
  private static func interpreter(_ line: String) -> String? {
    guard line.hasPrefix("#!") else { return nil }
    var words = line.dropFirst(2).split { $0 == " " || $0 == "\t" }.map(String.init)[...]
    guard let path = words.popFirst() else { return nil }
    let name = lastComponent(of: path)
    if name != "env" { return name }
    return words.first { !$0.hasPrefix("-") && !$0.contains("=") }.map(lastComponent)
  }
}
