internal import BoxJSON
internal import BoxReport
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Sends requests by the program `curl`.
///
/// The token is in what curl reads from its standard input: so it is in no list of arguments, which every
/// user of the machine can read, and in no file. Redirections are not followed, as they could lead the
/// token elsewhere.
struct CurlTransport: Sendable {
  /// The address of the API.
  var api: WebAddress
  /// The headers of each request, the token among them.
  var headers: [String]
  /// The place whose variables count.
  var place: Workspace
  /// The time in seconds that a request may take.
  var timeLimit: Int
  /// The pauses in milliseconds before a request is sent again.
  var pauses = [500, 2000]

  /// The maximum time in seconds to wait for the end of a rate limit.
  static let longestWait = 60

  /// The variables with tokens, which no other program needs.
  static let tokenVariables = ["GITHUB_TOKEN", "GH_TOKEN", "GITLAB_TOKEN"]
  /// The changes of variables that keep the tokens from another program.
  static let withoutTokens: [String: String?] = Dictionary(
    uniqueKeysWithValues: tokenVariables.map { ($0, String?.none) })

  init(api: WebAddress, headers: [String], in place: Workspace) {
    self.api = api
    self.headers = headers
    self.place = place
    let seconds = place.variable("BOXJOINT_SITE_TIMEOUT").flatMap { Int($0) } ?? 0
    timeLimit = (1...3600).contains(seconds) ? seconds : 30
  }

  /// The result of one attempt.
  private enum Attempt {
    case response(HTTPResponse)
    /// The site was not reached, or did not answer, for a temporary reason.
    case failed(CommandFailure)
  }

  /// Sends a request, and retries after temporary errors: no connection, no answer, a status from 500 on,
  /// a rate limit that ends soon.
  ///
  /// - Returns: The response, whatever its status is.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if curl is missing, the site cannot be
  ///   reached, or a rate limit lasts longer.
  func send(_ request: HTTPRequest) throws(CommandFailure) -> HTTPResponse {
    var pauses = pauses[...]
    while true {
      let attempt = try attempt(request)
      let pause = pauses.popFirst()
      switch attempt {
      case .failed(let failure):
        guard let pause else { throw failure }
        usleep(UInt32(pause) * 1000)
      case .response(let response):
        if let seconds = Self.secondsOfRateLimit(response, now: currentTime()) {
          guard pause != nil, seconds <= Self.longestWait else { throw rateLimit(seconds) }
          usleep(UInt32(max(seconds, 1)) * 1_000_000)
        } else if response.status >= 500, let pause {
          usleep(UInt32(pause) * 1000)
        } else {
          return response
        }
      }
    }
  }

  /// The seconds until a rate limit ends; nil if the response is not about one.
  static func secondsOfRateLimit(_ response: HTTPResponse, now: Int64) -> Int? {
    guard response.status == 403 || response.status == 429 else { return nil }
    if let text = response.headers["retry-after"], let seconds = Int(text), seconds >= 0 {
      return seconds
    }
    let isUsedUp =
      (response.headers["x-ratelimit-remaining"] ?? response.headers["ratelimit-remaining"]) == "0"
    guard isUsedUp || response.status == 429 else { return nil }
    let reset = response.headers["x-ratelimit-reset"] ?? response.headers["ratelimit-reset"]
    guard let time = reset.flatMap({ Int64($0) }) else { return 1 }
    return time <= now ? 0 : Int(clamping: time - max(now, 0))
  }

  private func rateLimit(_ seconds: Int) -> CommandFailure {
    let end = Int64(seconds).addingReportingOverflow(currentTime())
    let time = end.overflow ? "" : ", until \(utcTime(min(end.partialValue, 253_402_300_799)))"
    return CommandFailure(
      .inputOutput, "\(api.authority) takes no more requests for this token\(time); try again then")
  }

  private func attempt(_ request: HTTPRequest) throws(CommandFailure) -> Attempt {
    guard let curl = RunningProgram.lookUp("curl", in: place.variable("PATH") ?? "") else {
      throw CommandFailure(
        .inputOutput, "curl is needed to reach \(api.authority), and is not on the PATH")
    }
    let directory = try TemporaryTree(for: place)
    var lines = configuration(request)
    if let body = request.body {
      try directory.write(Array(body.text(indent: 0).utf8), to: "body")
      lines.append(Self.line("data-binary", "@" + joinPath(directory.path, "body")))
    }
    // The first argument keeps the configuration of the user away.
    let process = ChildProcess(
      program: curl, arguments: ["-q", "--config", "-"], environment: Self.withoutTokens,
      patience: timeLimit + 10)
    let output: ProcessOutput
    do {
      output = try process.run(input: Array(lines.joined(separator: "\n").utf8))
    } catch {
      throw CommandFailure(.inputOutput, "curl cannot be run")
    }
    return try result(of: output)
  }

  private func result(of output: ProcessOutput) throws(CommandFailure) -> Attempt {
    if output.status == 0, let response = HTTPResponse(parsing: output.standardOutput) {
      return .response(response)
    }
    let words =
      String(decoding: output.standardError, as: UTF8.self)
      .split(whereSeparator: \.isNewline).first.map(String.init) ?? "curl: no answer"
    let failure = CommandFailure(.inputOutput, "\(api.authority) cannot be reached: \(words)")
    // No such name, no connection, no answer in time, an answer that breaks off.
    let passing: [Int32] = [0, 5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92]
    if passing.contains(output.status) { return .failed(failure) }
    throw failure
  }

  private func configuration(_ request: HTTPRequest) -> [String] {
    var lines = ["silent", "show-error", "include", "globoff", "suppress-connect-headers"]
    lines += [
      Self.line("proto", api.scheme == "https" ? "=https" : "=http,https"),
      Self.line("max-redirs", "0"), Self.line("connect-timeout", "\(min(timeLimit, 10))"),
      Self.line("max-time", "\(timeLimit)"), Self.line("max-filesize", "67108864"),
      Self.line("user-agent", "boxjoint/\(ToolInfo.boxjoint.version)"),
      Self.line("request", request.method.rawValue),
      Self.line("header", "Content-Type: application/json"),
      Self.line("url", api.text + request.path),
    ]
    // A proxy does not lead back to this machine.
    if api.isThisMachine { lines.append(Self.line("noproxy", "*")) }
    return lines + headers.map { Self.line("header", $0) }
  }

  /// An option of curl's configuration.
  private static func line(_ name: String, _ value: String) -> String {
    let escaped = value.replacing(part: "\\", by: "\\\\").replacing(part: "\"", by: "\\\"")
    return "\(name) = \"\(escaped)\""
  }
}
