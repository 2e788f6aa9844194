import BoxStoreTool
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxBrowse

/// Who gets an answer: the browser that has the address, on this machine, and nobody else.
struct BrowseAccessTests {
  private let key = BrowseKey(1, 2)
  private let access: BrowseAccess

  init() { access = BrowseAccess(key, hosts: ["Box.Local"]) }

  private func refusal(
    _ method: String = "GET", _ path: String? = nil, _ fields: [(name: String, value: String)]
  ) -> Int? {
    access.refusal(BrowseRequest(method, path ?? "/\(key.text)/data/", fields))?.status
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:7355", "localhost:1", "LOCALHOST", "[::1]:65535", "[::1]",
    "box.local:80",
    "localhost:",
  ])
  func theNamesOfThisMachineAreAnswered(_ host: String) {
    #expect(refusal("GET", nil, [("Host", host)]) == nil)
    #expect(refusal("HEAD", nil, [("host", host), ("sec-fetch-site", "same-origin")]) == nil)
    #expect(refusal("GET", nil, [("host", host), ("Sec-Fetch-Site", "none")]) == nil)
  }

  @Test(arguments: [
    "", "example.org", "127.0.0.1.example.org", "127.0.0.1:x", "127.0.0.1:123456",
    "0.0.0.0", "[::1", "::1", "127.0.0.1@example.org", " 127.0.0.1", "127.0.0.2",
  ])
  func anotherNameIsRefused(_ host: String) {
    #expect(refusal("GET", nil, [("Host", host)]) == 403)
  }

  /// Each refusal is the same, so that nobody learns what is wrong.
  @Test func whateverIsWrongTheAnswerIsTheSame() throws {
    let own: [(name: String, value: String)] = [("Host", "127.0.0.1")]
    let wrong: [(String, [(name: String, value: String)])] = [
      ("/", own), ("", own), ("*", own), ("http://127.0.0.1/\(key.text)/", own), ("/x/data/", own),
      ("/\(key.text.dropLast())/", own), ("/\(key.text)0/", own),
      ("/%72\(key.text.dropFirst())/", own),
      ("/\(key.text.uppercased())/", own), ("//\(key.text)/", own), ("/\(key.text)/", []),
      ("/\(key.text)/", own + own), ("/\(key.text)/", [("Host", "evil.example")]),
      ("/\(key.text)/", own + [("Sec-Fetch-Site", "cross-site")]),
      ("/\(key.text)/", own + [("Sec-Fetch-Site", "same-site")]),
      ("/\(key.text)/", own + [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")]),
    ]
    let first = try #require(access.refusal(BrowseRequest("GET", "/", [])))
    for (path, fields) in wrong {
      for method in ["GET", "POST", "BREW"] {
        let answer = try #require(access.refusal(BrowseRequest(method, path, fields)), "\(path)")
        #expect(answer.status == 403)
        #expect(answer.body == first.body)
        #expect(answer.endsConnection)
      }
    }
  }

  @Test func onlyReadingIsAnswered() throws {
    let own: [(name: String, value: String)] = [("Host", "127.0.0.1")]
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "get"] {
      let answer = try #require(access.refusal(BrowseRequest(method, "/\(key.text)/", own)))
      #expect(answer.status == 405)
      #expect(answer.fields.contains { $0.name == "Allow" && $0.value == "GET, HEAD" })
    }
    #expect(refusal("GET", nil, own + [("Transfer-Encoding", "chunked")]) == 411)
    #expect(refusal("GET", nil, own + [("Content-Length", "1048576")]) == nil)
    #expect(refusal("GET", nil, own + [("Content-Length", "1048577")]) == 413)
    #expect(refusal("GET", nil, own + [("Content-Length", "99999999999999999999")]) == 413)
  }

  @Test func aKeyHas128Bits() {
    var seen: Set<String> = []
    for _ in 0..<1000 {
      let text = BrowseKey().text
      #expect(text.utf8.count == 26)
      #expect(seen.insert(text).inserted)
      #expect(BrowseKey().equals(text.utf8) == false)
    }
    #expect(BrowseKey(.max, .max).text == "zzzzzzzzzzzzzzzzzzzzzzzzz7")
    #expect(BrowseKey(0, 1).text == "1" + String(repeating: "0", count: 25))
  }
}
