/// An address of the web, as far as requests need it.
struct WebAddress: Hashable, Sendable {
  /// `https`, or `http` for this machine.
  let scheme: String
  /// The host, and the port if the address has one.
  let authority: String
  /// The path without a slash at its end; empty, or with a slash at its start.
  let path: String

  /// Parses an address without a user, a query and a fragment.
  ///
  /// Only this machine is spoken to without encryption, since a token would be readable on the way.
  ///
  /// - Returns: Nil for anything else.
  init?(_ text: String) {
    guard let separator = text.firstPlace(of: "://") else { return nil }
    scheme = text[..<separator.lowerBound].lowercased()
    let rest = text[separator.upperBound...]
    let host = rest.prefix { $0 != "/" }
    authority = host.lowercased()
    var path = rest.dropFirst(host.count)
    while path.hasSuffix("/") { path = path.dropLast() }
    self.path = String(path)
    let isPlain = text.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && !"\"\\@?#{}[]".utf8.contains($0)
    }
    guard isPlain, !host.isEmpty, scheme == "https" || scheme == "http" && isThisMachine else {
      return nil
    }
  }

  /// Whether the host is the machine itself.
  var isThisMachine: Bool {
    ["127.0.0.1", "localhost"].contains(String(authority.prefix { $0 != ":" }))
  }

  /// The scheme and the host.
  var origin: String { "\(scheme)://\(authority)" }

  /// The whole address.
  var text: String { origin + path }

  /// A text as one part of a path or a value of a query.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return result
  }
}
