internal import ArgumentParser
internal import BoxWorkspace

/// The use of colour in output: the value of `--color`.
package enum ColorChoice: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// Decides for one stream.
  ///
  /// `always` and `never` decide alone. `auto` depends on `NO_COLOR`, then `CLICOLOR_FORCE`
  /// (anything but `0`), each only if it is not empty, then on whether the stream is a terminal
  /// that is not `dumb`.
  package func usesColor(isTerminal: Bool, environment: (String) -> String?) -> Bool {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if value("NO_COLOR") != nil { return false }
      if let force = value("CLICOLOR_FORCE"), force != "0" { return true }
      return isTerminal && value("TERM") != "dumb"
    }
  }
}

extension Terminal {
  /// Whether a stream shows colours, given what the command line and the environment say.
  package static func usesColor(_ choice: ColorChoice, on stream: StandardStream = .output) -> Bool
  {
    choice.usesColor(
      isTerminal: isTerminal(stream), environment: { environmentValue($0) })
  }
}
