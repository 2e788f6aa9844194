/// A comment on a request of a site, which replaces the earlier one for the same purpose.
package struct SiteCommentRequest: Sendable {
  /// The file with the text, in Markdown.
  package var file: String
  /// The word that tells comments for different purposes apart.
  package var mark: String
  /// The number of the request; nil to take it from ``event``.
  package var number: Int?
  /// The file of an event.
  package var event: String?
  /// The site.
  package var site = SiteSettings()

  /// Creates a request.
  package init(file: String, mark: String) {
    self.file = file
    self.mark = mark
  }

  /// Writes the comment, or changes the existing one.
  ///
  /// - Returns: The number of the request; nil if the event is not about one.
  /// - Throws: ``CommandFailure`` of the kind `usage` if something is not named, `inputOutput` if the file
  ///   cannot be read or the site cannot be reached, `badInput` if the event file is invalid.
  package func run(in place: Workspace) throws(CommandFailure) -> Int? {
    guard !mark.isEmpty, mark.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D }),
      !mark.hasPart("--")
    else {
      throw CommandFailure(.usage, "'\(mark)' is not a mark of small letters and single hyphens")
    }
    var number = number
    if number == nil, let event, case .request(let found) = try SiteEvent.read(event) {
      number = found
    }
    guard let number else {
      if event != nil { return nil }
      throw CommandFailure(.usage, "the request to comment on is not known; name its number")
    }
    let text = String(decoding: try SourceFile.read(file).bytes, as: UTF8.self)
    try self.site.connect(in: place).putComment(
      BranchMergeItem.shortened(text), mark: mark, on: number)
    return number
  }
}
