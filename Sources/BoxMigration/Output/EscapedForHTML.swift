internal import BoxReport

extension String {
  /// The text for a page or a drawing, without markup and characters that move the text.
  var escapedForHTML: String { escapedForDisplay.escapedForXML }
}
