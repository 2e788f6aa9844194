import TestSupport
import Testing

@testable import BoxModelTool

/// The texts that sites and git send, read without trust.
struct SiteMessageTests {
  private func response(_ text: String) -> HTTPResponse? {
    HTTPResponse(parsing: Array(text.replacing("\n", with: "\r\n").utf8))
  }

  @Test func answersWithTheirHeaders() throws {
    let found = try #require(
      response("HTTP/1.1 100 Continue\n\nHTTP/2 200 \nX-Name: a: b\nLink:c\n\n{}\n\nmore"))
    #expect(found.status == 200)
    #expect(found.headers == ["x-name": "a: b", "link": "c"])
    #expect(String(decoding: found.body, as: UTF8.self) == "{}\r\n\r\nmore")
    for text in ["", "HTTP/1.1 200 OK\n", "<html>\n\n", "HTTP/1.1 xx\n\n", "HTTP/1.1 100 C\n\n"] {
      #expect(response(text) == nil, "\(text)")
    }
  }

  @Test func theTimeOfARateLimit() throws {
    func seconds(_ head: String) throws -> Int? {
      CurlTransport.secondsOfRateLimit(
        try #require(response("HTTP/1.1 \(head)\n\n")), now: 1000)
    }
    #expect(try seconds("403 Forbidden") == nil)
    #expect(try seconds("200 OK\nX-RateLimit-Remaining: 0") == nil)
    #expect(try seconds("429 Too Many") == 1)
    #expect(try seconds("403 No\nRetry-After: 7\nX-RateLimit-Remaining: 0") == 7)
    #expect(try seconds("403 No\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1030") == 30)
    #expect(try seconds("429 No\nRateLimit-Remaining: 0\nRateLimit-Reset: 900") == 0)
    for time in ["-9223372036854775808", "9223372036854775807", "x"] {
      let head = "429 No\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: \(time)"
      #expect(try seconds(head).map { $0 >= 0 } == true, "\(time)")
    }
  }

  @Test func addresses() {
    #expect(WebAddress("https://Host.example/api/v3/")?.text == "https://host.example/api/v3")
    #expect(WebAddress("http://127.0.0.1:80")?.text == "http://127.0.0.1:80")
    for text in [
      "http://127.0.0.1.example", "http://host", "https://", "host", "https://a@b", "https://a/\"",
      "https://a/?b", "https://a/#b", "https://a\nb", "file:///a", "http://localhost.example",
    ] {
      #expect(WebAddress(text) == nil, "\(text)")
    }
    #expect(WebAddress.encoded("a/b&c=ü~") == "a%2Fb%26c%3D%C3%BC~")
  }

  @Test func mergesOfTrees() throws {
    let tree = String(repeating: "a", count: 40)
    func output(_ fields: [String], status: Int32) -> TreeMergeOutput? {
      var result = ProcessOutput()
      result.status = status
      result.standardOutput = Array(fields.map { $0 + "\0" }.joined().utf8)
      return TreeMergeOutput(result)
    }
    let clean = try #require(output([tree], status: 0))
    #expect(clean.isClean && clean.files == [] && clean.messages == [])
    let open = try #require(
      output(
        [
          tree, "100644 \(tree) 1\ta b\nc", "100644 \(tree) 3\ta b\nc", "", "1", "a b\nc",
          "CONFLICT (modify/delete)", "a b deleted in x\n", "2", "d", "e", "Auto-merging", "f",
        ], status: 1))
    #expect(open.files.map(\.path) == ["a b\nc"])
    #expect(open.files[0].ours == nil && open.files[0].theirs != nil)
    #expect(open.messages.map(\.paths) == [["a b\nc"], ["d", "e"]])
    #expect(open.messages[0].text == "a b deleted in x")
    for fields in [[], ["fatal"], [tree.uppercased()]] {
      #expect(output(fields, status: 0) == nil)
    }
    // A number of paths that are not there.
    #expect(try #require(output([tree, "", "9", "a"], status: 1)).messages == [])
    #expect(try #require(output([tree, "", "-1", "a", "b"], status: 1)).messages == [])
  }

  @Test func aLongComment() {
    let rows = (0..<100).map { "| row \($0) |" }
    let text =
      "**head**\n\n<details><summary>x</summary>\n\n" + rows.joined(separator: "\n")
      + "\n</details>\n"
    #expect(BranchMergeItem.shortened(text, to: 10_000) == text)
    let short = BranchMergeItem.shortened(text, to: 200)
    #expect(short.utf8.count < 300)
    #expect(short.hasPrefix("**head**\n"))
    #expect(short.hasSuffix("</details>\n\nThe rest is left out, since a comment is not longer.\n"))
  }
}
