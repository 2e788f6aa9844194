package import BoxDump
internal import BoxStoreTool

/// The head of a request, as HTTP has it.
package struct BrowseRequest: Sendable {
  /// The method, in capital letters.
  package var method: String
  /// The target: a path with its percent encoding, and perhaps a query.
  package var target: String
  /// The fields of the head, with names in any case.
  package var fields: [(name: String, value: String)]

  /// Creates a request.
  package init(
    _ method: String, _ target: String, _ fields: [(name: String, value: String)] = []
  ) {
    self.method = method
    self.target = target
    self.fields = fields
  }

  /// The values of a field, one for each time that it was sent.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name }.map(\.value)
  }
}

/// The answer to a request.
package struct BrowseAnswer {
  /// The status of HTTP.
  package var status: Int
  /// The fields of the head, without those that depend on the connection.
  package var fields: [(name: String, value: String)] = []
  /// The body.
  package var body: [UInt8] = []
  /// The writer of the body where it is sent in parts; ``body`` is empty then.
  package var export: BrowseExport?
  /// Whether the connection ends with the answer.
  package var endsConnection = false

  init(_ status: Int, _ type: String, _ body: [UInt8]) {
    self.status = status
    self.body = body
    fields = [("Content-Type", type)]
  }

  init(_ status: Int, html: HTMLText) {
    self.init(status, "text/html; charset=utf-8", html.utf8)
  }

  init(_ status: Int, text: String) {
    self.init(status, "text/plain; charset=utf-8", Array(text.utf8))
  }

  /// Appends the fields that every answer has.
  mutating func secure() {
    let hasPolicy = fields.contains { $0.name == Self.policyName }
    fields += Self.common.filter { !hasPolicy || $0.name != Self.policyName }
  }

  /// The name of the field that says what a page may load.
  static let policyName = "Content-Security-Policy"

  /// The fields by which a browser shows nothing of another server, and nothing to one.
  private static let common: [(name: String, value: String)] = [
    (
      policyName,
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    ("Referrer-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

/// The body of an answer that is sent while the store is read.
package struct BrowseExport {
  /// Writes the body.
  ///
  /// An error before the first byte is answered by ``failure``; after it the connection ends.
  package let write: (any DumpOutput) throws -> Void
  /// The answer to an error before the first byte.
  package let failure: (any Error) -> BrowseAnswer

  init(
    _ write: @escaping (any DumpOutput) throws -> Void,
    failure: @escaping (any Error) -> BrowseAnswer
  ) {
    self.write = write
    self.failure = failure
  }
}
