internal import BoxStoreTool

extension BrowseAnswer {
  /// A file of the pages themselves.
  init(_ asset: BrowseAsset) {
    switch asset {
    case .style: self.init(200, "text/css; charset=utf-8", BrowseStyle.text.utf8)
    case .script:
      self.init(200, "text/javascript; charset=utf-8", BrowseScript.text.utf8)
    case .icon: self.init(200, "image/svg+xml", Self.icon.utf8)
    }
  }

  private static let icon: HTMLText = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 22 22"><path fill="#c98b4b" \
    d="M2 2h18v5h-9v4h9v4h-9v5H2z"/><path fill="#8a5a26" d="M12 8h8v2h-8zM12 16h8v4h-8z"/></svg>

    """
}
