internal import BoxJSON

/// A connection to the API of a site, with one page of handling its errors.
struct SiteConnection: Sendable {
  var transport: CurlTransport
  /// The name of the site, for messages.
  var name: String
  /// The right that the token needs to write, for messages.
  var neededRight: String
  /// The tokens that are taken out of the messages of the site.
  var secrets: Secrets

  private static let pageSize = 100
  /// More pages than any repository has requests or comments.
  private static let pageLimit = 200

  /// Gets a value.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func get(_ path: String, for purpose: String) throws(CommandFailure) -> JSONView {
    let response = try transport.send(HTTPRequest(path: path))
    try require(response, purpose)
    return try view(response, purpose)
  }

  /// Gets the elements of all pages of a list.
  ///
  /// A site can have shorter pages than it was asked for, and says then in a header if more follow.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func list(_ path: String, for purpose: String) throws(CommandFailure) -> [JSONView] {
    var all: [JSONView] = []
    let separator = path.contains("?") ? "&" : "?"
    for page in 1...Self.pageLimit {
      let response = try transport.send(
        HTTPRequest(path: "\(path)\(separator)per_page=\(Self.pageSize)&page=\(page)"))
      try require(response, purpose)
      guard let elements = try view(response, purpose).elements else { throw unexpected(purpose) }
      all += elements
      if elements.isEmpty { break }
      if !(response.hasNextPage ?? (elements.count >= Self.pageSize)) { break }
    }
    return all
  }

  /// Sends a body.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func write(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue?, for purpose: String
  ) throws(CommandFailure) {
    let response = try transport.send(HTTPRequest(method: method, path: path, body: body))
    // Another run may have removed it.
    if method == .delete, response.status == 404 || response.status == 410 { return }
    try require(response, purpose)
  }

  func view(_ response: HTTPResponse, _ purpose: String) throws(CommandFailure) -> JSONView {
    guard let view = JSONView(parsing: response.body) else { throw unexpected(purpose) }
    return view
  }

  /// The failure for an answer of another form than the site documents.
  func unexpected(_ purpose: String) -> CommandFailure {
    CommandFailure(
      .inputOutput,
      "\(transport.api.authority) gave an answer that is not one of \(name) when asked to \(purpose)"
    )
  }

  /// Refuses a response whose status is not one of success.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func require(_ response: HTTPResponse, _ purpose: String) throws(CommandFailure) {
    let said =
      response.complaint.isEmpty ? "" : ": " + secrets.removed(from: response.complaint)
    let message: String
    switch response.status {
    case 200..<300: return
    case 300..<400:
      message = "what was asked for is elsewhere; name the repository as it is called now"
    case 401: message = "the token is not accepted\(said)"
    case 403, 404:
      message =
        "the token may not \(purpose), or there is no such thing\(said); \(neededRight)"
    default: message = "status \(response.status) when asked to \(purpose)\(said)"
    }
    throw CommandFailure(.inputOutput, "\(transport.api.authority): \(message)")
  }
}
