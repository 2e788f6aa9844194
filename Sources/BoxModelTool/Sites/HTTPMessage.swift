internal import BoxJSON

/// A request to a site.
struct HTTPRequest: Hashable, Sendable {
  enum Method: String, Hashable, Sendable {
    case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
  }

  var method = Method.get
  /// The path below the path of the API, encoded, with its query.
  var path: String
  /// The body; nil for none.
  var body: JSONValue?
}

/// The answer of a site.
struct HTTPResponse: Hashable, Sendable {
  var status: Int
  /// The headers, by their names in small letters; the last of each name.
  var headers: [String: String]
  var body: [UInt8]

  /// Parses the text of an answer with its headers; skips headers of interim answers.
  ///
  /// - Returns: Nil if it is not one.
  init?(parsing bytes: [UInt8]) {
    var rest = bytes[...]
    while true {
      guard let (lines, body) = Self.head(rest), let first = lines.first,
        first.hasPrefix("HTTP/"), let code = first.split(separator: " ").dropFirst().first,
        let status = Int(code)
      else { return nil }
      rest = body
      if (100..<200).contains(status) { continue }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
      }
      self.status = status
      self.headers = headers
      self.body = Array(body)
      return
    }
  }

  /// The lines up to the first empty one, and what follows it.
  private static func head(_ bytes: ArraySlice<UInt8>) -> ([String], ArraySlice<UInt8>)? {
    var lines: [String] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      var line = bytes[start..<end]
      if line.last == 0x0D { line.removeLast() }
      start = end + 1
      if line.isEmpty { return (lines, bytes[start...]) }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    return nil
  }

  /// Whether a list has another page, from the headers of both sites; nil if these say nothing.
  var hasNextPage: Bool? {
    if let number = headers["x-next-page"] { return !number.isEmpty }
    return headers["link"].map { $0.hasPart("rel=\"next\"") }
  }

  /// The message of an error, from the members of both sites; may be empty.
  var complaint: String {
    guard let document = try? JSONDocument(parsing: body) else { return "" }
    for key in ["message", "error_description", "error"] {
      guard let value = document.value(forKey: key, in: document.root) else { continue }
      let text =
        document.kind(of: value) == .string ? document.key(value) : document.text(of: value)
      return String(text.prefix(300))
    }
    return ""
  }
}
