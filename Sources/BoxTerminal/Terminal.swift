internal import BoxWorkspace

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One of the three standard streams.
package enum StandardStream: Int32, Hashable, Sendable, CaseIterable {
  case input = 0
  case output = 1
  case error = 2
}

/// The terminal that the tool runs in, if there is one.
package enum Terminal {
  /// Whether a stream is connected to a terminal.
  package static func isTerminal(_ stream: StandardStream) -> Bool { isatty(stream.rawValue) == 1 }

  /// The number of columns of the terminal that a stream is connected to, or nil elsewhere.
  package static func width(of stream: StandardStream = .output) -> Int? {
    guard isTerminal(stream) else { return nil }
    if let columns = environmentValue("COLUMNS").flatMap({ Int($0) }), columns > 0 {
      return columns
    }
    var size = winsize()
    guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
