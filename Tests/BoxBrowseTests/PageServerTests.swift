import BoxModel
import BoxServer
import BoxStoreTool
import TestSupport
import Testing

@testable import BoxBrowse

#if canImport(Glibc)
  import Glibc

  private let stream = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#elseif canImport(Darwin)
  import Darwin

  private let stream = SOCK_STREAM
  private let noSignal: Int32 = 0
#endif

/// The server of the pages by its bytes: what a browser, another program or a stranger may send.
struct PageServerTests {
  private static let model = TestModel(
    .init(name: "Note", uid: 1000, fields: [.init("text", 1010, .string)]))

  private let pages: BrowsedStore
  private let server: PageServer
  private let state: String

  init() throws {
    pages = try BrowsedStore(Self.model)
    server = try PageServer(pages.server, ports: [0])
    state = pages.server.address(.page(store: "data", .state))
  }

  /// Connects to the server.
  private func connection() throws -> Int32 {
    let file = socket(AF_INET, stream, 0)
    try #require(file >= 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(server.port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
    return file
  }

  /// Sends parts one after the other, and returns everything that comes back until the end.
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - isEnded: Whether the end is sent too, so that nothing is waited for.
  /// - Returns: The answers.
  /// - Throws: An error without a connection.
  private func talk(_ parts: [[UInt8]], isEnded: Bool = false) throws -> String {
    let file = try connection()
    defer { close(file) }
    for part in parts {
      // The server may have answered and closed before everything was sent.
      if send(file, part, part.count, noSignal) < 0 { break }
      if parts.count > 1 { usleep(200) }
    }
    if isEnded { shutdown(file, Int32(SHUT_WR)) }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(file, &buffer, buffer.count, 0)
      if count <= 0 { break }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }

  private func request(
    _ method: String = "GET", _ path: String? = nil,
    _ fields: String = "Host: localhost\r\nConnection: close\r\n", _ body: String = ""
  ) -> [UInt8] {
    Array("\(method) \(path ?? state) HTTP/1.1\r\n\(fields)\r\n\(body)".utf8)
  }

  private func status(_ bytes: [UInt8]) throws -> String {
    String(try talk([bytes]).dropFirst(9).prefix(3))
  }

  @Test func aRequestIsReadTheSameWhereverItIsSplit() throws {
    let whole = request()
    let answer = try talk([whole])
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n{\"transaction\":\"1\",\"opening\":1}\n"))
    for place in 1..<whole.count {
      #expect(try talk([Array(whole[..<place]), Array(whole[place...])]) == answer, "\(place)")
    }
    #expect(try talk(whole.map { [$0] }) == answer)
    // Several at once are answered in their order.
    let kept = request("GET", nil, "Host: localhost\r\n")
    let three = try talk([kept + kept + whole])
    #expect(three.components("HTTP/1.1 200 OK") == 3)
  }

  @Test func wrongRequestsAreRefused() throws {
    let host = "Host: localhost\r\n"
    let long = String(repeating: "a", count: 17_000)
    #expect(try status(request("POST")) == "405")
    #expect(try status(request("GET", "/")) == "403")
    #expect(try status(request("GET", nil, "Host: evil.example\r\n")) == "403")
    #expect(try status(request("GET", nil, host + "Sec-Fetch-Site: cross-site\r\n")) == "403")
    #expect(
      try status(
        request("GET", nil, host + "Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"))
        == "411")
    #expect(try status(request("GET", nil, host + "Content-Length: 1048577\r\n")) == "413")
    #expect(
      try status(request("GET", nil, host + "Connection: close\r\nContent-Length: 5\r\n", "hello"))
        == "200")
    #expect(try status(request("GET", nil, host + "X: \(long)\r\n")) == "431")
    #expect(try status(request("GET", state + "?" + long)) == "431")
    #expect(try status(Array("\u{16}\u{3}\u{1}garbage\r\n\r\n".utf8)) == "400")
    #expect(try status(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)) == "400")
  }

  @Test func theHeadAloneHasTheLengthOfTheBody() throws {
    let answer = try talk([request("HEAD")])
    #expect(answer.hasSuffix("\r\n\r\n"))
    #expect(answer.contains("Content-Length: 32\r\n"))
  }

  /// Bytes of strangers end no server.
  @Test func damagedRequestsEndNothing() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_REQUESTS", default: 200) {
      let bytes = HostileText.damaged(request(), with: [request("POST", "/")], &random)
      _ = try talk([bytes], isEnded: true)
    }
    #expect(try status(request()) == "200")
  }

  @Test func anExportIsSentInParts() throws {
    try pages.put(
      "Note", (0..<3000).map { ["text": .string("\($0) " + String(repeating: "x", count: 100))] })
    let path = pages.server.address(.page(store: "data", .export(entity: "Note", .ndjson)))
    let answer = try talk([request("GET", path)])
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.lowercased().contains("transfer-encoding: chunked"))
    #expect(answer.hasSuffix("\r\n0\r\n\r\n"))
    #expect(answer.components("{\"id\":") == 3000)
    #expect(try status(request("GET", path + "?where=x")) == "400")
  }

  /// Exports that a reader has paused have threads of their own.
  @Test func pagesDoNotWaitForExportsThatNobodyReads() throws {
    try pages.put(
      "Note", (0..<4000).map { _ in ["text": .string(String(repeating: "x", count: 4000))] })
    let path = pages.server.address(.page(store: "data", .export(entity: "Note", .ndjson)))
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    for _ in 0..<13 {
      let file = try connection()
      files.append(file)
      let bytes = request("GET", path)
      #expect(send(file, bytes, bytes.count, noSignal) == bytes.count)
    }
    let begin = ContinuousClock.now
    #expect(try status(request()) == "200")
    // A reader who stops taking an export has 30 seconds.
    #expect(ContinuousClock.now - begin < .seconds(20))
  }

  @Test func aPortThatIsTakenIsSaid() throws {
    #expect(throws: PortsInUse.self) { try PageServer(pages.server, ports: [server.port]) }
    let other = try PageServer(pages.server, ports: [server.port, 0])
    #expect(other.port != server.port)
    other.stop()
    server.stop()
  }
}

extension String {
  /// The number of times that another text is in this one.
  fileprivate func components(_ text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
