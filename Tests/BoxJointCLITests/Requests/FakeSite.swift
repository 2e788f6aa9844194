import BoxJSON
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A hosting site over loopback, which a program of the tests serves.
///
/// It ends with its owner, or after half an hour without a request: on a busy machine a test can wait long for its turn.
final class FakeSite: Sendable {
  let directory: TemporaryDirectory
  let port: String
  private let process: pid_t

  /// Starts the site.
  init() async throws {
    directory = try TemporaryDirectory()
    let package = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let started = try await ProcessRun.of(
      "sh",
      ["-c", #"python3 "$1" "$2" </dev/null >"$2/log" 2>&1 & echo $!"#, "sh"] + [
        package + "/Tests/Fixtures/sites/fake_site.py", directory.path,
      ])
    process = pid_t(started.text.trimmingNewlines) ?? 0
    for _ in 0..<1000 where !directory.exists("port") {
      try await Task.sleep(for: .milliseconds(20))
    }
    guard directory.exists("port") else {
      throw TestFailure("the site does not start: \(try directory.text(of: "log"))")
    }
    port = try directory.text(of: "port")
  }

  deinit {
    if process > 1 { kill(process, SIGTERM) }
  }

  /// Changes what the site has, by members of its state as JSON.
  func set(_ members: String) async throws {
    let run = try await ProcessRun.of(
      "curl", ["-sSq", "--noproxy", "*", "-d", members, "http://127.0.0.1:\(port)/_control"])
    guard run.status == 0 else { throw TestFailure("the site: \(run.messages)") }
  }

  /// The state.
  struct State {
    let document: JSONDocument

    /// The members of the objects in a list, as texts: strings without quotes.
    func list(_ name: String) -> [[String: String]] {
      guard let node = document.value(forKey: name, in: document.root) else { return [] }
      return document.elements(of: node).map { object in
        Dictionary(
          document.members(of: object).map { member in
            let isString = document.kind(of: member.value) == .string
            let text = isString ? document.key(member.value) : document.text(of: member.value)
            return (document.key(member.key), text)
          }, uniquingKeysWith: { first, _ in first })
      }
    }

    /// The texts of the comments.
    var comments: [String] { list("comments").map { $0["body"] ?? "" } }
    /// The lines of the requests that changed something.
    var writes: [String] {
      list("log").compactMap { $0["line"] }.filter { !$0.hasPrefix("GET ") }
    }
    /// The last state of a commit.
    func status(of commit: String) -> String? {
      list("statuses").last { $0["commit"] == commit }?["state"]
    }
  }

  func state() async throws -> State {
    let run = try await ProcessRun.of(
      "curl", ["-sSq", "--noproxy", "*", "http://127.0.0.1:\(port)/_control"])
    return State(document: try JSONDocument(parsing: run.output))
  }
}

extension String {
  var trimmingNewlines: String { String(filter { !$0.isNewline }) }
}
