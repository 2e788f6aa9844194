/// The rules by which a request is answered at all.
struct BrowseAccess: Sendable {
  /// The largest body of a request, in bytes.
  static let maximumBody = 1 << 20

  /// The secret with which every path begins.
  let key: BrowseKey
  /// The names of this machine in `Host`, in lower case and without a port.
  let hosts: Set<String>

  init(_ key: BrowseKey, hosts: [String]) {
    self.key = key
    self.hosts = Set(["127.0.0.1", "localhost", "[::1]"] + hosts.map { $0.lowercased() })
  }

  /// The answer to a request that is refused by its head; nil for one that is answered.
  ///
  /// A request without the key learns nothing: the answer is the same, whatever else is wrong.
  func refusal(_ request: BrowseRequest) -> BrowseAnswer? {
    if !hasKey(request) || !isOwnHost(request) || !isOwnSite(request) { return Self.forbidden }
    if request.method != "GET" && request.method != "HEAD" {
      var answer = BrowseAnswer(405, text: "The page only reads: GET and HEAD are answered.\n")
      answer.fields.append(("Allow", "GET, HEAD"))
      answer.endsConnection = true
      return answer
    }
    if !request.values("transfer-encoding").isEmpty {
      return Self.refused(411, "A body needs its length; this one comes in chunks.\n")
    }
    let lengths = request.values("content-length").map { Int($0) }
    if lengths.contains(where: { $0.map { $0 > Self.maximumBody } ?? true }) {
      return Self.bodyTooLarge
    }
    return nil
  }

  /// The answer to a request whose body is too large.
  static var bodyTooLarge: BrowseAnswer { refused(413, "The body is larger than 1 MiB.\n") }

  /// The answer to a request whose head cannot be read.
  ///
  /// - Parameter isTooLarge: Whether the head is over the limit.
  /// - Returns: The answer.
  static func malformed(isTooLarge: Bool) -> BrowseAnswer {
    isTooLarge
      ? refused(431, "The head of the request is larger than 16 KiB.\n")
      : refused(400, "This is not a request of HTTP/1.1.\n")
  }

  private static func refused(_ status: Int, _ text: String) -> BrowseAnswer {
    var answer = BrowseAnswer(status, text: text)
    answer.endsConnection = true
    return answer
  }

  private static var forbidden: BrowseAnswer {
    refused(403, "Forbidden. The address in the terminal has the key.\n")
  }

  private func hasKey(_ request: BrowseRequest) -> Bool {
    let target = request.target.utf8
    guard target.first == UInt8(ascii: "/") else { return false }
    let rest = target.dropFirst()
    return key.equals(rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
  }

  /// Whether the browser asks for a name of this machine, and not for one of a site that was pointed to it.
  private func isOwnHost(_ request: BrowseRequest) -> Bool {
    let values = request.values("host")
    guard values.count == 1 else { return false }
    let host = values[0].lowercased()
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else {
      return hosts.contains(host)
    }
    let port = host[host.index(after: colon)...]
    return port.utf8.count <= 5 && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && hosts.contains(String(host[..<colon]))
  }

  /// Whether no page of another site has sent the request.
  private func isOwnSite(_ request: BrowseRequest) -> Bool {
    request.values("sec-fetch-site").allSatisfy { $0 == "same-origin" || $0 == "none" }
  }
}

/// A secret of 128 bits, as the first part of every path.
package struct BrowseKey: Sendable {
  /// The secret in letters and digits.
  package let text: String
  private let bytes: [UInt8]

  /// Makes a secret of random numbers of the system.
  package init() {
    var random = SystemRandomNumberGenerator()
    self.init(random.next(), random.next())
  }

  /// The secret of two numbers.
  init(_ first: UInt64, _ second: UInt64) {
    // Digits and letters without i, l, o and u, which are taken for others.
    let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    var number = UInt128(first) << 64 | UInt128(second)
    var text = ""
    for _ in 0..<26 {
      text.append(alphabet[Int(number & 31)])
      number >>= 5
    }
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Whether bytes are the secret, in a time that does not depend on them.
  func equals(_ other: some Collection<UInt8>) -> Bool {
    if other.count != bytes.count { return false }
    var difference: UInt8 = 0
    for (a, b) in zip(bytes, other) { difference |= a ^ b }
    return difference == 0
  }
}
